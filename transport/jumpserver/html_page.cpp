#include "transport/jumpserver/html_page.h"

#include <algorithm>
#include <charconv>

#include "base/one_line.h"
#include "base/utf8.h"
#include "base/words.h"

namespace transport::jumpserver {
namespace {

// Far above what any login page has.
constexpr std::size_t kMostPage = 1u << 20, kMostValue = 16 * 1024;
constexpr std::size_t kMostForms = 16, kMostFields = 128, kMostOptions = 64, kMostImages = 64, kMostComplaints = 8;
constexpr std::size_t kMostWords = 300;
constexpr std::string_view kBlank = " \t\r\n\f";

struct Attribute {
  std::string name, value;
};

/// "&amp;" and its like as the characters they stand for; what is no entity stays as it is.
std::string without_entities(std::string_view text) {
  static constexpr std::pair<std::string_view, char32_t> kNamed[] = {{"amp", U'&'},  {"lt", U'<'},    {"gt", U'>'},
                                                                     {"quot", U'"'}, {"apos", U'\''}, {"nbsp", U' '}};
  std::string out;
  while (!text.empty()) {
    const auto mark = std::min(text.find('&'), text.size());
    out.append(text.substr(0, mark));
    text.remove_prefix(mark);
    if (text.empty()) break;
    const auto end = text.substr(0, 12).find(';');
    const std::string_view name = end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
    char32_t code = 0;
    for (const auto& [known, character] : kNamed)
      if (name == known) code = character;
    if (name.starts_with('#')) {
      const bool hex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
      const std::string_view digits = name.substr(hex ? 2 : 1);
      unsigned number = 0;
      const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, hex ? 16 : 10);
      if (error == std::errc() && rest == digits.data() + digits.size() && number > 0 && number < 0x110000 &&
          (number < 0xD800 || number > 0xDFFF))
        code = number;
    }
    if (code == 0) {
      out += '&';
      text.remove_prefix(1);
    } else {
      base::append_utf8(out, code);
      text.remove_prefix(end + 1);
    }
  }
  return out;
}

/// Where pages put what went wrong: the classes of JumpServer's own templates and of the libraries they are made with.
bool holds_complaints(std::string_view css) {
  for (const std::string_view word : base::split(css, ' '))
    if (base::is_one_of(base::trimmed(word, kBlank), {"red-fonts", "help-block", "errorlist", "alert-danger",
                                                      "alert-info", "alert-msg", "invalid-feedback"}))
      return true;
  return false;
}

/// The words of a text with one blank between them. Django's lists come as text: "* this\n* that".
std::string one_by_one(std::string_view text) {
  const std::string said = without_entities(text);
  std::string_view rest = said;
  std::string words;
  while (!rest.empty()) {
    const auto end = std::min(rest.find_first_of(kBlank), rest.size());
    if (end > 0 && rest.substr(0, end) != "*") words.append(words.empty() ? "" : " ").append(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return base::one_line(words, kMostWords);
}

bool is_void(std::string_view tag) {
  return base::is_one_of(tag, {"input", "img", "br", "hr", "meta", "link", "source", "col", "wbr", "area", "base"});
}

/// Goes through a page once, tag by tag.
class HtmlReader {
 public:
  explicit HtmlReader(std::string_view page) : rest_(page.substr(0, kMostPage)) {}

  HtmlPage read() {
    while (!rest_.empty()) {
      const auto open = std::min(rest_.find('<'), rest_.size());
      on_text(rest_.substr(0, open));
      rest_.remove_prefix(open);
      if (!rest_.empty()) take_markup();
    }
    end_complaint();
    return std::move(page_);
  }

 private:
  void skip_to(std::string_view what) {
    const auto at = rest_.find(what);
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at + what.size());
  }

  void take_markup() {
    if (rest_.starts_with("<!--")) {
      rest_.remove_prefix(4);
      return skip_to("-->");
    }
    const char next = rest_.size() > 1 ? base::lower_case(rest_[1]) : '\0';
    if (next == '!' || next == '?') return skip_to(">");
    const bool closes = next == '/';
    const char first = closes && rest_.size() > 2 ? base::lower_case(rest_[2]) : next;
    if (first < 'a' || first > 'z') {
      on_text(rest_.substr(0, 1));
      return rest_.remove_prefix(1);
    }
    rest_.remove_prefix(closes ? 2 : 1);
    const auto end = std::min(rest_.find_first_of(" \t\r\n\f/>"), rest_.size());
    const std::string tag = base::lower_case(rest_.substr(0, std::min<std::size_t>(end, 32)));
    rest_.remove_prefix(end);
    attributes_.clear();
    take_attributes();
    closes ? on_end(tag) : on_begin(tag);
  }

  void take_attributes() {
    while (!rest_.empty() && rest_.front() != '>') {
      if (kBlank.find(rest_.front()) != std::string_view::npos || rest_.front() == '/') {
        rest_.remove_prefix(1);
        continue;
      }
      const auto end = std::min(rest_.find_first_of(" \t\r\n\f/>=", 1), rest_.size());
      Attribute attribute{base::lower_case(rest_.substr(0, std::min<std::size_t>(end, 64))), ""};
      rest_.remove_prefix(end);
      skip_blanks();
      if (rest_.starts_with('=')) {
        rest_.remove_prefix(1);
        skip_blanks();
        attribute.value = take_value();
      }
      if (attributes_.size() < kMostFields) attributes_.push_back(std::move(attribute));
    }
    if (!rest_.empty()) rest_.remove_prefix(1);
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlank), rest_.size())); }

  std::string take_value() {
    std::string_view value;
    if (rest_.starts_with('"') || rest_.starts_with('\'')) {
      const auto end = std::min(rest_.find(rest_.front(), 1), rest_.size());
      value = rest_.substr(1, end - 1);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
    } else {
      const auto end = std::min(rest_.find_first_of(" \t\r\n\f>"), rest_.size());
      value = rest_.substr(0, end);
      rest_.remove_prefix(end);
    }
    return without_entities(value.substr(0, kMostValue));
  }

  bool has(std::string_view name) const {
    return std::any_of(attributes_.begin(), attributes_.end(), [&](const auto& one) { return one.name == name; });
  }
  std::string attribute(std::string_view name) const {
    for (const auto& one : attributes_)
      if (one.name == name) return one.value;
    return {};
  }

  /// What stands up to the end tag of an element in which no markup counts.
  std::string_view raw_content(const std::string& tag) {
    std::size_t at = 0;
    for (;; ++at) {
      at = rest_.find("</", at);
      if (at == std::string_view::npos) at = rest_.size();
      if (at == rest_.size() || base::lower_case(rest_.substr(at + 2, tag.size())) == tag) break;
    }
    const std::string_view content = rest_.substr(0, at);
    rest_.remove_prefix(at);
    return content;
  }

  void on_begin(const std::string& tag) {
    if (tag == "script" || tag == "style") return void(raw_content(tag));
    if (tag == "title") {
      const std::string title = one_by_one(raw_content(tag).substr(0, kMostValue));
      if (page_.title.empty()) page_.title = title;
      return;
    }
    if (!complaint_tag_.empty() && tag == complaint_tag_) ++complaint_depth_;
    if (complaint_tag_.empty() && !is_void(tag) && holds_complaints(attribute("class"))) {
      complaint_tag_ = tag;
      complaint_css_ = attribute("class");
      complaint_depth_ = 1;
    }
    if (tag == "form") return begin_form();
    if (tag == "img" && page_.images.size() < kMostImages)
      page_.images.push_back({attribute("src"), attribute("alt"), attribute("class")});
    if (in_form_) on_field(tag);
  }

  void begin_form() {
    in_form_ = page_.forms.size() < kMostForms;
    in_select_ = in_option_ = false;
    if (in_form_) page_.forms.push_back({attribute("action"), base::lower_case(attribute("method")), {}});
  }

  void on_field(const std::string& tag) {
    auto& fields = page_.forms.back().fields;
    const bool field = tag == "input" || tag == "select" || tag == "textarea";
    if (field) {
      in_select_ = in_option_ = false;
      if (fields.size() >= kMostFields || has("disabled")) return;
      HtmlField found{attribute("name"), tag, attribute("value"), has("checked"), {}};
      if (tag == "input") found.type = base::lower_case(attribute("type"));
      if (found.type.empty()) found.type = "text";
      if (tag == "textarea") found.value = without_entities(raw_content(tag).substr(0, kMostValue));
      fields.push_back(std::move(found));
      in_select_ = tag == "select";
    } else if (tag == "option" && in_select_ && fields.back().options.size() < kMostOptions) {
      fields.back().options.push_back({attribute("value"), "", has("selected"), has("disabled")});
      in_option_ = true;
    }
  }

  void on_end(const std::string& tag) {
    if (!complaint_tag_.empty() && tag == complaint_tag_ && --complaint_depth_ == 0) end_complaint();
    if (tag == "form") in_form_ = in_select_ = in_option_ = false;
    if (tag == "select") in_select_ = in_option_ = false;
    if (tag == "option") in_option_ = false;
  }

  void on_text(std::string_view text) {
    if (in_option_ && in_select_) {
      std::string& shown = page_.forms.back().fields.back().options.back().text;
      if (shown.size() < kMostWords) shown += one_by_one(text.substr(0, kMostWords));
    }
    if (!complaint_tag_.empty() && complaint_.size() < kMostValue) complaint_.append(text.substr(0, kMostValue)) += ' ';
  }

  void end_complaint() {
    const std::string words = one_by_one(complaint_);
    if (!words.empty() && page_.complaints.size() < kMostComplaints)
      page_.complaints.push_back({complaint_css_, words});
    complaint_.clear();
    complaint_tag_.clear();
  }

  std::string_view rest_;
  HtmlPage page_;
  std::vector<Attribute> attributes_;
  bool in_form_ = false, in_select_ = false, in_option_ = false;
  std::string complaint_tag_, complaint_css_, complaint_;
  int complaint_depth_ = 0;
};

