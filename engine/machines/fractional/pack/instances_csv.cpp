#include "engine/machines/fractional/pack/instances_csv.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <istream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/csv_reader.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"

namespace berth::pack {

namespace {

enum Column : std::size_t { kInstance, kHosts, kJob, kTasks, kCpu, kMemory, kHost };
constexpr std::array<std::string_view, 7> kColumns = {
    "instance", "hosts", "job", "tasks", "cpu", "memory", "host"};
constexpr std::int64_t kMost = 1'000'000;

using Field = CsvField;
using Fields = std::span<const CsvField>;

struct Row {
  JobNeeds needs;
  std::vector<int> present;  // empty: new
  std::size_t line = 0;
  std::size_t column = 1;  // of `host`
};

class Reader {
 public:
  Reader(std::istream& in, const std::string& name, Budget& budget)
      : in_(in),
        name_(name),
        budget_(budget),
        rows_(name, [this] { return next_line(); }) {}

  std::vector<Instance> run() {
    const auto heading = rows_.next();
    if (!heading) fail(1, "expected the heading instance,hosts,job,tasks,cpu,memory");
    read_heading(*heading);
    // Bounded: next_line() charges each line.
    while (const auto row = rows_.next()) read_row(*row);
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
    std::map<std::int64_t, std::size_t> line_of;  // by job
  };

  std::optional<std::string_view> next_line() {
    if (!std::getline(in_, text_)) return std::nullopt;
    budget_.charge_each(1 + text_.size());
    if (!text_.empty() && text_.back() == '\r') text_.pop_back();
    return text_;
  }

  [[noreturn]] void fail(std::size_t column, const std::string& what) const {
    fail_at(static_cast<std::size_t>(rows_.line()), column, what);
  }
  [[noreturn]] void fail_at(std::size_t line, std::size_t column,
                            const std::string& what) const {
    throw Error(ErrorCode::kInput,
                fmt::format("{}:{}:{}: {}", name_, line, column, what));
  }

  void read_heading(Fields fields) {
    heading_.clear();
    // Bounded: the fields of one line.
    for (const auto& field : fields) {
      const auto found = std::find(kColumns.begin(), kColumns.end(), field.text);
      if (found == kColumns.end()) {
        fail(field.column, fmt::format("unknown column '{}'{}", printable(field.text),
                                       did_you_mean(field.text, kColumns)));
      }
      const auto column = static_cast<Column>(found - kColumns.begin());
      if (std::find(heading_.begin(), heading_.end(), column) != heading_.end()) {
        fail(field.column, fmt::format("column '{}' twice", field.text));
      }
      heading_.push_back(column);
    }
    // Bounded: the columns that there are.
    for (std::size_t column = 0; column < kHost; ++column) {
      if (std::find(heading_.begin(), heading_.end(), column) != heading_.end())
        continue;
      fail(1, fmt::format("column '{}' is missing", kColumns.at(column)));
    }
  }

  template <class Number>
  [[nodiscard]] Number number(const Field& field, Column column) const {
    Number value{};
    const char* end = field.text.data() + field.text.size();
    const auto [stop, problem] = std::from_chars(field.text.data(), end, value);
    if (problem != std::errc() || stop != end) {
      fail(field.column,
           fmt::format("{}: '{}' is no {}", kColumns.at(column), printable(field.text),
                       std::is_integral_v<Number> ? "whole number" : "number"));
    }
    return value;
  }

  [[nodiscard]] int count(const Field& field, Column column) const {
    const auto value = number<std::int64_t>(field, column);
    if (value < 1 || value > kMost) {
      fail(field.column, fmt::format("{} is {}; expected 1 to {}", kColumns.at(column),
                                     value, kMost));
    }
    return static_cast<int>(value);
  }

