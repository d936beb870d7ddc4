#include "study/shadow/slurm_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/output/atomic_file.hpp"
#include "engine/output/output_file.hpp"
#include "study/common/file_source.hpp"
#include "study/common/program_output.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

// The answer of a program.
class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}
  std::size_t read(char* to, std::size_t capacity) override {
    const auto count = std::min(capacity, text_.size());
    std::copy_n(text_.data(), count, to);
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
};

// Slurm prints times as its user wishes where this is set, which is no JSON of numbers.
constexpr std::array<std::string_view, 1> kWithout{"SLURM_TIME_FORMAT"};
constexpr ProgramLimits kLimits{std::chrono::seconds(30), std::size_t{1} << 30U};

// Why the program has given no answer; empty: it has.
std::string complaint_of(const std::string& name, const ProgramOutput& output) {
  using ProgramEnd = ProgramOutput::ProgramEnd;
  switch (output.how) {
    case ProgramEnd::kNotThere:
      return fmt::format(
          "there is no program {}: run berth where Slurm's commands are, "
          "or look at a recording with --from",
          name);
    case ProgramEnd::kTooLate:
      return fmt::format("{} has not answered within 30 s", name);
    case ProgramEnd::kTooLong:
      return fmt::format("{} answers with more than 1 GiB", name);
    case ProgramEnd::kEnded: break;
  }
  if (output.status == 0) return {};
  const auto line = output.complaint.substr(0, output.complaint.find('\n'));
  return fmt::format("{} failed with status {}{}{}", name, output.status,
                     line.empty() ? "" : ": ", printable(line));
}

bool is_look(const std::string& name) {
  return name.find("squeue") != name.npos && name.ends_with(".json");
}

using Read = void (*)(ByteSource&, const std::string&, ClusterState&, Budget&);

void read_file(const fs::path& path, Read read, ClusterState& state) {
  FileSource file(path.string());
  Budget budget;
  read(file, path.string(), state, budget);
}

struct SlurmCommand {
  std::vector<std::string> words;
  Read read;
};

struct SlurmFailure {
  std::string complaint{};  // empty: there is none
  bool is_lasting = false;
};

// Adds what the command answers to the state.
SlurmFailure add_answer(const SlurmCommand& command, ClusterState& state) {
  const auto& name = command.words.front();
  const auto output = output_of_program(command.words, kLimits, kWithout);
  SlurmFailure failure{complaint_of(name, output),
                       output.how == ProgramOutput::ProgramEnd::kNotThere};
  if (!failure.complaint.empty()) return failure;
  TextSource text(output.text);
  Budget budget;
  try {
    command.read(text, name, state, budget);
  } catch (const Error& error) {
    failure.complaint = error.what();
  }
  return failure;
}

}  // namespace

LiveSlurm::SlurmAnswer LiveSlurm::ask() {
  SlurmAnswer answer;
  ClusterState state;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::array<SlurmCommand, 2> commands{
      {{{"sinfo", "--json"}, read_sinfo}, {{"squeue", "--json"}, read_squeue}}};
  for (const auto& command : commands) {
    const auto failure = add_answer(command, state);
    answer.complaint = failure.complaint;
    answer.is_lasting = failure.is_lasting;
    if (!answer.complaint.empty()) return answer;
  }
  state.at = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  answer.state = std::move(state);
  if (has_usage_) add_usage(answer);
  has_answered_ = true;
  return answer;
}

void LiveSlurm::add_usage(SlurmAnswer& answer) {
  const auto at = answer.state->at;
  const auto failure =
      add_answer({{"sshare", "--all", "--json"}, read_sshare}, *answer.state);
  answer.state->at = at;
  if (failure.complaint.empty()) return;
  answer.state->usage.reset();
  answer.remark = failure.complaint;
  has_usage_ = has_answered_;
}

bool is_recording(const fs::path& folder) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (is_look(entry.path().filename().string())) return true;
  }
  return false;
}

SlurmRecording::SlurmRecording(fs::path folder) : folder_(std::move(folder)) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder_, failed)) {
    auto name = entry.path().filename().string();
    if (is_look(name)) looks_.push_back(std::move(name));
  }
  std::sort(looks_.begin(), looks_.end());
  if (!looks_.empty()) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format("{}: {}", printable_name(folder_.string()),
                  failed ? failed.message()
                         : std::string("there is no look in this folder, such as "
                                       "000001.squeue.json")));
}

std::optional<ClusterState> SlurmRecording::next() {
  if (next_ == looks_.size()) return std::nullopt;
  const auto& name = looks_[next_++];
  ClusterState state;
  read_file(folder_ / name, read_squeue, state);
  auto other = name;
  other.replace(other.find("squeue"), 6, "sinfo");
  const auto jobs_at = state.at;
  if (std::error_code failed; fs::is_regular_file(folder_ / other, failed)) {
    read_file(folder_ / other, read_sinfo, state);
    nodes_ = state.nodes;
  } else if (nodes_.empty()) {
    throw Error(ErrorCode::kInput,
                fmt::format("{}: there is no {} beside it, and none before",
                            printable_name((folder_ / name).string()), other));
  }
  state.nodes = nodes_;
  other.replace(other.find("sinfo", name.find("squeue")), 5, "sshare");
  if (std::error_code failed; fs::is_regular_file(folder_ / other, failed)) {
    read_file(folder_ / other, read_sshare, state);
  }
  if (jobs_at > 0) state.at = jobs_at;
  return state;
}

SlurmRecorder::SlurmRecorder(fs::path folder) : folder_(std::move(folder)) {
  make_output_folder(folder_);
  if (!is_recording(folder_)) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("--save: {} has looks already: name another folder",
                          printable_name(folder_.string())));
}

void SlurmRecorder::keep(const ClusterState& state) {
  ++looks_;
  const auto path = [&](std::string_view what) {
    return folder_ / fmt::format("{:06}.{}.json", looks_, what);
  };
  AtomicFile nodes(path("sinfo"), Existing::kRefuse);
  write_sinfo(state, nodes);
  nodes.commit();
  if (state.usage) {
    AtomicFile usage(path("sshare"), Existing::kRefuse);
    write_sshare(state, usage);
    usage.commit();
  }
  AtomicFile jobs(path("squeue"), Existing::kRefuse);
  write_squeue(state, jobs);
  jobs.commit();
}

}  // namespace berth::study
