#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "remote_exec/command_result.h"
#include "remote_exec/output_cleaner.h"
#include "remote_exec/output_store.h"

namespace remote_exec {

/// Cleans and keeps the output of one command, and hands it on while it comes.
class Recorder {
 public:
  /// `typed_mark` is what only a line typed by us holds; empty where nothing of ours is typed around the command.
  Recorder(const OutputStore::Options& store, std::string_view encoding, std::string typed_mark,
           std::function<void(std::string_view)> live, std::shared_ptr<OutputFilter> filter = nullptr);

  void add(std::string_view raw);
  /// No more output follows; the last line is final.
  void finish();
  /// Keeps text that is not output of the command but explains what happened.
  void add_text(std::string_view text);
  void fill(CommandResult& result);

  std::string current_line() const { return cleaner_.line_before_cursor(); }
  /// Takes back the line under way: it turned out to be a prompt.
  void drop_current_line();

 private:
  void keep(std::string text);
  void drop_our_lines(std::string& text) const;
  void store(std::string text);

  OutputCleaner cleaner_;
  OutputStore store_;
  std::string typed_mark_;
  std::function<void(std::string_view)> live_;
  std::shared_ptr<OutputFilter> filter_;
};

}  // namespace remote_exec
