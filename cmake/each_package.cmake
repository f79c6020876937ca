# Read by cpack once for each kind of package. A tarball is unpacked anywhere: bin and share stand in its one folder.
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
  set(CPACK_PACKAGE_FILE_NAME ${CPACK_TARBALL_NAME})
endif()
