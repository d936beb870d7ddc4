#include "study/common/exit_code.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "engine/base/error.hpp"

namespace berth::study {

Failure failure_now() {
  try {
    throw;
  } catch (const Error& error) {
    return {static_cast<int>(error.code()), error.what()};
  } catch (const Interrupted&) {
    return {kInterruptedCode, "interrupted"};
  } catch (const std::bad_alloc&) {
    return {kDefectCode, "the machine has no memory left for this run"};
  } catch (const std::exception& error) {
    return {kDefectCode, std::string("a defect of berth: ") + error.what()};
  }
}

int worst_code(std::span<const int> codes) {
  constexpr std::array kWorstFirst = {70, 130, 8, 1, 7, 6, 5, 4, 3, 2};
  for (const int code : kWorstFirst) {
    if (std::find(codes.begin(), codes.end(), code) != codes.end()) return code;
  }
  return kDone;
}

}  // namespace berth::study
