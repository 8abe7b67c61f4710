# What `cmake --install` puts where, and the packages that CPack makes of it: a Debian package and an
# archive that runs wherever it is unpacked. ci/package builds and tries them.

include(GNUInstallDirs)
set(documents ${CMAKE_INSTALL_DATADIR}/doc/assay)
install(TARGETS assay assay-reference-server RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES LICENSE README.md DESTINATION ${documents})
install(DIRECTORY docs DESTINATION ${documents})

# What is linked in asks that its license goes with it (Boost does not ask).
foreach(library libcli11-dev libpugixml-dev librapidcheck-dev libssl-dev libyaml-cpp-dev)
  set(license /usr/share/doc/${library}/copyright)
  if(EXISTS ${license})
    install(FILES ${license} DESTINATION ${documents}/licenses RENAME ${library})
  endif()
endforeach()

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME assay)
set(CPACK_PACKAGE_VENDOR "The Assay maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Conformance harness and fuzzer for MCP servers")
string(CONCAT CPACK_PACKAGE_DESCRIPTION
       "Finds out what a Model Context Protocol server does wrong, and shows the exchange that proves it. "
       "With the reference server that its cases are proven on.")
set(CPACK_PACKAGE_FILE_NAME assay-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Assay maintainers <assay@localhost>")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # the C library, in the version that was built against
include(CPack)
