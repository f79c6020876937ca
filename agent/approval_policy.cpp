#include "agent/approval_policy.h"

namespace agent {

std::string_view name_of(DecidedBy who) {
  switch (who) {
    case DecidedBy::policy:
      return "policy";
    case DecidedBy::rule:
      return "rule";
    case DecidedBy::operator_choice:
      return "operator";
  }
  return "policy";
}

}  // namespace agent
