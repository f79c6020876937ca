# What `cmake --install` puts where an operator's system looks for it, and the packages made of that by cpack.
include(GNUInstallDirs)
install(TARGETS jms RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_SOURCE_DIR}/docs/man/jms.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_SOURCE_DIR}/docs/man/jms-config.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES ${PROJECT_SOURCE_DIR}/completions/jms.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME jms)
install(FILES ${PROJECT_SOURCE_DIR}/completions/_jms DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
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
set(CPACK_PACKAGE_CONTACT "the jms authors <jms@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "terminal for servers behind jump hosts, with an assistant in it")
set(CPACK_PACKAGE_DESCRIPTION "jms opens local, SSH and JumpServer sessions and lays an assistant over them that works in
the same session, with the operator's approval and a record of every command.")
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # The libraries and their versions, as dpkg-shlibdeps finds them.
# Loaded or run by name, so no tool can find them: libwebsockets' event loop, and the second SSH engine.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libwebsockets-evlib-uv, ncurses-base")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openssh-client, bash-completion")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_ARCHIVE_FILE_NAME jms-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
include(CPack)
