#pragma once
// A recording of a Slurm as a log: the jobs that began and ended while it was looked
// at; and its nodes as hosts.

#include <filesystem>

#include "engine/workload/formats/log.hpp"
#include "study/hosts/host_list.hpp"

namespace berth::study {

// Each job as the last look that lists it has it, read as a record of sacct is
// (docs/formats.md).  A job that never left the queue, or still runs, is counted among
// those that `rules` leave out.  Throws Error{kInput} as SlurmRecording and its looks.
[[nodiscard]] JobLog read_recording_as_log(const std::filesystem::path& folder,
                                           const LogOptions& options, Budget& budget);

// The nodes of the last look.  Throws likewise.
[[nodiscard]] HostList read_recording_as_hosts(const std::filesystem::path& folder,
                                               Budget& budget);

}  // namespace berth::study
