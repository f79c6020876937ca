# One room, one library target. Every target gets the same warnings and sanitizers.

find_package(PkgConfig REQUIRED)

add_library(jms_options INTERFACE)
target_include_directories(jms_options INTERFACE ${PROJECT_SOURCE_DIR})
# Designated initializers leave fields at their defaults on purpose; g++ 12 at -O2 raises a false -Wrestrict alarm on
# std::string assignment.
target_compile_options(jms_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# Where it was built does not show in a release: the same commit gives the same bytes in any directory.
target_compile_options(jms_options INTERFACE
  $<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_BINARY_DIR}=build;-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>)
if(JMS_SANITIZE)
  target_compile_options(jms_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  target_link_options(jms_options INTERFACE -fsanitize=address,undefined)
endif()

if(JMS_STATIC)
  target_link_options(jms_options INTERFACE -static-libstdc++ -static-libgcc)
endif()

if(JMS_FUZZ)
  # The rooms too, or the fuzzer would not see which paths an input takes.
  target_compile_options(jms_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# jms_pkg(NAME pkg): an imported target PkgConfig::NAME for a pkg-config package. With JMS_STATIC the library itself is
# linked in where Debian has it as an archive. Those with many friends of their own (libcurl, libcrypto) stay shared, so
# that the system's security updates reach them; libuv too, because libwebsockets loads it again with its plug-in.
function(jms_pkg name package)
  if(JMS_STATIC AND NOT name MATCHES "^(CURL|CRYPTO|SSL|WEBSOCKETS|LIBSSH|UV|MD4C)$")
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
  endif()
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET GLOBAL ${package})
endfunction()

# jms_room(NAME [USES rooms...] [LIBS libraries...] [PRIVATE_LIBS libraries...] [PCH headers...])
function(jms_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LIBS;PRIVATE_LIBS;PCH" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(jms_${name} STATIC ${sources})
  list(TRANSFORM ROOM_USES PREPEND jms_)
  target_link_libraries(jms_${name} PUBLIC jms_options ${ROOM_USES} ${ROOM_LIBS} PRIVATE ${ROOM_PRIVATE_LIBS})
  if(ROOM_PCH)
    target_precompile_headers(jms_${name} PRIVATE ${ROOM_PCH})
  endif()
endfunction()
