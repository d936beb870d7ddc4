set(CHECK listed)
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect(in_order FILES
  engine/base/CMakeLists.txt "add_library(base\n    time.cpp)"
  engine/base/time.cpp "int a;"
  tests/CMakeLists.txt "set(sources\n  base/time.test.cpp\n)"
  tests/base/time.test.cpp "TEST_SUITE(\"base/time\") {}")
expect(source_not_listed
  FILES engine/base/CMakeLists.txt "berth_folder(base SOURCES\n    own_time.cpp)"
        engine/base/time.cpp "int a;"
        engine/base/own_time.cpp "int b;"
  FINDS "engine/base/time.cpp is not listed")
expect(folder_without_a_list
  FILES study/time.cpp "int a;"
  FINDS "study/time.cpp is not listed")
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/machines.cmake)
set(records ${BERTH_MACHINES})
list(REMOVE_ITEM records network)
list(TRANSFORM records APPEND "_record()")
list(JOIN records ", " records)
set(units tests/CMakeLists.txt "set(sources\n)" engine/machines/CMakeLists.txt "list.cpp")
expect(each_machine_once FILES ${units}
  engine/machines/list.cpp "a{${records}, network_record()}@")
expect(machine_without_a_record FILES ${units}
  engine/machines/list.cpp "ModelRecord network_record()@\na{${records}}@"
  FINDS "names network, and engine/machines/list.cpp has 0 records of it")
expect(machine_with_two_records FILES ${units}
  engine/machines/list.cpp "a{${records}, network_record(), network_record()}@"
  FINDS "has 2 records of it")
expect(test_not_listed
  FILES tests/CMakeLists.txt "set(sources\n  # base/time.test.cpp\n)"
        tests/base/time.test.cpp "TEST_SUITE(\"base/time\") {}"
  FINDS "tests/base/time.test.cpp is not listed")
expect(another_suite
  FILES tests/CMakeLists.txt "set(sources\n  base/time.test.cpp\n)"
        tests/base/time.test.cpp "TEST_SUITE(\"time\") {}"
  FINDS "tests/base/time.test.cpp should be")
expect(no_suite
  FILES tests/CMakeLists.txt "set(sources\n  base/time.test.cpp\n)"
        tests/base/time.test.cpp "TEST_CASE(\"alone\") {}"
  FINDS "tests/base/time.test.cpp has no TEST_SUITE")
