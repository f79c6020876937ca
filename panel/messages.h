#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace panel {

/// Every text the panel can show; the words themselves stand in messages.def.
enum class Message : std::uint16_t {
#define MESSAGE(id, english, chinese) id,
#include "panel/messages.def"
#undef MESSAGE
};

/// How many messages there are, for walking over all of them.
extern const std::size_t kMessageCount;

enum class Language : std::uint8_t { english, chinese };

/// "zh", "zh_CN.UTF-8" and the like are Chinese, everything else is English.
Language language_of(std::string_view locale);

/// The operator's language: `configured` ("en", "zh") when set, else LC_ALL, LC_MESSAGES, LANG, the first that says
/// one.
Language operators_language(std::string_view configured);

/// What say() speaks from now on. Set once, at the start, as a locale is.
void use_language(Language language);
Language language();

/// The text as it stands in the table.
std::string_view raw_text(Message message, Language language);

/// The text in the operator's language, {0}, {1} … replaced. A place without a value stays empty; values are not
/// looked into, so that a value with braces in it is safe.
std::string say(Message message, std::initializer_list<std::string_view> values = {});

}  // namespace panel