/// The option that a browser shows when nobody chooses.
const HtmlField::Option* shown_option(const HtmlField& select) {
  const HtmlField::Option* first = nullptr;
  for (const auto& option : select.options) {
    if (option.selected) return &option;
    if (!first && !option.disabled) first = &option;
  }
  return first;
}

}  // namespace

bool HtmlField::sent_untouched() const {
  if (name.empty() || type == "submit" || type == "button" || type == "image" || type == "reset" || type == "file")
    return false;
  if (type == "checkbox" || type == "radio") return checked;
  return type != "select" || shown_option(*this) != nullptr;
}

const HtmlField* HtmlForm::field(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

std::vector<std::pair<std::string, std::string>> HtmlForm::filled(
    const std::vector<std::pair<std::string, std::string>>& ours) const {
  auto sent = ours;
  for (const auto& field : fields) {
    const bool known = std::any_of(ours.begin(), ours.end(), [&](const auto& own) { return own.first == field.name; });
    if (known || !field.sent_untouched()) continue;
    const bool ticked = field.type == "checkbox" || field.type == "radio";
    const std::string value = field.type == "select"          ? shown_option(field)->value
                              : ticked && field.value.empty() ? "on"
                                                              : field.value;
    sent.emplace_back(field.name, value);
  }
  return sent;
}

const HtmlForm* HtmlPage::form_with(std::string_view field) const {
  const auto found = std::find_if(forms.begin(), forms.end(), [&](const auto& form) { return form.field(field); });
  return found == forms.end() ? nullptr : &*found;
}

std::string HtmlPage::field_names() const {
  std::vector<std::string> names;
  for (const auto& form : forms)
    for (const auto& field : form.fields)
      if (const std::string name = base::one_line(field.name, 40); !name.empty() && names.size() < 12)
        names.push_back(name);
  return names.empty() ? "no fields" : "the fields " + base::joined(names, ", ");
}

HtmlPage read_html(std::string_view page) {
  return HtmlReader(page).read();
}

}  // namespace transport::jumpserver
