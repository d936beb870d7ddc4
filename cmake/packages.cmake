# Packages, by `cmake --workflow --preset package`: four .deb, an archive of all their
# files, a wheel, and checksums, in build/package.  They hold what build/release made, so
# that what was tested there is what is given away.  The components are those of
# cmake/install.cmake; here are the Python package, the documentation, and what the system
# wants to know of each.

# fmt and toml++ are linked in: their names differ from system to system.  The linker finds
# all that is asked of the shared libraries defined here, and leaves them out.
add_library(berth_linked_in OBJECT cmake/linked_in/fmt.cpp cmake/linked_in/toml.cpp)
target_link_libraries(berth_linked_in PRIVATE fmt::fmt tomlplusplus::tomlplusplus)
target_compile_features(berth_linked_in PRIVATE cxx_std_20)
# As all that is linked with them: of ordinary objects the linker would list the templates
# of the standard library among the names of libberth.so.
target_compile_options(berth_linked_in PRIVATE ${BERTH_WHOLE})
set_property(TARGET berth_linked_in PROPERTY POSITION_INDEPENDENT_CODE ON)
foreach(target berth berth_capi)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:berth_linked_in>)
  target_link_options(${target} PRIVATE -Wl,--as-needed)
endforeach()

# The man pages and completions, from what the program prints; without scdoc there are no
# man pages.  They are written anew each time, for they have the date of the commit.
find_program(BERTH_SCDOC scdoc)
find_program(BERTH_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
set(made ${CMAKE_CURRENT_BINARY_DIR}/packaged)
set(share ${CMAKE_INSTALL_DATADIR})
set(pages "")
if(BERTH_SCDOC AND BERTH_PYTHON)
  set(pages ${BERTH_PYTHON})
else()
  message(STATUS "without scdoc or /usr/bin/python3: packages have no man pages")
endif()
add_custom_target(berth_pages
  COMMAND ${CMAKE_COMMAND} -D PYTHON=${pages} -D PROGRAM=$<TARGET_FILE:berth>
          -D VERSION=${PROJECT_VERSION} -D SOURCES=${PROJECT_SOURCE_DIR} -D FOLDER=${made}
          -P ${PROJECT_SOURCE_DIR}/cmake/package/pages.cmake
  DEPENDS berth COMMENT "Writing man pages and completions" VERBATIM)
install(DIRECTORY ${made}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT runtime
        OPTIONAL PATTERN man3 EXCLUDE)
install(DIRECTORY ${made}/man/man3 DESTINATION ${CMAKE_INSTALL_MANDIR}
        COMPONENT development OPTIONAL)
install(FILES ${made}/berth.bash DESTINATION ${share}/bash-completion/completions
        RENAME berth COMPONENT runtime OPTIONAL)
install(FILES ${made}/berth.zsh DESTINATION ${share}/zsh/vendor-completions
        RENAME _berth COMPONENT runtime OPTIONAL)
install(FILES ${made}/berth.fish DESTINATION ${share}/fish/vendor_completions.d
        COMPONENT runtime OPTIONAL)

install(FILES scenarios/quickstart.toml DESTINATION ${share}/doc/berth/examples
        COMPONENT runtime)
install(FILES README.md CHANGELOG.md DESTINATION ${share}/doc/berth COMPONENT runtime)
install(DIRECTORY docs/ DESTINATION ${share}/doc/berth/docs COMPONENT runtime
        FILES_MATCHING PATTERN "*.md" PATTERN examples EXCLUDE PATTERN images EXCLUDE
        PATTERN meta EXCLUDE)
install(DIRECTORY python/berth DESTINATION lib/python3/dist-packages COMPONENT python
        FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed"
        PATTERN __pycache__ EXCLUDE)

# What Debian asks of every package: who may copy it, and what changed.
foreach(package IN ITEMS runtime:berth library:libberth1 development:libberth-dev
                         python:python3-berth)
  string(REGEX MATCH "^[^:]+" component ${package})
  string(REGEX REPLACE "^[^:]+:" "" name ${package})
  install(FILES cmake/package/copyright DESTINATION ${share}/doc/${name}
          COMPONENT ${component})
  install(FILES ${made}/changelog.gz DESTINATION ${share}/doc/${name}
          COMPONENT ${component} OPTIONAL)
  string(TOUPPER ${component} of)
  set(CPACK_DEBIAN_${of}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${of}_DEBUGINFO_PACKAGE OFF)
endforeach()

set(CPACK_PACKAGE_NAME berth)
set(CPACK_PACKAGE_VENDOR "the berth authors")
set(CPACK_PACKAGE_CONTACT "the berth authors <berth@packages.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "sandbox for cluster-scheduling policies")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_SYSTEM_NAME ${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_FILE_NAME berth-${PROJECT_VERSION}-${CPACK_SYSTEM_NAME})
set(CPACK_COMPONENTS_ALL runtime library development python)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package/date.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package/last.cmake)
set(CPACK_BERTH_SOURCES ${PROJECT_SOURCE_DIR})
set(CPACK_BERTH_PYTHON ${BERTH_PYTHON})
set(CPACK_BERTH_LIBRARY ${PROJECT_BINARY_DIR}/capi/libberth.so.${PROJECT_VERSION})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(same "(= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
"compare scheduling policies for clusters
A policy is one Lua file that decides which job runs where and when.  A
discrete-event engine replays a trace or a synthetic workload under it, and
an independent auditor checks the schedule against the rules of the model.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "coinor-libcbc3, coinor-libclp1, libberth-dev")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
"scheduling policies and simulated clusters, from C (library)
The shared library of berth: runs driven pass by pass, every call of the
policy interface, results and studies, and environments for agents.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "berth ${same}")  # its policies
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/package/triggers
                                               ${made}/shlibs)
file(CONFIGURE OUTPUT ${made}/shlibs
     CONTENT "libberth 1 libberth1 (>= ${PROJECT_VERSION})\n")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"scheduling policies and simulated clusters, from C (development)
The header of libberth, what pkg-config and CMake know of it, and the manual
page of its calls.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libberth1 ${same}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
"scheduling policies and simulated clusters, from Python
Runs, sweeps and their results, policies as classes, and environments for
learning agents, with Gymnasium where it is installed.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.9), libberth1 (>= ${PROJECT_VERSION}), berth (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS python3-numpy)
include(CPack)
