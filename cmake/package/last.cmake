# Run by cpack after each kind of package: with the last one the wheel, of the library that
# is in the others, and always the checksums of all there is.
set(folder ${CPACK_PACKAGE_DIRECTORY})
if(CPACK_BERTH_PYTHON AND CPACK_GENERATOR STREQUAL "TGZ")
  # Stripped as in the other packages.
  set(library ${CPACK_TEMPORARY_DIRECTORY}/libberth.so.1)
  execute_process(COMMAND strip --strip-unneeded -o ${library} ${CPACK_BERTH_LIBRARY}
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CPACK_BERTH_PYTHON} ${CPACK_BERTH_SOURCES}/python/make_wheel.py
                  ${library} -o ${folder} COMMAND_ERROR_IS_FATAL ANY)
endif()
file(GLOB files RELATIVE ${folder} ${folder}/*.deb ${folder}/*.tar.gz ${folder}/*.whl)
list(SORT files)
set(sums "")
foreach(file IN LISTS files)
  file(SHA256 ${folder}/${file} sum)
  string(APPEND sums "${sum}  ${file}\n")
endforeach()
file(WRITE ${folder}/SHA256SUMS.part "${sums}")
file(RENAME ${folder}/SHA256SUMS.part ${folder}/SHA256SUMS)
