// In place of study/hosts/host_formats.cpp: a page has no file of hosts.

#include "study/hosts/host_formats.hpp"

#include "engine/base/error.hpp"

namespace berth::study {

HostList read_hosts_file(const std::string& given, Budget&) {
  throw Error(ErrorCode::kUsage, given + ": a page reads no file of hosts");
}

}  // namespace berth::study
