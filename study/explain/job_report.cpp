#include "study/explain/job_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/duration_text.hpp"
#include "engine/base/printable.hpp"
#include "engine/compare/text_table.hpp"
#include "engine/explain/words.hpp"
#include "engine/jobs/label.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kRemedyColumns = 26;
constexpr std::size_t kShownOvertakers = 5;

std::vector<std::string> wrapped(const std::string& text, std::size_t columns) {
  std::vector<std::string> lines{""};
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find(' ', at), text.size());
    auto& line = lines.back();
    const auto word = text.substr(at, end - at);
    if (line.empty()) {
      line = word;
    } else if (line.size() + 1 + word.size() <= columns) {
      line += " " + word;
    } else {
      lines.push_back(word);
    }
    at = end + 1;
  }
  return lines;
}

struct Row {
  std::string from;
  std::string to;
  std::string passes;
  std::string why;
  std::string remedy;
};

std::string why_words(const ReasonLine& line, std::span<const Job> jobs) {
  const auto slurm = line.first.why.record().slurm;
  auto text = plain_text(words(line, jobs), Newlines::kEscape);
  return slurm.empty() ? text : fmt::format("{} [{}]", text, slurm);
}

Row last_row(const ExplainedJob& explained, std::span<const Job> jobs) {
  using Fate = ExplainedJob::Fate;
  if (explained.fate == Fate::kRejected) {
    const auto& said = explained.rejected_because;
    return {
        seconds_text(*explained.ended), "", "",
        explained.rejected_by_machine
            ? std::string("rejected: the machine can never run it")
            : fmt::format("rejected by {}{}", explained.rejected_by,
                          said.empty()
                              ? ""
                              : ": \"" + plain_text(said, Newlines::kEscape) + "\""),
        ""};
  }
  if (explained.begin) {
    return {seconds_text(explained.begin->at), "", "",
            plain_text(words(*explained.begin, jobs), Newlines::kEscape), ""};
  }
  return {"", "", "",
          explained.submitted ? "never started: nothing can happen any more"
                              : "never submitted: it is held to the end",
          ""};
}

std::vector<Row> rows_of(const ExplainedJob& explained, std::span<const Job> jobs) {
  std::vector<Row> rows;
  bool has_begun = false;
  for (const auto& line : explained.lines) {
    if (explained.begin && !has_begun && line.from >= explained.begin->at) {
      rows.push_back(last_row(explained, jobs));
      has_begun = true;
    }
    rows.push_back({seconds_text(line.from), seconds_text(line.to),
                    fmt::format("{}", line.passes), why_words(line, jobs),
                    remedy_words(line)});
  }
  if (!has_begun) rows.push_back(last_row(explained, jobs));
  return rows;
}

std::string text_of_rows(const std::vector<Row>& rows) {
  std::size_t time = 4;
  for (const auto& row : rows) time = std::max({time, row.from.size(), row.to.size()});
  const auto fixed = 2 + 2 * (time + 2) + 8;
  const auto why = kWidth - fixed - kRemedyColumns - 2;
  auto text = fmt::format("  {:<{}}  {:<{}}  {:>6}  {:<{}}  {}\n", "from", time, "to",
                          time, "passes", "why", why, "would have started with");
  for (const auto& row : rows) {
    const auto left = wrapped(row.why, why);
    const auto right = wrapped(row.remedy, kRemedyColumns);
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      const bool is_first = i == 0;
      auto line = fmt::format(
          "  {:<{}}  {:<{}}  {:>6}  {:<{}}  {}", is_first ? row.from : "", time,
          is_first ? row.to : "", time, is_first ? row.passes : "",
          i < left.size() ? left[i] : "", why, i < right.size() ? right[i] : "");
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
  }
  return text;
}

std::string markdown_of_rows(const std::vector<Row>& rows) {
  TextTable table{{{"from", "to", "passes", "why", "would have started with"}}, 5};
  for (const auto& row : rows) {
    table.lines.push_back({for_markdown(row.from), for_markdown(row.to),
                           for_markdown(row.passes), for_markdown(row.why),
                           for_markdown(row.remedy)});
  }
  return markdown_table(table);
}

// "exact", "2.5 x its length".
std::string estimate_words(const Job& job) {
  if (job.walltime == job.length) return "exact walltime";
  if (job.walltime < job.length) return "walltime too short";
  if (job.length == 0) return "walltime too long";
  return fmt::format(
      "walltime {:.1f} x its length",
      static_cast<double>(job.walltime) / static_cast<double>(job.length));
}

