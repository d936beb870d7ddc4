#pragma once
// Where the states of a Slurm come from: a Slurm that is asked, or a recording.
//
// Asks by `squeue --json`, `sinfo --json` and `sshare --all --json` alone, which change
// nothing.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "study/slurm/slurm_state.hpp"

namespace berth::study {

// A Slurm that answers commands.
class LiveSlurm {
 public:
  // What it says now; else why it says nothing, for a message.
  struct SlurmAnswer {
    std::optional<ClusterState> state{};
    std::string complaint{};
    std::string remark{};     // why there is no usage in the state; for a message
    bool is_lasting = false;  // asking again is of no use: there is no such program
  };
  // Throws Interrupted.  A Slurm that says nothing of usage at first is not asked for
  // it again.
  [[nodiscard]] SlurmAnswer ask();

 private:
  void add_usage(SlurmAnswer& answer);

  bool has_answered_ = false;
  bool has_usage_ = true;  // as far as is known
};

// Whether the folder has looks of a recording.
[[nodiscard]] bool is_recording(const std::filesystem::path& folder);

// The looks of a folder: each NAME with "squeue" in it, by name, beside the file of the
// same name with "sinfo" in its place; without one, the last there was.  One with
// "sshare" in its place has the usage; without one, it is not told.
class SlurmRecording {
 public:
  // Throws Error{kInput} for a folder without such files.
  explicit SlurmRecording(std::filesystem::path folder);

  // nullopt: there are no more.  Throws Error{kInput} for a file that is no answer of
  // Slurm's, and where no sinfo is there.
  [[nodiscard]] std::optional<ClusterState> next();

 private:
  std::filesystem::path folder_;
  std::vector<std::string> looks_;  // names of the files of squeue
  std::size_t next_ = 0;
  std::vector<SlurmNode> nodes_;  // of the last sinfo
};

// Keeps looks in a folder, "000001.squeue.json" and "000001.sinfo.json" of the first,
// and "000001.sshare.json" if it has usage.
class SlurmRecorder {
 public:
  // Makes the folder.  Throws Error{kUsage} where it has a look already.
  explicit SlurmRecorder(std::filesystem::path folder);
  // Throws Error{kOutput}.
  void keep(const ClusterState& state);

 private:
  std::filesystem::path folder_;
  std::int64_t looks_ = 0;
};

}  // namespace berth::study
