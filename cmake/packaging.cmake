# What `cmake --install` puts where an operator's system looks for it, and the packages made of that by cpack.
include(GNUInstallDirs)
install(TARGETS jms RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# jms_install_compressed(FILE DESTINATION folder): as Debian wants manuals and change logs. No name and no time inside.
function(jms_install_compressed file destination)
  get_filename_component(name ${file} NAME)
  set(packed ${PROJECT_BINARY_DIR}/compressed/${name}.gz)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/compressed)
  execute_process(COMMAND gzip -9nc ${file} OUTPUT_FILE ${packed} COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${packed} DESTINATION ${destination})
endfunction()
jms_install_compressed(${PROJECT_SOURCE_DIR}/docs/man/jms.1 ${CMAKE_INSTALL_MANDIR}/man1)
jms_install_compressed(${PROJECT_SOURCE_DIR}/docs/man/jms-config.5 ${CMAKE_INSTALL_MANDIR}/man5)
jms_install_compressed(${PROJECT_SOURCE_DIR}/docs/changelog ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/completions/jms.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME jms)
# zsh looks into site-functions below /usr/local, and on Debian into vendor-completions below /usr. What the prefix is
# stands fast at the installation only.
install(CODE "set(source \"${PROJECT_SOURCE_DIR}/completions/_jms\")
  set(data \"${CMAKE_INSTALL_DATADIR}\")")
install(CODE [[
  set(folder site-functions)
  if(CMAKE_INSTALL_PREFIX MATCHES "/usr$")
    set(folder vendor-completions)
  endif()
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${data}/zsh/${folder}" TYPE FILE FILES "${source}")]])
install(FILES ${PROJECT_SOURCE_DIR}/completions/jms.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(FILES ${PROJECT_SOURCE_DIR}/docs/config.example.toml DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
  RENAME config.toml)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/skills/ DESTINATION ${CMAKE_INSTALL_DATADIR}/jms/skills
  FILES_MATCHING PATTERN "*.md")

set(CPACK_PACKAGE_NAME jms)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "the jms authors")
set(JMS_MAINTAINER "the jms authors <jms@example.org>" CACHE STRING "Whom the package names: whoever builds and gives it out")
set(CPACK_PACKAGE_CONTACT "${JMS_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "terminal for servers behind jump hosts, with an assistant in it")
set(CPACK_PACKAGE_DESCRIPTION "jms opens local, SSH and JumpServer sessions and lays an assistant over
them that works in the same session, with the operator's approval and a
record of every command.")
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # The libraries and their versions, as dpkg-shlibdeps finds them.
# Loaded or read by name, so no tool can find them: libwebsockets' event loop; the second SSH engine; the authorities of
# TLS. The terminfo entries of common terminals (ncurses-base) are on every Debian: naming them is an error.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libwebsockets-evlib-uv")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openssh-client, ca-certificates, bash-completion")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/each_package.cmake)
set(CPACK_TARBALL_NAME jms-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
include(CPack)
