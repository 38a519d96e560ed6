# What is installed, in three parts: the library, what one needs to build with it, the tools. Each is a .deb as well.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Installing and packaging take what is built; they do not build the tests first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(hemlock_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hemlock)

install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/include/hemlock
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT headers
  FILES_MATCHING
  PATTERN "*.hpp"
  PATTERN "*.h")
install(TARGETS hemlock_headers EXPORT hemlock_targets)
if(TARGET hemlock)
  install(
    TARGETS hemlock
    EXPORT hemlock_targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            COMPONENT library
            NAMELINK_COMPONENT headers)
  install(
    FILES ${PROJECT_SOURCE_DIR}/packaging/gdb/hemlock_gdb.py
    DESTINATION ${CMAKE_INSTALL_DATADIR}/hemlock
    COMPONENT headers)
endif()
if(TARGET hemlock_tool)
  install(TARGETS hemlock_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()
if(TARGET hemlock_preload)
  install(TARGETS hemlock_preload LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tools)
endif()

# find_package(hemlock)
install(
  EXPORT hemlock_targets
  NAMESPACE hemlock::
  FILE hemlock-targets.cmake
  DESTINATION ${hemlock_cmake_dir}
  COMPONENT headers)
configure_package_config_file(${PROJECT_SOURCE_DIR}/packaging/hemlock-config.cmake.in
                              ${PROJECT_BINARY_DIR}/hemlock-config.cmake INSTALL_DESTINATION ${hemlock_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hemlock-config-version.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/hemlock-config.cmake ${PROJECT_BINARY_DIR}/hemlock-config-version.cmake
  DESTINATION ${hemlock_cmake_dir}
  COMPONENT headers)

# pkg-config: hemlock for libhemlock.so, hemlock-headers for the headers alone. Paths are relative to the file, so
# that an installed tree may be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE
           hemlock_pc_to_prefix)
foreach(name hemlock hemlock-headers)
  configure_file(${PROJECT_SOURCE_DIR}/packaging/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(
    FILES ${PROJECT_BINARY_DIR}/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT headers)
endforeach()

# Debian packages: cpack -G DEB
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hemlock)
set(CPACK_PACKAGE_VENDOR "Hemlock")
set(CPACK_PACKAGE_CONTACT "The Hemlock maintainers <hemlock@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compact fair locks for C++ and C")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL library headers tools)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libhemlock${PROJECT_VERSION_MAJOR})
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The shared library: the C API, and the threads' records.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/packaging/triggers")

set(CPACK_DEBIAN_HEADERS_PACKAGE_NAME libhemlock-dev)
set(CPACK_DEBIAN_HEADERS_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_HEADERS_DESCRIPTION "Headers, CMake and pkg-config files, and a printer for gdb.")
set(CPACK_DEBIAN_HEADERS_PACKAGE_DEPENDS "libhemlock${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME hemlock-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "The hemlock tool and the library that puts our locks under any program.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
include(CPack)
