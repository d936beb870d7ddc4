set(CHECK tests_listed)
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect(in_order FILES
  tests/CMakeLists.txt "set(sources\n  base/time.test.cpp\n)"
  tests/base/time.test.cpp "TEST_SUITE(\"base/time\") {}")
expect(not_listed
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
