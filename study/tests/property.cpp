#include "study/tests/property.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/explain/words.hpp"
#include "engine/jobs/label.hpp"

namespace berth::study {

namespace {

using bindings::PolicyCase;

constexpr std::int64_t kMostRuns = 4000;  // of a search for a smaller case

class Draw {
 public:
  Draw(std::int64_t seed, std::int64_t run)
      : stream_(random_stream(static_cast<std::uint64_t>(seed + run), "test.jobs")) {}

  std::int64_t from(std::int64_t low, std::int64_t high) {
    return boost::random::uniform_int_distribution<std::int64_t>(low, high)(stream_);
  }
  // From 1 to `most`: as often in [1, 2) as in [2, 4), [4, 8) and so on.
  std::int64_t small(std::int64_t most) {
    std::int64_t doublings = 0;
    while ((std::int64_t{2} << doublings) <= most) ++doublings;
    const auto low = std::int64_t{1} << from(0, doublings);
    return from(low, std::min(most, 2 * low - 1));
  }

 private:
  RandomEngine stream_;
};

}  // namespace

PolicyCase drawn(const PolicyCase& property, std::int64_t run) {
  const auto& wanted = *property.random;
  Draw draw(wanted.seed, run);
  auto made = property;
  made.jobs.reserve(static_cast<std::size_t>(wanted.jobs));
  const auto processors = *property.processors;
  double area = 0;
  for (std::int64_t id = 1; id <= wanted.jobs; ++id) {
    Job job;
    job.id = id;
    job.size = static_cast<std::int32_t>(draw.small(processors));
    const auto length = draw.small(wanted.longest);
    const bool is_exact = draw.from(0, 2) == 0 || wanted.exact;
    job.length = seconds(length);
    job.walltime =
        is_exact ? job.length : seconds(length * draw.from(1, 4) + draw.from(0, 3));
    job.user = static_cast<std::int32_t>(draw.from(1, wanted.users));
    area += job.size * static_cast<double>(length);
    made.jobs.push_back(job);
  }
  // A third come with the one before; the gaps make the load.
  const double mean =
      area / (wanted.load * processors * static_cast<double>(wanted.jobs));
  const auto longest_gap =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(3 * mean));
  std::int64_t submit = 0;
  for (auto& job : made.jobs) {
    if (draw.from(0, 2) != 0) submit += draw.from(0, longest_gap);
    job.submit = seconds(submit);
  }
  return made;
}

// --- a failure ---

namespace {

// What is wrong with these jobs; empty: nothing.
std::string problem_of(const PolicyCase& jobs, bindings::CaseFile& file,
                       std::size_t number, const CaseSubject& subject,
                       ErrorCode& code) {
  code = ErrorCode::kAudit;
  try {
    return judge(file, number, jobs, subject);
  } catch (const Error& error) {
    code = error.code();
    return error.what();
  }
}

}  // namespace

std::optional<Counterexample> find_failure(bindings::CaseFile& file, std::size_t number,
                                           const CaseSubject& subject,
                                           std::int64_t from, std::int64_t to) {
  for (auto run = from; run < to; ++run) {
    throw_if_interrupted();
    Counterexample found{run, drawn(file.cases()[number], run), {}};
    found.says = problem_of(found.jobs, file, number, subject, found.code);
    if (!found.says.empty()) return found;
  }
  return std::nullopt;
}

// --- a smaller one ---

namespace {

// Else other settings make the processors: hosts, a network.
bool says_processors(const PolicyCase& made) {
  return std::any_of(made.settings.begin(), made.settings.end(), [](const auto& each) {
    return each.first == "processors" || each.first == "machine.processors";
  });
}

class Shrinking {
 public:
  using Fails = std::function<bool(const PolicyCase&)>;
  Shrinking(PolicyCase& found, const Fails& fails) : found_(found), fails_(fails) {}

  // Until nothing can be made smaller.
  void run() {
    bool is_smaller = true;
    while (is_smaller) {
      is_smaller = drop_jobs();
      is_smaller = forget_users() || is_smaller;
      is_smaller = shrink_machine() || is_smaller;
      is_smaller = shrink_numbers() || is_smaller;
    }
  }

 private:
  bool accept(PolicyCase&& smaller) {
    if (!fails_(smaller)) return false;
    found_ = std::move(smaller);
    return true;
  }

  static void renumber(PolicyCase& made) {
    for (std::size_t i = 0; i < made.jobs.size(); ++i) {
      made.jobs[i].id = static_cast<std::int64_t>(i + 1);
    }
  }

