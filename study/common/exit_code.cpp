#include "study/common/exit_code.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <system_error>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"

namespace berth::study {

namespace {

constexpr int kMemoryCode = static_cast<int>(ErrorCode::kMemory);

// The system does not do something with a file: it lacks one, or room, or the right.
Failure refused(const std::filesystem::filesystem_error& error) {
  return {static_cast<int>(ErrorCode::kOutput),
          message_text(error.path1().string() + ": " + error.code().message())};
}

}  // namespace

Failure failure_now() {
  try {
    throw;
  } catch (const Error& error) {
    return {static_cast<int>(error.code()), message_text(error.what())};
  } catch (const Interrupted&) {
    return {kInterruptedCode, "interrupted"};
  } catch (const std::bad_alloc&) {
    return {kMemoryCode,
            "memory limit: this computer, or ulimit -v, has no memory left for this "
            "run; make it smaller, or give it more"};
  } catch (const std::filesystem::filesystem_error& error) {
    return refused(error);
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again ||
        error.code() == std::errc::not_enough_memory) {
      return {kMemoryCode,
              "memory limit: this computer, or ulimit -v or -u, gives this run no "
              "further thread; give it more memory or processes"};
    }
    return {kDefectCode,
            message_text(std::string("a defect of berth: ") + error.what())};
  } catch (const std::exception& error) {
    return {kDefectCode,
            message_text(std::string("a defect of berth: ") + error.what())};
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