std::string overtakers_text(const ExplainedJob& explained, std::span<const Job> jobs) {
  auto all = explained.overtakers;
  if (all.empty()) return {};
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return b.processor_time < a.processor_time;
  });
  Int128 sum = 0;
  std::size_t took = 0;
  for (const auto& each : all) {
    sum += each.processor_time;
    took += each.processor_time > 0 ? 1 : 0;
  }
  auto text =
      fmt::format("overtaken by {} job{}", all.size(), all.size() == 1 ? "" : "s");
  if (took > 0) {
    text += fmt::format(
        "; {} of them ({} processor seconds) held processors it could "
        "have used",
        took, grouped(std::llround(total_seconds(sum))));
  }
  text += "\n";
  for (std::size_t i = 0; i < std::min(all.size(), kShownOvertakers); ++i) {
    const auto& each = all[i];
    const auto& job = jobs[index(each.job)];
    text += fmt::format(
        "  job {} at {}: {} processor{}{}, {}\n", job.id, seconds_text(each.start),
        each.size, each.size == 1 ? "" : "s",
        each.because.empty() ? "" : ", " + plain_text(each.because, Newlines::kEscape),
        estimate_words(job));
  }
  if (all.size() > kShownOvertakers) text += "  ...\n";
  return text;
}

// From its own time of submit on.
Duration held_for(const ExplainedJob& explained, const Job& job) {
  return std::max(Duration{0}, explained.submitted.value_or(job.submit) - job.submit);
}

std::string heading(const ExplainedJob& explained, const std::string& label,
                    const Job& job) {
  auto text = fmt::format("job {} under {}: ", job.id, label);
  if (job.user != kUnknown) text += fmt::format("user {}, ", label_number(job.user));
  text += fmt::format("size {}, walltime {}, ", job.size, clock_text(job.walltime));
  const auto held = held_for(explained, job);
  if (held > 0) text += fmt::format("held {}, ", clock_text(held));
  if (explained.begin) {
    const auto wait = explained.begin->at - explained.submitted.value_or(job.submit);
    return text +
           (wait == 0 ? "never waited" : fmt::format("waited {}", clock_text(wait)));
  }
  return text + (explained.fate == ExplainedJob::Fate::kRejected ? "rejected"
                                                                 : "never started");
}

}  // namespace

std::optional<Proposal> proposal(const ExplainedJob& explained, const Job& job) {
  std::optional<Proposal> long_enough;
  std::optional<Proposal> by_size;
  std::optional<Proposal> too_short;
  const auto note = [](std::optional<Proposal>& kept, const auto& text, Time at) {
    if (!kept || at < kept->at) kept = Proposal{text, at};
  };
  for (const auto& line : explained.lines) {
    if (explained.begin && line.from >= explained.begin->at) break;
    if (line.walltime) {
      const auto text = fmt::format("walltime={}", seconds_text(line.walltime->value));
      note(line.walltime->value >= job.length ? long_enough : too_short, text,
           line.walltime->at);
    }
    if (line.size) {
      note(by_size, fmt::format("size={}", line.first_size->value),
           line.first_size->at);
    }
  }
  return long_enough ? long_enough : by_size ? by_size : too_short;
}

std::string job_report(const ExplainedJob& explained, const std::string& label,
                       std::span<const Job> jobs, const std::string& command,
                       TableForm form) {
  const auto& job = jobs[index(explained.job)];
  const auto rows = rows_of(explained, jobs);
  auto text = heading(explained, label, job) + "\n";
  if (form == TableForm::kMarkdown) text += "\n";
  text += form == TableForm::kText ? text_of_rows(rows) : markdown_of_rows(rows);
  if (form == TableForm::kMarkdown) text += "\n";
  text += overtakers_text(explained, jobs);
  const auto sooner = proposal(explained, job);
  if (!sooner) return text;
  const auto gain = explained.begin
                        ? fmt::format(" ({} s sooner)",
                                      grouped_seconds(explained.begin->at - sooner->at))
                        : std::string();
  return text + fmt::format("sooner: with {} at {}{}:\n  {} {} --try {}\n",
                            sooner->text, seconds_text(sooner->at), gain, command,
                            job.id, sooner->text);
}

Json job_json(const ExplainedJob& explained, std::span<const Job> jobs) {
  const auto& job = jobs[index(explained.job)];
  using Fate = ExplainedJob::Fate;
  auto lines = Json::array();
  for (const auto& line : explained.lines) lines.append(line_json(line, jobs));
  auto overtakers = Json::array();
  for (const auto& each : explained.overtakers) {
    overtakers.append({{"job", jobs[index(each.job)].id},
                       {"start", to_seconds(each.start)},
                       {"size", each.size},
                       {"because", each.because},
                       {"processor_seconds", total_seconds(each.processor_time)}});
  }
  Json json{{"job", job.id},
            {"submit", to_seconds(job.submit)},
            {"size", job.size},
            {"walltime", to_seconds(job.walltime)},
            {"fate", explained.fate == Fate::kStarted    ? "started"
                     : explained.fate == Fate::kRejected ? "rejected"
                     : explained.submitted               ? "waits"
                                                         : "held"}};
  if (const auto held = held_for(explained, job); held > 0) {
    json.add("held", to_seconds(held));
  }
  if (explained.begin) {
    json.add("start", to_seconds(explained.begin->at));
    const auto from = explained.submitted.value_or(job.submit);
    json.add("wait", to_seconds(explained.begin->at - from));
    json.add("started", words(*explained.begin, jobs));
  }
  json.add("lines", lines);
  json.add("overtakers", overtakers);
  if (const auto sooner = proposal(explained, job)) {
    json.add("sooner", {{"try", sooner->text}, {"at", to_seconds(sooner->at)}});
  }
  return json;
}

