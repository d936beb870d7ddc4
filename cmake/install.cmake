# What `cmake --install` puts down: the program with its policies and the script of its
# reports; the C interface, as a shared library with its header, for pkg-config (berth) and
# for find_package(berth COMPONENTS c), as berth::c; with BERTH_INSTALL the engine, too,
# which other projects find by find_package(berth) and link as berth::engine.

include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/berth)

install(TARGETS berth RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(DIRECTORY maps policies DESTINATION ${CMAKE_INSTALL_DATADIR}/berth COMPONENT runtime)
install(DIRECTORY report/dist/ DESTINATION ${CMAKE_INSTALL_DATADIR}/berth/report
        COMPONENT runtime)

if(BERTH_INSTALL)
  get_property(folders GLOBAL PROPERTY BERTH_FOLDERS)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(TARGETS ${folders} berth_engine EXPORT berth
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY engine DESTINATION include/berth FILES_MATCHING PATTERN "*.hpp")
  install(EXPORT berth NAMESPACE berth:: FILE berth-targets.cmake DESTINATION ${package})
endif()

install(TARGETS berth_capi EXPORT berth-c
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
                NAMELINK_COMPONENT development)
set_target_properties(berth_capi PROPERTIES EXPORT_NAME c)
install(FILES capi/berth.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT berth-c NAMESPACE berth:: FILE berth-c-targets.cmake DESTINATION ${package}
        COMPONENT development)
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(capi/berth.pc.in ${CMAKE_CURRENT_BINARY_DIR}/berth.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/berth.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

configure_package_config_file(cmake/berth-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/berth-config.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/berth-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/berth-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/berth-config-version.cmake
        DESTINATION ${package} COMPONENT development)
