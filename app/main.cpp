#include <cstdio>

int main() {
  std::puts("jms " JMS_VERSION);
  return 0;
}
