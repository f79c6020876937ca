#pragma once

#include <iconv.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vt/tokenizer.h"

namespace remote_exec {

/// Turns what a tty sent into what a person would have read: progress drawn with carriage returns collapsed to its last
/// state, backspaces applied, colours and controls gone, line ends as '\n', always valid UTF-8.
///
/// Lines come out when they are complete, since a carriage return may still change them; a line of more than kMaxLine
/// bytes comes out in pieces.
class OutputCleaner final : private vt::LineSink {
 public:
  static constexpr std::size_t kMaxLine = 64 * 1024;

  /// `encoding` is the host's, as iconv names it ("GB18030"); empty or "UTF-8" needs no conversion.
  explicit OutputCleaner(std::string_view encoding = {});

  /// Adds remote bytes and appends what became final to `out`.
  void feed(std::string_view bytes, std::string& out);
  /// Appends the last line, which has no line end.
  void finish(std::string& out);

  /// The line under way as it would look now, for recognising questions; not longer than kMaxLine.
  std::string current_line() const;
  /// The part of it left of the cursor: a prompt without what stands at the right margin.
  std::string line_before_cursor() const;

 private:
  struct Close {
    void operator()(void* handle) const { iconv_close(static_cast<iconv_t>(handle)); }
  };

  void text(std::string_view run) override;
  void control(char c) override;
  void sequence(const vt::Sequence& sequence) override;
  void discarded(const vt::Sequence& sequence) override;

  std::size_t take_plain_lines(std::string_view bytes, std::string& out);
  void edit_line(const vt::Sequence& csi);
  void put(std::string_view run);
  void start_editing(std::size_t column);
  void apply_carriage_return();
  void overwrite(std::string_view run);
  void flush_cut();
  void erase_cells(std::size_t from, std::size_t to);
  void end_line();
  void take_line(std::string& into);
  std::string convert(std::string_view run);

  vt::Tokenizer tokens_;
  std::unique_ptr<void, Close> converter_;
  std::string unconverted_;  ///< The first byte of a character of the host's encoding, when it was cut there.
  std::string* out_ = nullptr;
  std::string line_;                ///< The line as bytes, while nothing moved the cursor back.
  std::vector<std::string> cells_;  ///< The line as columns, once something did.
  std::string cut_;                 ///< While editing: the beginning of a character whose rest has not come.
  std::size_t column_ = 0;
  bool editing_ = false;
  bool carriage_return_ = false;  ///< Seen, and not known yet whether a line feed follows.
};

/// Appends `text` with everything that is not valid UTF-8, and every control but tab and line feed, made harmless.
void append_safe_utf8(std::string& out, std::string_view text);

}  // namespace remote_exec
