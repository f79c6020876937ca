// What a web page asks for: its forms with their fields, its pictures, and what it says went wrong. A small reader for
// pages of servers that are not ours: any order, any quoting, unclosed or nested as they come; never more than it is
// bounded to.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace transport::jumpserver {

/// One field of a form.
struct HtmlField {
  struct Option {
    std::string value, text;
    bool selected = false;
    bool disabled = false;
  };

  std::string name;
  std::string type;  ///< "hidden", "text", "password", "checkbox", …; also "select" and "textarea".
  std::string value;
  bool checked = false;
  std::vector<Option> options;  ///< Of a select.

  /// Whether it is sent with the form when nobody touches it; `value` for a select is its chosen option.
  bool sent_untouched() const;
};

struct HtmlForm {
  std::string action, method;  ///< As written; the method in lower case.
  std::vector<HtmlField> fields;

  /// Nothing when there is no field of that name.
  const HtmlField* field(std::string_view name) const;
  /// What a browser would send: hidden fields and choices as the page has them. Fields of `ours` take those values
  /// instead, and are sent also when the page does not name them.
  std::vector<std::pair<std::string, std::string>> filled(
      const std::vector<std::pair<std::string, std::string>>& ours) const;
};

struct HtmlImage {
  std::string source, text, css;
};

/// Words that stand where pages put their error messages.
struct HtmlComplaint {
  std::string css, words;
};

struct HtmlPage {
  std::string title;
  std::vector<HtmlForm> forms;
  std::vector<HtmlImage> images;
  std::vector<HtmlComplaint> complaints;

  /// The first form that has a field of that name.
  const HtmlForm* form_with(std::string_view field) const;
  /// The first complaint; "" when there is none.
  std::string complaint() const { return complaints.empty() ? std::string() : complaints.front().words; }
  /// The names of all fields, for telling what was found; "no fields" when there are none.
  std::string field_names() const;
};

HtmlPage read_html(std::string_view page);

}  // namespace transport::jumpserver
