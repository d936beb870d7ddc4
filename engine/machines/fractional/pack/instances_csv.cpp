#include "engine/machines/fractional/pack/instances_csv.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/parsed_number.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/table_reader.hpp"

namespace berth::pack {

namespace {

enum Column : std::size_t { kInstance, kHosts, kJob, kTasks, kCpu, kMemory, kHost };
constexpr std::int64_t kMost = 1'000'000;

struct Row {
  JobNeeds needs;
  std::vector<int> present;  // empty: new
  TablePlace hosts;          // where `present` is
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, Budget& budget)
      : budget_(budget),
        table_(name, lines_of(text, budget),
               {{"instance"},
                {"hosts"},
                {"job"},
                {"tasks"},
                {"cpu"},
                {"memory"},
                {"host", false}},
               "unknown column") {}

  std::vector<Instance> run() {
    // Bounded: lines_of() charges each line.
    while (table_.next()) read_row();
    std::vector<Instance> instances;
    // Bounded: finished() charges each row.
    for (auto& draft : drafts_) instances.push_back(finished(draft));
    return instances;
  }

 private:
  struct Draft {
    std::int64_t number;
    int hosts;
    std::vector<Row> rows;
    std::map<std::int64_t, std::int64_t> line_of;  // by job
  };

  [[nodiscard]] int count(Column column) const {
    return static_cast<int>(table_.whole(column, 1, kMost));
  }

  void read_row() {
    auto& draft = draft_of_row();
    Row row{needs(), {}, {}};
    const auto [before, is_new] =
        draft.line_of.emplace(row.needs.number, table_.line());
    if (!is_new) {
      table_.wrong(table_.place(kJob),
                   fmt::format("job {} of instance {} twice; first on line {}",
                               row.needs.number, draft.number, before->second));
    }
    if (table_.has(kHost)) {
      row.hosts = table_.place(kHost);
      row.present = present(row.needs, draft.hosts);
    }
    draft.rows.push_back(std::move(row));
  }

  Draft& draft_of_row() {
    const auto instance = table_.whole(kInstance);
    const int hosts = count(kHosts);
    const auto [place, is_new] = place_of_.emplace(instance, drafts_.size());
    if (is_new) drafts_.push_back({instance, hosts, {}, {}});
    auto& draft = drafts_[place->second];
    if (draft.hosts != hosts) {
      table_.wrong(table_.place(kHosts),
                   fmt::format("instance {} has {} hosts above, {} here", instance,
                               draft.hosts, hosts));
    }
    return draft;
  }

  [[nodiscard]] JobNeeds needs() const {
    JobNeeds needs;
    needs.number = table_.whole(kJob);
    needs.tasks = count(kTasks);
    needs.cpu = table_.real(kCpu);
    needs.memory = table_.real(kMemory);
    if (!(needs.cpu > 0 && needs.cpu <= 1)) {
      table_.wrong(kCpu, fmt::format("{} is not above 0 and at most 1", needs.cpu));
    }
    if (needs.memory < 0) {
      table_.wrong(kMemory, fmt::format("{} is below 0", needs.memory));
    }
    return needs;
  }

  // The host that the word names, which begins behind so many bytes of its cell.
  [[nodiscard]] int host(std::string_view word, std::size_t behind, int hosts) const {
    const auto host = parse_whole(word);
    if (host.fault == NumberFault::kNone && host.value >= 0 && host.value < hosts) {
      return static_cast<int>(host.value);
    }
    table_.wrong(table_.place(kHost, behind),
                 fmt::format("host {} does not exist; there are 0 to {}",
                             printable(word), hosts - 1));
  }

  [[nodiscard]] std::vector<int> present(const JobNeeds& needs, int hosts) const {
    const auto text = table_.text(kHost);
    std::vector<int> present;
    // Bounded: the words of one field, which lines_of() charges.
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find(' ', at), text.size());
      if (end > at) present.push_back(host(text.substr(at, end - at), at, hosts));
      at = end + 1;
    }
    if (!present.empty() && present.size() != static_cast<std::size_t>(needs.tasks)) {
      table_.wrong(table_.place(kHost),
                   fmt::format("{} hosts for {} tasks", present.size(), needs.tasks));
    }
    return present;
  }

  [[nodiscard]] Instance finished(Draft& draft) const {
    budget_.charge_each(draft.rows.size());
    std::sort(draft.rows.begin(), draft.rows.end(), [](const Row& a, const Row& b) {
      return a.needs.number < b.needs.number;
    });
    std::vector<JobNeeds> jobs;
    Hosts hosts;
    std::map<int, double> memory;
    for (const auto& row : draft.rows) {
      jobs.push_back(row.needs);
      const auto tasks = static_cast<std::size_t>(row.needs.tasks);
      budget_.charge_each(tasks);
      if (row.present.empty()) hosts.insert(hosts.end(), tasks, kNoHost);
      hosts.insert(hosts.end(), row.present.begin(), row.present.end());
      for (const int host : row.present) {
        if ((memory[host] += row.needs.memory) <= 1 + kCapEps) continue;
        table_.wrong(row.hosts,
                     fmt::format("the jobs now on host {} of instance {} need more "
                                 "than its memory",
                                 host, draft.number));
      }
    }
    Problem problem{Items(std::move(jobs)), draft.hosts, std::move(hosts)};
    if (!has_present(problem)) problem.present.clear();
    return {draft.number, std::move(problem)};
  }

  Budget& budget_;
  TableReader table_;
  std::vector<Draft> drafts_;
  std::map<std::int64_t, std::size_t> place_of_;  // of an instance, in `drafts_`
};

// Where the tasks of a job are now; empty if it is new.
std::string present_text(const Problem& problem, int job) {
  std::string text;
  const auto& items = problem.items;
  if (!has_present(problem)) return text;
  // Bounded: the tasks of one job, which write_instances() charges.
  for (int task = items.first(job); task < items.first(job + 1); ++task) {
    if (problem.present[task] == kNoHost) return {};
    if (!text.empty()) text += ' ';
    text += std::to_string(problem.present[task]);
  }
  return text;
}

}  // namespace

std::vector<Instance> read_instances(std::string_view text, const std::string& name,
                                     Budget& budget) {
  return Reader(text, name, budget).run();
}

void write_instances(std::ostream& out, const std::vector<Instance>& instances,
                     Budget& budget) {
  const bool has_hosts = std::any_of(
      instances.begin(), instances.end(),
      [](const Instance& instance) { return has_present(instance.problem); });
  out << "instance,hosts,job,tasks,cpu,memory" << (has_hosts ? ",host\n" : "\n");
  for (const auto& [number, problem] : instances) {
    const auto& items = problem.items;
    for (int job = 0; job < items.jobs(); ++job) {
      const auto& needs = items.needs(job);
      budget.charge_each(1 + needs.tasks);
      fmt::print(out, "{},{},{},{},{},{}", number, problem.hosts, needs.number,
                 needs.tasks, needs.cpu, needs.memory);
      if (has_hosts) out << ',' << present_text(problem, job);
      out << '\n';
    }
  }
}

}  // namespace berth::pack