  void read_row(Fields split_line) {
    if (split_line.size() != heading_.size()) {
      fail(1, fmt::format("{} fields; the heading has {}", split_line.size(),
                          heading_.size()));
    }
    std::array<Field, kColumns.size()> fields;
    // Bounded: the fields of one line.
    for (std::size_t i = 0; i < split_line.size(); ++i) {
      fields.at(heading_[i]) = split_line[i];
    }
    auto& draft = draft_of(fields);
    Row row;
    row.line = static_cast<std::size_t>(rows_.line());
    row.column = fields[kHost].column;
    row.needs = needs(fields);
    const auto [before, is_new] = draft.line_of.emplace(row.needs.number, row.line);
    if (!is_new) {
      fail(fields[kJob].column,
           fmt::format("job {} of instance {} twice; first on line {}",
                       row.needs.number, draft.number, before->second));
    }
    row.present = present(fields[kHost], row.needs, draft.hosts);
    draft.rows.push_back(std::move(row));
  }

  Draft& draft_of(const std::array<Field, kColumns.size()>& fields) {
    const auto instance = number<std::int64_t>(fields[kInstance], kInstance);
    const int hosts = count(fields[kHosts], kHosts);
    const auto [place, is_new] = place_of_.emplace(instance, drafts_.size());
    if (is_new) drafts_.push_back({instance, hosts, {}, {}});
    auto& draft = drafts_[place->second];
    if (draft.hosts != hosts) {
      fail(fields[kHosts].column, fmt::format("instance {} has {} hosts above, {} here",
                                              instance, draft.hosts, hosts));
    }
    return draft;
  }

  [[nodiscard]] JobNeeds needs(const std::array<Field, kColumns.size()>& fields) const {
    JobNeeds needs;
    needs.number = number<std::int64_t>(fields[kJob], kJob);
    needs.tasks = count(fields[kTasks], kTasks);
    needs.cpu = number<double>(fields[kCpu], kCpu);
    needs.memory = number<double>(fields[kMemory], kMemory);
    if (!(needs.cpu > 0 && needs.cpu <= 1)) {
      fail(fields[kCpu].column,
           fmt::format("cpu is {}; expected above 0 and at most 1", needs.cpu));
    }
    if (!(needs.memory >= 0) || !std::isfinite(needs.memory)) {
      fail(fields[kMemory].column,
           fmt::format("memory is {}; expected a finite number, at least 0",
                       needs.memory));
    }
    return needs;
  }

  [[nodiscard]] std::vector<int> present(const Field& field, const JobNeeds& needs,
                                         int hosts) const {
    std::vector<int> present;
    // Bounded: the words of one field, which next_line() charges.
    for (std::size_t at = 0; at < field.text.size();) {
      const auto end = std::min(field.text.find(' ', at), field.text.size());
      const Field here{field.text.substr(at, end - at), field.column + at};
      at = end + 1;
      if (here.text.empty()) continue;
      const auto host = number<std::int64_t>(here, kHost);
      if (host < 0 || host >= hosts) {
        fail(here.column,
             fmt::format("host {} does not exist; there are 0 to {}", host, hosts - 1));
      }
      present.push_back(static_cast<int>(host));
    }
    if (!present.empty() && present.size() != static_cast<std::size_t>(needs.tasks)) {
      fail(field.column,
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
        fail_at(row.line, row.column,
                fmt::format("the jobs now on host {} of instance {} need more than its "
                            "memory",
                            host, draft.number));
      }
    }
    Problem problem{Items(std::move(jobs)), draft.hosts, std::move(hosts)};
    if (!has_present(problem)) problem.present.clear();
    return {draft.number, std::move(problem)};
  }

  std::istream& in_;
  const std::string& name_;
  Budget& budget_;
  std::string text_;  // of the line read last
  CsvReader rows_;
  std::vector<std::size_t> heading_;  // columns by place
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

std::vector<Instance> read_instances(std::istream& in, const std::string& name,
                                     Budget& budget) {
  return Reader(in, name, budget).run();
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
