#include <clocale>
#include <cstdio>
#include <exception>

#include "app/command_line.h"
#include "transport/ssh/askpass_helper.h"

int main(int argc, char** argv) {
  // An ssh that jms has started asks its questions through jms; this process is then nothing else.
  if (const auto asked = transport::run_as_askpass_helper(argc, argv)) return *asked;
  std::setlocale(LC_CTYPE, "");  // Tells whether the terminal takes UTF-8.
  // By the time an exception is caught here the destructors have given the terminal back.
  try {
    return app::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jms: %s\n", error.what());
    return app::kFailed;
  }
}