  // Parts of half the jobs, then of a quarter, and so on.
  bool drop_jobs() {
    bool is_smaller = false;
    for (auto part = found_.jobs.size() / 2; part >= 1; part /= 2) {
      is_smaller = drop_parts(part) || is_smaller;
    }
    return is_smaller;
  }

  bool drop_parts(std::size_t part) {
    bool is_smaller = false;
    for (std::size_t at = 0; at < found_.jobs.size() && found_.jobs.size() > 1;) {
      auto made = found_;
      const auto first = made.jobs.begin() + static_cast<std::ptrdiff_t>(at);
      const auto count = std::min(part, made.jobs.size() - at);
      made.jobs.erase(first, first + static_cast<std::ptrdiff_t>(count));
      renumber(made);
      if (!made.jobs.empty() && accept(std::move(made))) {
        is_smaller = true;
      } else {
        at += part;
      }
    }
    return is_smaller;
  }

  bool forget_users() {
    const auto& jobs = found_.jobs;
    if (jobs.front().user == kUnknown) return false;
    auto made = found_;
    for (auto& job : made.jobs) job.user = kUnknown;
    return accept(std::move(made));
  }

  bool shrink_machine() {
    bool is_smaller = false;
    if (!says_processors(found_)) return is_smaller;
    for (auto step = *found_.processors / 2; step >= 1; step /= 2) {
      const auto fewer = *found_.processors - step;
      if (fewer < 1) continue;
      auto made = found_;
      made.processors = fewer;
      for (auto& job : made.jobs) job.size = std::min(job.size, fewer);
      is_smaller = accept(std::move(made)) || is_smaller;
    }
    return is_smaller;
  }

  // Moves the number of one job towards `least`, by halves of what is between.
  template <class Value, class Set>
  bool lower(Value now, Value least, const Set& set) {
    bool is_smaller = false;
    for (auto step = now - least; step >= 1; step /= 2) {
      auto made = found_;
      set(made, static_cast<Value>(now - step));
      if (!accept(std::move(made))) continue;
      is_smaller = true;
      now = static_cast<Value>(now - step);
      step = 2 * (now - least);
    }
    return is_smaller;
  }

  bool shrink_numbers() {
    bool is_smaller = false;
    for (std::size_t i = 0; i < found_.jobs.size(); ++i) {
      is_smaller = lower_submit(i) || is_smaller;
      is_smaller = lower_size(i) || is_smaller;
      is_smaller = lower_length(i) || is_smaller;
      is_smaller = lower_walltime(i) || is_smaller;
    }
    return is_smaller;
  }

  // With all behind it, towards the job before it.
  bool lower_submit(std::size_t i) {
    const auto before = i == 0 ? Time{0} : found_.jobs[i - 1].submit;
    return lower(found_.jobs[i].submit / kSecond, before / kSecond,
                 [i](PolicyCase& made, std::int64_t value) {
                   const auto by = made.jobs[i].submit - seconds(value);
                   for (auto j = i; j < made.jobs.size(); ++j) {
                     made.jobs[j].submit -= by;
                   }
                 });
  }
  bool lower_size(std::size_t i) {
    return lower<std::int64_t>(found_.jobs[i].size, 1,
                               [i](PolicyCase& made, std::int64_t value) {
                                 made.jobs[i].size = static_cast<std::int32_t>(value);
                               });
  }
  // What the walltime has beyond it stays.
  bool lower_length(std::size_t i) {
    return lower<std::int64_t>(found_.jobs[i].length / kSecond, 1,
                               [i](PolicyCase& made, std::int64_t value) {
                                 auto& job = made.jobs[i];
                                 const auto over = job.walltime - job.length;
                                 job.length = seconds(value);
                                 job.walltime = job.length + over;
                               });
  }
  bool lower_walltime(std::size_t i) {
    return lower(found_.jobs[i].walltime / kSecond, found_.jobs[i].length / kSecond,
                 [i](PolicyCase& made, std::int64_t value) {
                   made.jobs[i].walltime = seconds(value);
                 });
  }

  PolicyCase& found_;
  const Fails& fails_;
};

}  // namespace

