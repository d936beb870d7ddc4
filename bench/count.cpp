// What .ci/count counts the instructions of: one run of EASY, in Lua or as a list.
//
// bench_count lua|list

#include <fmt/format.h>

#include <string_view>

#include "bench/schedules.hpp"
#include "bench/works.hpp"

using namespace berth;

int main(int count, char** arguments) {
  const std::string_view which = count == 2 ? arguments[1] : "";
  if (which != "lua" && which != "list") {
    fmt::print(stderr, "bench_count lua|list\n");
    return 2;
  }
  const auto work = bench::kth(1);
  const auto runner =
      which == "lua" ? bench::lua(work, "easy") : bench::list_easy(work);
  (void)runner.seconds();
  fmt::print("{}\n", work.name);
  return 0;
}
