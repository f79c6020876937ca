#pragma once

namespace fuzz {

/// Each fuzzer says here whether its parser takes an input that is known to be good; known_good.cpp asks before the
/// first run. One whose parser refuses every input finds nothing and looks as healthy as one without findings: the
/// reader of the config never saw a byte for weeks, because the file it was given could be written by others.
bool takes_known_good();

}  // namespace fuzz