namespace {

struct Effect {
  std::size_t sooner = 0;
  std::size_t later = 0;
  Int128 gained = 0;  // ticks
  Int128 lost = 0;
  Time parts = kNever;  // the first instant at which the runs differ
};

// To all jobs but this one; only those that started in both runs are counted.
Effect effect_of(const Replay& before, const Replay& after, std::optional<JobId> job) {
  Effect effect;
  for (std::uint32_t i = 0; i < before.starts.size(); ++i) {
    const Time was = before.starts[i];
    const Time is = after.starts[i];
    if (was == is) continue;
    effect.parts = std::min({effect.parts, was, is});
    if (job == JobId{i} || was == kNever || is == kNever) continue;
    effect.sooner += is < was ? 1 : 0;
    effect.later += is < was ? 0 : 1;
    (is < was ? effect.gained : effect.lost) += is < was ? was - is : is - was;
  }
  return effect;
}

std::string start_text(Time at) { return at == kNever ? "never" : seconds_text(at); }

}  // namespace

std::string change_report(const Replay& before, const Replay& after,
                          const Change& change, std::optional<JobId> job,
                          std::span<const Job> jobs) {
  std::string text;
  if (job) {
    const Time was = before.starts[index(*job)];
    const Time is = after.starts[index(*job)];
    text += fmt::format("job {}: started at {}, with the change at {}",
                        jobs[index(*job)].id, start_text(was), start_text(is));
    if (was != kNever && is != kNever) {
      text += was == is ? std::string(", the same")
                        : fmt::format(", {} s {}",
                                      grouped_seconds(is < was ? was - is : is - was),
                                      is < was ? "sooner" : "later");
    }
    text += "\n";
  }
  if (!change.without.empty()) {
    text += fmt::format("left out: {} job{}\n", change.without.size(),
                        change.without.size() == 1 ? "" : "s");
  }
  const auto effect = effect_of(before, after, job);
  if (effect.parts == kNever) return text + "every job starts as before\n";
  text += fmt::format("other jobs: {} sooner by {} s in all, {} later by {} s\n",
                      effect.sooner, grouped_seconds(effect.gained), effect.later,
                      grouped_seconds(effect.lost));
  return text + fmt::format("the runs differ from {} on\n", seconds_text(effect.parts));
}

Json change_json(const Replay& before, const Replay& after, std::optional<JobId> job,
                 std::span<const Job> jobs) {
  const auto seconds = [](Time at) {
    return at == kNever ? Json() : Json(to_seconds(at));
  };
  const auto effect = effect_of(before, after, job);
  Json json{{"sooner", effect.sooner},
            {"gained", total_seconds(effect.gained)},
            {"later", effect.later},
            {"lost", total_seconds(effect.lost)},
            {"differ_from", seconds(effect.parts)}};
  if (job) {
    json.add("job", jobs[index(*job)].id);
    json.add("start_before", seconds(before.starts[index(*job)]));
    json.add("start_after", seconds(after.starts[index(*job)]));
  }
  return json;
}

std::string side_by_side(const Replay& left, const Replay& right, JobId job,
                         std::span<const Job> jobs, TableForm form) {
  const bool is_text = form == TableForm::kText;
  const std::size_t half = is_text ? 48 : 1000;
  const auto column = [&](const Replay& replay) {
    std::vector<std::string> lines{replay.label};
    for (const auto& row : rows_of(replay.jobs.at(job), jobs)) {
      const auto head = row.to.empty() ? row.from + ": "
                                       : fmt::format("{} to {}: ", row.from, row.to);
      for (auto& line : wrapped(head + row.why, half)) lines.push_back(std::move(line));
    }
    return lines;
  };
  const auto a = column(left);
  const auto b = column(right);
  auto text = fmt::format("job {}\n", jobs[index(job)].id);
  if (!is_text) {
    TextTable table;
    table.words = 2;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      table.lines.push_back({i < a.size() ? for_markdown(a[i]) : "",
                             i < b.size() ? for_markdown(b[i]) : ""});
    }
    return text + "\n" + markdown_table(table);
  }
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    auto line = fmt::format("{:<{}}  {}", i < a.size() ? a[i] : "", half,
                            i < b.size() ? b[i] : "");
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace berth::study
