#pragma once

#include <string>
#include <string_view>

namespace model {

/// The unchanging part of an OpenAI-style chunk around its `choices[0].delta.content`.
///
/// Servers differ in what they put around the text, but one server repeats it byte for byte. A frame learned from one
/// chunk, and proven by parsing the chunk again with another text in that place, lets the following ones be read
/// without building a tree: equal bytes around one string token mean the same tree around it.
class ContentFrame {
 public:
  /// The text of a chunk that is exactly this frame around some string. The view points into `data` or `scratch`.
  bool read(std::string_view data, std::string& scratch, std::string_view& content) const;

  /// Offers a chunk whose only effect is its text. Tries seldom when trying has been in vain.
  void learn(std::string_view data);

 private:
  bool proves(std::string_view prefix, std::string_view suffix) const;

  std::string prefix_, suffix_;
  unsigned tries_ = 0;
  unsigned skipped_ = 0;
};

}  // namespace model