void shrink(Counterexample& found, bindings::CaseFile& file, std::size_t number,
            const CaseSubject& subject, std::int64_t& runs) {
  const auto is_limit = [](ErrorCode code) {
    return code == ErrorCode::kTime || code == ErrorCode::kMemory;
  };
  if (is_limit(found.code)) return;
  const auto most = runs + kMostRuns;
  const auto wanted = found.code;
  const Shrinking::Fails fails = [&](const PolicyCase& jobs) {
    if (runs >= most) return false;
    throw_if_interrupted();
    ++runs;
    auto code = ErrorCode::kAudit;
    const auto says = problem_of(jobs, file, number, subject, code);
    return !says.empty() && code == wanted;
  };
  Shrinking(found.jobs, fails).run();
  found.says = problem_of(found.jobs, file, number, subject, found.code);
}

// --- as text ---

namespace {

using GivenSettings = std::span<const std::pair<std::string, SettingValue>>;

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + "\"";
}

// The field, behind `above` bytes of the key, that the first of them are of: they are
// taken away.
std::string take_field(GivenSettings& settings, std::size_t above) {
  const auto& [key, value] = settings.front();
  const auto end = std::min(key.find('.', above), key.size());
  const auto name = key.substr(above, end - above);
  const bool is_number = name.find_first_not_of("0123456789") == std::string::npos;
  auto text = (is_number ? "[" + name + "]" : name) + " = ";
  if (end == key.size()) {
    const auto* word = std::get_if<std::string>(&value);
    text += word != nullptr ? quoted(*word) : text_of(value);
    settings = settings.subspan(1);
    return text;
  }
  const auto table = key.substr(0, end + 1);
  std::vector<std::string> fields;
  while (!settings.empty() && settings.front().first.starts_with(table)) {
    fields.push_back(take_field(settings, table.size()));
  }
  return text + fmt::format("{{ {} }}", fmt::join(fields, ", "));
}

}  // namespace

std::string as_case(const Counterexample& found, const PolicyCase& property) {
  const auto& made = found.jobs;
  auto text =
      fmt::format("  {{ {},", quoted(fmt::format("{}: workload {}", property.name,
                                                 property.random->seed + found.run)));
  if (says_processors(made)) text += fmt::format(" processors = {},", *made.processors);
  text += "\n    jobs = { ";
  for (std::size_t i = 0; i < made.jobs.size(); ++i) {
    const auto& job = made.jobs[i];
    text += i == 0 ? "" : i % 4 == 0 ? ",\n      " : ", ";
    text += fmt::format("{{ {}, {}, {}", seconds_text(job.submit), job.size,
                        seconds_text(job.length));
    if (job.walltime != job.length) {
      text += fmt::format(", {}", seconds_text(job.walltime));
    }
    if (job.user != kUnknown) {
      text += fmt::format(", user = {}", label_number(job.user));
    }
    text += " }";
  }
  text += " },\n";
  if (!made.parameters.empty()) {
    text += "    params = { ";
    bool is_first = true;
    for (const auto& [name, value] : made.parameters) {
      const bool is_bare = value == "true" || value == "false" ||
                           value.find_first_not_of("0123456789.-") == std::string::npos;
      text += fmt::format("{}{} = {}", is_first ? "" : ", ", name,
                          is_bare ? value : quoted(value));
      is_first = false;
    }
    text += " },\n";
  }
  for (GivenSettings rest = made.settings; !rest.empty();) {
    const bool is_told = rest.front().first == "processors";
    const auto field = take_field(rest, 0);
    if (!is_told) text += fmt::format("    {},\n", field);
  }
  const auto& holds = property.property.empty() ? property.name : property.property;
  text += fmt::format("    holds = {}", quoted(holds));
  if (!property.versus.empty()) {
    text += fmt::format(", versus = {}", quoted(property.versus));
  }
  return text + " },\n";
}

std::string waits_of(const Counterexample& found, const CaseSubject& subject) {
  constexpr std::size_t kShown = 6;
  std::vector<std::string> lines;
  try {
    const CaseBench bench(found.jobs, subject);
    const auto policy = bench.policy()();
    const std::span<const Job> all = bench.point().jobs;
    const auto add = [&](const Job& job, const ReasonLine& line) {
      if (line.from == line.to || lines.size() == kShown) return;
      lines.push_back(fmt::format("job {} from {} to {}: {}\n", job.id,
                                  seconds_text(line.from), seconds_text(line.to),
                                  words(line, all)));
    };
    for (const auto& each : explain_run(bench.point(), *policy, JobId{0})) {
      for (const auto& line : each.second.lines) add(all[index(each.first)], line);
    }
  } catch (const Error&) {
    lines.clear();  // it is told already what the policy did
  }
  return fmt::format("{}", fmt::join(lines, ""));
}

}  // namespace berth::study
