#pragma once
// The files of hosts that can be read, one list: what Slurm says of its nodes, a table,
// and the platforms of Batsim.

#include <span>
#include <string>
#include <string_view>

#include "engine/base/budget.hpp"
#include "engine/workload/byte_source.hpp"
#include "study/hosts/host_list.hpp"
#include "study/slurm/slurm_state.hpp"

namespace berth::study {

struct HostFormat {
  std::string_view name;
  std::string_view what;  // who writes it
  // Whether a file that begins so is one, without a byte order mark.
  bool (*matches)(std::string_view head);
  // Throws Error{kInput} "file:line:column: what".
  HostList (*read)(ByteSource& source, const std::string& file, Budget& budget);
};

[[nodiscard]] std::span<const HostFormat* const> host_formats();

// Unpacked bytes, in the format that they begin as.  Throws Error{kInput} with what
// they are instead: a log of jobs, a packed file, nothing that is known.
[[nodiscard]] HostList read_hosts(ByteSource& source, const std::string& file,
                                  Budget& budget);

// A file, plain or gzip, from where find_input() finds it; "-" is standard input.
[[nodiscard]] HostList read_hosts_file(const std::string& given, Budget& budget);

// A node of a Slurm as a host.
[[nodiscard]] ListedHost host_of(const SlurmNode& node);

}  // namespace berth::study
