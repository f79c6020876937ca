#pragma once

#include <string>
#include <vector>

#include "transport/jumpserver/html_page.h"
#include "transport/jumpserver/sign_in.h"

namespace transport::jumpserver {

/// One sign-in through the pages that a browser would show. The server keeps its state under the client's cookies.
class WebSignIn {
 public:
  explicit WebSignIn(SignInTalk& talk) : talk_(talk), client_(talk.client) {}

  /// Opens the login page: the visit plants the cookies without which nothing works, and the fields say what is asked.
  CoreResult<void> open_page();
  bool asks(std::string_view field) const { return page_.form_with(field) != nullptr; }
  /// Sends the form, solves its captcha with the operator, and goes on to the end. `optional`: the operator may leave
  /// the captcha out, because there is another way.
  CoreResult<void> submit(bool optional);
  /// Goes on from where password and second factor are known under the cookies.
  CoreResult<void> pass_guard();

 private:
  using Fields = std::vector<std::pair<std::string, std::string>>;

  tl::unexpected<CoreError> browser_only(const std::string& why) const;
  CoreResult<Answer> get(const std::string& path);
  CoreResult<Answer> send_form(const HtmlForm& form, const std::string& path, const Fields& ours);
  CoreResult<Fields> answers(const HtmlForm& form, bool optional, const std::string& why);
  CoreResult<Secret> ask_captcha(const std::string& key, bool optional, const std::string& why);
  CoreResult<void> follow(Answer answer);
  CoreResult<Answer> second_factor();
  tl::unexpected<CoreError> told_elsewhere(const std::string& path);
  CoreResult<void> finish();

  SignInTalk& talk_;
  CoreClient& client_;
  HtmlPage page_;
};

}  // namespace transport::jumpserver
