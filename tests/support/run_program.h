#pragma once

#include <string>
#include <vector>

namespace support {

/// What a program that ran to its end left behind.
struct ProgramResult {
  int exit_code = -1;
  std::string output;  ///< Standard output.
  std::string errors;
};

/// Runs a program to its end in our own environment, without a shell; standard input is `input`.
ProgramResult run_program(const std::vector<std::string>& argv, const std::string& input = "");

}  // namespace support
