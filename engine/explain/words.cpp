#include "engine/explain/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/duration_text.hpp"
#include "engine/base/memory.hpp"

namespace berth {

namespace {

constexpr std::size_t kNamed = 3;

std::int64_t number(JobId job, std::span<const Job> jobs) {
  return jobs[index(job)].id;
}

std::string range(std::int64_t least, std::int64_t most) {
  return least == most ? fmt::format("{}", least)
                       : fmt::format("{} to {}", least, most);
}

std::string time_range(Time first, Time last) {
  return first == last
             ? seconds_text(first)
             : fmt::format("{} to {}", seconds_text(first), seconds_text(last));
}

std::string takers(const std::vector<JobId>& taken_by, std::span<const Job> jobs) {
  if (taken_by.empty()) return {};
  std::string text;
  const auto named = std::min(taken_by.size(), kNamed);
  for (std::size_t i = 0; i < named; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", number(taken_by[i], jobs));
  }
  if (taken_by.size() > kNamed) text += ", ...";
  return fmt::format("; taken by {}, {} behind it", text,
                     taken_by.size() == 1 ? "which is" : "which are");
}

// "64 GiB", "4": of this kind.
std::string amount(std::string_view kind, std::int64_t amount) {
  if (kind != "memory") return fmt::format("{}", amount);
  return fmt::format("{:.4g} GiB", gib_of(amount));
}

std::string room_words(const ReasonLine& line, std::span<const Job> jobs) {
  const auto& kind = line.first.kind;
  const auto words = line.first.why.record().words;
  if (!kind.empty()) {
    auto free = amount(kind, line.idle_least);
    if (line.idle_most != line.idle_least) {
      free += " to " + amount(kind, line.idle_most);
    }
    return fmt::format("{}: {} asked {}, {} {}{}", words, kind,
                       amount(kind, line.first.asked),
                       kind == "chunks" ? "hosts have room for" : "idle", free,
                       takers(line.taken_by, jobs));
  }
  const auto& reach = line.last.reach;
  return fmt::format("{}: {} asked, {} {}{}{}", words, line.first.asked,
                     range(line.idle_least, line.idle_most),
                     line.first.why.record().verb, reach.empty() ? "" : " " + reach,
                     takers(line.taken_by, jobs));
}

std::string delay_words(const ReasonLine& line, std::span<const Job> jobs) {
  auto text = fmt::format(
      "would delay job {} (reserved at {}): ends {}", number(*line.first.blocker, jobs),
      time_range(*line.first.at, line.last.at.value_or(*line.first.at)),
      time_range(*line.first.ends, *line.last.ends));
  if (line.first.spare) {
    const auto last = line.last.spare.value_or(*line.first.spare);
    text += fmt::format(", {} spare", range(std::min(*line.first.spare, last),
                                            std::max(*line.first.spare, last)));
  }
  return text;
}

std::string later_words(const ReasonLine& line, std::span<const Job> jobs) {
  const auto& last = line.last;
  auto text = fmt::format("reserved at {}, place {} in the book",
                          time_range(*line.first.at, last.at.value_or(*line.first.at)),
                          *line.first.place);
  if (line.first.blocker && line.first.collides) {
    text += fmt::format("; now it would collide with job {} from {}",
                        number(*line.first.blocker, jobs),
                        seconds_text(*line.first.collides));
  }
  return text;
}

std::string at_line(const Reason& reason) {
  return reason.text.empty() ? std::string() : fmt::format(" ({})", reason.text);
}

std::string look_words(const Reason& reason, std::span<const Job> jobs) {
  if (reason.why == Why::kRefused) {
    return fmt::format("a start was refused: {}{}",
                       reason.refusal ? name(*reason.refusal) : "?",
                       reason.text.empty() ? "" : " (" + reason.text + ")");
  }
  if (reason.why == Why::kDeclined) {
    return reason.text.empty()
               ? std::string("shown to the policy, which did not start it")
               : fmt::format("shown and not started: \"{}\"", reason.text);
  }
  if (reason.why == Why::kDepth) {
    return fmt::format("beyond the depth: the policy looks no further than job {}{}",
                       number(*reason.blocker, jobs), at_line(reason));
  }
  if (reason.why == Why::kOrder) {
    return fmt::format("behind: the policy stopped at job {}{}",
                       number(*reason.blocker, jobs), at_line(reason));
  }
  if (reason.why == Why::kNotAsked) {
    return "it fits, and the policy did not look at it" + at_line(reason);
  }
  const auto words = reason.why.record().words;
  return reason.text.empty() ? std::string(words)
                             : fmt::format("{}: {}", words, reason.text);
}

Json job_json(const std::optional<JobId>& job, std::span<const Job> jobs) {
  return job ? Json(number(*job, jobs)) : Json();
}

Json seconds_json(const std::optional<Time>& time) {
  return time && *time != kNever ? Json(to_seconds(*time)) : Json();
}

}  // namespace

std::string words(const ReasonLine& line, std::span<const Job> jobs) {
  const auto& reason = line.first;
  if (is_about_room(reason.why)) return room_words(line, jobs);
  if (reason.why == Why::kWouldDelay) return delay_words(line, jobs);
  if (reason.why == Why::kLaterReservation) return later_words(line, jobs);
  return look_words(reason, jobs);
}

std::string words(const Reason& reason, std::span<const Job> jobs) {
  ReasonLine line{0, 0, 1, reason, reason, reason.idle, reason.idle, {}, {}, {}, {}};
  for (const auto& each : reason.others) {
    if (each.behind) line.taken_by.push_back(each.job);
  }
  return words(line, jobs);
}

std::string remedy_words(const ReasonLine& line) {
  std::string text;
  if (line.walltime) {
    text = fmt::format("walltime <= {} at {}", clock_text(line.walltime->value),
                       seconds_text(line.walltime->at));
  }
  if (line.size) {
    const bool grows = line.first_size->value != line.size->value;
    text +=
        fmt::format("{}size <= {}{}", text.empty() ? "" : "; ", line.first_size->value,
                    grows ? fmt::format(", <= {} at {}", line.size->value,
                                        seconds_text(line.size->at))
                          : std::string());
  }
  return text.empty() ? "-" : text;
}

std::string words(const BeginOfJob& begin, std::span<const Job> jobs) {
  std::string text = "started";
  if (begin.beside) {
    text += fmt::format(", beside the reservation of job {} ({})",
                        number(*begin.beside, jobs),
                        begin.in_time ? "ends in time" : "uses what is spare");
  }
  if (!begin.because.empty()) text += fmt::format(": \"{}\"", begin.because);
  return text;
}

Json reason_json(const Reason& reason, std::span<const Job> jobs) {
  const auto& record = reason.why.record();
  Json json{{"why", record.name},
            {"asked", reason.asked},
            {"idle_before", reason.idle_before},
            {"idle", reason.idle}};
  if (!reason.kind.empty()) json.add("kind", reason.kind);
  if (!record.slurm.empty()) json.add("slurm", record.slurm);
  if (reason.blocker) json.add("blocker", job_json(reason.blocker, jobs));
  if (reason.at) json.add("at", seconds_json(reason.at));
  if (reason.ends) json.add("ends", seconds_json(reason.ends));
  if (reason.spare) json.add("spare", *reason.spare);
  if (reason.place) json.add("place", *reason.place);
  if (reason.collides) json.add("collides", seconds_json(reason.collides));
  if (reason.refusal) json.add("refusal", name(*reason.refusal));
  if (!reason.text.empty()) json.add("text", reason.text);
  if (!reason.reach.empty()) json.add("reach", reason.reach);
  if (!reason.others.empty()) {
    auto others = Json::array();
    for (const auto& each : reason.others) {
      others.append({{"job", number(each.job, jobs)}, {"behind", each.behind}});
    }
    json.add("others", others);
  }
  if (reason.size) json.add("size", *reason.size);
  if (reason.walltime) json.add("walltime", seconds_json(reason.walltime));
  return json;
}

Json line_json(const ReasonLine& line, std::span<const Job> jobs) {
  Json json{{"from", to_seconds(line.from)},
            {"to", to_seconds(line.to)},
            {"passes", line.passes},
            {"idle_least", line.idle_least},
            {"idle_most", line.idle_most},
            {"words", words(line, jobs)},
            {"first", reason_json(line.first, jobs)}};
  if (line.passes > 1) json.add("last", reason_json(line.last, jobs));
  const auto remedy = [&](const char* name, const auto& found, auto value) {
    if (!found) return;
    json.add(name, {{"value", value(found->value)}, {"at", to_seconds(found->at)}});
  };
  remedy("size", line.size, [](std::int64_t size) { return Json(size); });
  remedy("walltime", line.walltime,
         [](std::int64_t walltime) { return Json(to_seconds(walltime)); });
  return json;
}

}  // namespace berth
