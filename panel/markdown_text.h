#pragma once

#include <string>
#include <string_view>

namespace panel {

/// The character an entity stands for; the entity itself when we do not know it.
std::string entity_text(std::string_view entity);

/// The text with the lines under tables' heads as md4c wants them: three dashes in each column, where others are
/// content with one.
std::string with_long_dashes(std::string_view text);

}  // namespace panel
