#include "event/deadline.h"
#include "transport/jumpserver/sign_in.h"

namespace transport::jumpserver {
namespace {

constexpr const char* kReview = "/api/v1/authentication/login-confirm-ticket/status/";
// The server forgets a half-finished sign-in after ten minutes.
constexpr std::chrono::minutes kLongestSignInReview{10};
constexpr std::chrono::seconds kFirstReviewPoll{1}, kReviewPoll{5};

/// A request to the reviewers, which goes from their list unless they have decided.
class ReviewTicket {
 public:
  explicit ReviewTicket(SignInTalk& talk) : talk_(talk) {}
  ~ReviewTicket() {
    if (open_) talk_.client.send_last(talk_.setup, {.method = "DELETE", .path = kReview, .anonymous = true});
  }
  void decided() { open_ = false; }

 private:
  SignInTalk& talk_;
  bool open_ = true;
};

}  // namespace

bool pause(ConnectionSetup& setup, std::chrono::milliseconds time) {
  const event::Deadline deadline(time);
  while (!deadline.passed())
    if (setup.fiber().wait(deadline.left()) == event::Fiber::Woken::cancelled) return false;
  return !setup.fiber().cancelled();
}

CoreResult<void> wait_for_reviewer(SignInTalk& talk) {
  talk.review = true;
  ReviewTicket ticket(talk);
  const auto begin = std::chrono::steady_clock::now();
  const event::Deadline limit(kLongestSignInReview);
  for (auto wait = kFirstReviewPoll;; wait = kReviewPoll) {
    const auto waited =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin).count();
    talk.setup.tell("waiting for a reviewer to let you in: " + std::to_string(waited) + " s (Ctrl-C gives up)");
    if (!pause(talk.setup, wait)) return not_answered(talk.setup, "a reviewer's word");
    const auto answer = talk.client.send(talk.setup, {.path = kReview, .anonymous = true});
    if (!answer) return tl::unexpected(answer.error());
    if (answer->ok() && text_at(answer->json, "msg") == "ok") {
      ticket.decided();
      return {};
    }
    if (code_of(answer->json) != "login_confirm_wait") {
      ticket.decided();
      return tl::unexpected(sign_in_failure(talk.client, *answer));
    }
    if (limit.passed())
      return refused("login_confirm_timeout", "no reviewer answered within ten minutes; ask one, then sign in again");
  }
}

}  // namespace transport::jumpserver
