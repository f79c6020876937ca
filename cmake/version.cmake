# JMS_VERSION: the release and, in a build from a checkout, the commit ("0.1.0+g1a2b3c4d"). No time, place or builder.
set(JMS_VERSION ${PROJECT_VERSION})
find_package(Git QUIET)
if(Git_FOUND AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} rev-parse HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    # Cut here: git's own --short grows with what else a clone happens to hold.
    string(SUBSTRING "${commit}" 0 8 commit)
    string(APPEND JMS_VERSION "+g${commit}")
  endif()
  # A new commit configures again.
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} rev-parse --git-path logs/HEAD
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(head "${head}" ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  if(EXISTS ${head})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${head})
  endif()
endif()
