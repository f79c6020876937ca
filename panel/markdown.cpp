#include "panel/markdown.h"

#include <md4c.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "panel/code_block.h"
#include "panel/markdown_text.h"
#include "panel/table.h"
#include "panel/text_wrap.h"
#include "safety/sanitizer.h"
#include "terminal/cell.h"

namespace panel {
namespace {

constexpr int kNarrowestText = 8;  ///< Nested lists and quotes stop indenting when less than this would be left.

/// What stands before the rows of a list item or a quote.
struct Prefix {
  Spans first;
  Spans rest;
  bool used = false;
};

struct List {
  bool ordered = false;
  bool tight = true;
  unsigned next = 1;
};

std::string attribute_text(const MD_ATTRIBUTE& attribute) {
  return attribute.text ? safety::sanitize_line(std::string_view(attribute.text, attribute.size)) : std::string();
}

/// Turns md4c's events into rows.
class Renderer {
 public:
  Renderer(int width, const Signs& signs) : width_(std::max(width, 1)), signs_(signs) {}

  Lines render(std::string_view text) {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_NOHTML |
                   MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_COLLAPSEWHITESPACE;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      return static_cast<Renderer*>(self)->enter(type, detail);
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) { return static_cast<Renderer*>(self)->leave(type); };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
      return static_cast<Renderer*>(self)->enter_span(type, detail);
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
      return static_cast<Renderer*>(self)->leave_span(type);
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* piece, MD_SIZE size, void* self) {
      return static_cast<Renderer*>(self)->text(type, {piece, size});
    };
    md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, this);
    flush();
    return std::move(out_);
  }

 private:
  struct Look {
    Role role = Role::text;
    std::uint16_t attributes = 0;
    std::string href;  ///< Of a link: shown behind it when its text does not say it.
    std::size_t begins = 0;
  };

  Look look() const {
    if (!spans_.empty()) return spans_.back().second;
    return blocks_.empty() ? Look{} : blocks_.back();
  }

  int prefix_width() const {
    int width = 0;
    for (const Prefix& prefix : prefixes_) width += width_of(prefix.rest);
    return width;
  }
  int room() const { return std::max(width_ - prefix_width(), 1); }

  void push_prefix(Spans first, Spans rest) {
    if (room() - width_of(rest) < kNarrowestText) first = rest = {};
    prefixes_.push_back({std::move(first), std::move(rest)});
  }

  void emit(const Spans& spans) {
    Spans row;
    for (Prefix& prefix : prefixes_) append(row, std::exchange(prefix.used, true) ? prefix.rest : prefix.first);
    append(row, spans);
    out_.push_back({std::move(row)});
  }

  /// A blank row between blocks, but not at the beginning and not inside a tight list.
  void gap() {
    flush();
    const bool fresh = std::any_of(prefixes_.begin(), prefixes_.end(), [](const Prefix& p) { return !p.used; });
    if (out_.empty() || fresh || (!lists_.empty() && lists_.back().tight)) return;
    if (!out_.back().spans.empty()) out_.push_back({});
  }

  void flush() {
    if (inline_.empty()) return;
    for (const auto& row : wrap_spans(std::exchange(inline_, {}), room())) emit(row);
  }

  int enter(MD_BLOCKTYPE type, void* detail) {
    spans_.clear();
    switch (type) {
      case MD_BLOCK_QUOTE:
        gap();
        push_prefix({{std::string(signs_.quote) + " ", Role::quote, 0}},
                    {{std::string(signs_.quote) + " ", Role::quote, 0}});
        blocks_.push_back({Role::quote, 0, {}, 0});
        break;
      case MD_BLOCK_UL:
        gap();
        lists_.push_back({false, static_cast<MD_BLOCK_UL_DETAIL*>(detail)->is_tight != 0, 1});
        break;
      case MD_BLOCK_OL: {
        gap();
        const auto* list = static_cast<MD_BLOCK_OL_DETAIL*>(detail);
        lists_.push_back({true, list->is_tight != 0, list->start});
        break;
      }
      case MD_BLOCK_LI:
        begin_item(*static_cast<MD_BLOCK_LI_DETAIL*>(detail));
        break;
      case MD_BLOCK_HR:
        gap();
        emit({{repeated(signs_.horizontal, room()), Role::frame, 0}});
        break;
      case MD_BLOCK_H:
        gap();
        blocks_.push_back({Role::heading, terminal::kBold, {}, 0});
        break;
      case MD_BLOCK_CODE:
        gap();
        language_ = attribute_text(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang);
        code_.clear();
        in_code_ = true;
        break;
      case MD_BLOCK_P:
        gap();
        break;
      case MD_BLOCK_TABLE:
        gap();
        table_ = {};
        break;
      case MD_BLOCK_TR:
        table_.rows.emplace_back();
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        begin_cell(type == MD_BLOCK_TH, static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align);
        break;
      default:
        break;
    }
    return 0;
  }

  void begin_item(const MD_BLOCK_LI_DETAIL& item) {
    gap();
    List& list = lists_.back();
    std::string sign = list.ordered ? std::to_string(list.next++) + "." : std::string(signs_.bullet);
    if (item.is_task) sign = std::string(item.task_mark == ' ' ? signs_.unchecked : signs_.checked);
    const int wide = base::text_width(sign) + 1;
    push_prefix({{sign + " ", Role::muted, 0}}, {{std::string(static_cast<std::size_t>(wide), ' '), Role::text, 0}});
  }

  void begin_cell(bool head, MD_ALIGN align) {
    if (head)
      table_.columns.push_back(align == MD_ALIGN_RIGHT    ? Align::right
                               : align == MD_ALIGN_CENTER ? Align::center
                                                          : Align::left);
    if (head) blocks_.push_back({Role::text, terminal::kBold, {}, 0});
    inline_.clear();
  }

  int leave(MD_BLOCKTYPE type) {
    spans_.clear();
    switch (type) {
      case MD_BLOCK_QUOTE:
        flush();
        blocks_.pop_back();
        prefixes_.pop_back();
        break;
      case MD_BLOCK_UL:
      case MD_BLOCK_OL:
        flush();
        lists_.pop_back();
        break;
      case MD_BLOCK_LI:
        flush();
        if (!prefixes_.back().used) emit({});  // An empty item still has its sign.
        prefixes_.pop_back();
        break;
      case MD_BLOCK_H:
        flush();
        blocks_.pop_back();
        break;
      case MD_BLOCK_P:
        flush();
        break;
      case MD_BLOCK_CODE:
        end_code();
        break;
      case MD_BLOCK_TH:
        blocks_.pop_back();
        [[fallthrough]];
      case MD_BLOCK_TD:
        table_.rows.back().push_back(std::exchange(inline_, {}));
        break;
      case MD_BLOCK_TABLE:
        for (const auto& row : draw_table(table_, room(), signs_)) emit(row.spans);
        break;
      default:
        break;
    }
    return 0;
  }

  void end_code() {
    in_code_ = false;
    if (code_.ends_with('\n')) code_.pop_back();
    Lines rows{code_head(language_, {}, room(), 0, signs_)};
    for (std::string_view rest = code_;;) {
      const auto end = rest.find('\n');
      add_code_line(rest.substr(0, end), language_, room(), 0, signs_, rows);
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
    rows.push_back(code_foot(room(), 0, signs_));
    for (const auto& row : rows) emit(row.spans);
  }

  int enter_span(MD_SPANTYPE type, void* detail) {
    Look next = look();
    next.href.clear();
    next.begins = inline_.size();
    switch (type) {
      case MD_SPAN_EM:
        next.attributes |= terminal::kItalic;
        break;
      case MD_SPAN_STRONG:
        next.attributes |= terminal::kBold;
        break;
      case MD_SPAN_DEL:
        next.attributes |= terminal::kStrike;
        break;
      case MD_SPAN_CODE:
        next.role = Role::code;
        break;
      case MD_SPAN_A:
        next.role = Role::link;
        next.href = attribute_text(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
        break;
      case MD_SPAN_IMG:
        next.role = Role::link;
        next.href = attribute_text(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
        break;
      default:
        break;
    }
    spans_.emplace_back(type, std::move(next));
    return 0;
  }

  /// Where a link leads is shown when its words are others: nobody is sent somewhere unseen.
  int leave_span(MD_SPANTYPE type) {
    const auto entered =
        std::find_if(spans_.rbegin(), spans_.rend(), [&](const auto& span) { return span.first == type; });
    if (entered == spans_.rend()) return 0;  // md4c leaves what it never entered: a star in an address and one behind.
    const Look left = std::move(entered->second);
    spans_.erase(std::prev(entered.base()), spans_.end());
    if (left.href.empty()) return 0;
    const Spans words(inline_.begin() + static_cast<std::ptrdiff_t>(std::min(left.begins, inline_.size())),
                      inline_.end());
    if (text_of(words).find(left.href) == std::string::npos) append(inline_, " (" + left.href + ")", Role::muted);
    return 0;
  }

  int text(MD_TEXTTYPE type, std::string_view piece) {
    if (in_code_) {
      code_ += piece;
      return 0;
    }
    const Look now = look();
    switch (type) {
      case MD_TEXT_BR:
        append(inline_, "\n", now.role, now.attributes);
        break;
      case MD_TEXT_SOFTBR:
        append(inline_, " ", now.role, now.attributes);
        break;
      case MD_TEXT_NULLCHAR:
        break;
      case MD_TEXT_ENTITY:
        append(inline_, entity_text(piece), now.role, now.attributes);
        break;
      default:
        append(inline_, piece, now.role, now.attributes);
    }
    return 0;
  }

  int width_;
  const Signs& signs_;
  Lines out_;
  Spans inline_;
  std::vector<Prefix> prefixes_;
  std::vector<List> lists_;
  std::vector<Look> blocks_;                         ///< Of quotes, headings and heads of tables.
  std::vector<std::pair<MD_SPANTYPE, Look>> spans_;  ///< Within a block; a span never goes on in the next.
  Table table_;
  bool in_code_ = false;
  std::string language_;
  std::string code_;
};

}  // namespace

Lines render_markdown(std::string_view text, int width, const Signs& signs) {
  return Renderer(width, signs)
      .render(text.find("|") == std::string_view::npos ? std::string(text) : with_long_dashes(text));
}

}  // namespace panel
