#include <clocale>
#include <cstdio>
#include <exception>

#include "app/command_line.h"

int main(int argc, char** argv) {
  std::setlocale(LC_CTYPE, "");  // Tells whether the terminal takes UTF-8.
  // By the time an exception is caught here the destructors have given the terminal back.
  try {
    return app::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jms: %s\n", error.what());
    return app::kFailed;
  }
}
