#include "engine/workload/formats/log_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/base/parsed_number.hpp"

namespace berth {

// Bounded in this file: a text is a part of a line, for which the reader of lines
// charges.

namespace {

constexpr TextTime kWrongTime{TextTime::TimeState::kWrong};

TextTime value_of(Time time) { return {TextTime::TimeState::kValue, time}; }

// A number of digits alone; -1: it is none.
std::int64_t digits(std::string_view text) {
  std::int64_t value = -1;
  const auto* end = text.data() + text.size();
  if (text.empty() || text.front() < '0' || text.front() > '9') return -1;
  const auto [at, code] = std::from_chars(text.data(), end, value);
  return code == std::errc() && at == end ? value : -1;
}

// The ticks of "SS" or "SS.f"; nullopt: it is neither, or not below a minute.
std::optional<Duration> second_of_minute(std::string_view text) {
  if (text.size() < 2 || digits(text.substr(0, 2)) < 0) return std::nullopt;
  if (text.size() > 2 && text[2] != '.') return std::nullopt;
  const auto [ticks, fault] = parse_seconds(text);
  if (fault != NumberFault::kNone || ticks >= 60 * kSecond) return std::nullopt;
  return ticks;
}

// HH:MM:SS[.f] of a day.
std::optional<Duration> time_of_day(std::string_view text) {
  if (text.size() < 8 || text[2] != ':' || text[5] != ':') return std::nullopt;
  const auto hours = digits(text.substr(0, 2));
  const auto minutes = digits(text.substr(3, 2));
  const auto rest = second_of_minute(text.substr(6));
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || !rest) {
    return std::nullopt;
  }
  return (hours * 60 + minutes) * 60 * kSecond + *rest;
}

// Z or +HH:MM at the end, which is taken off, in seconds; nullopt: there is none.
std::optional<std::int64_t> take_offset(std::string_view& text) {
  constexpr std::size_t kLength = 6;
  if (text.ends_with('Z')) {
    text.remove_suffix(1);
    return 0;
  }
  if (text.size() <= kLength) return std::nullopt;
  const auto tail = text.substr(text.size() - kLength);
  if ((tail[0] != '+' && tail[0] != '-') || tail[3] != ':') return std::nullopt;
  const auto hours = digits(tail.substr(1, 2));
  const auto minutes = digits(tail.substr(4, 2));
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  text.remove_suffix(kLength);
  return (hours * 60 + minutes) * (tail[0] == '-' ? -60 : 60);
}

TextTime epoch_time(std::string_view text) {
  const auto [ticks, fault] = parse_seconds(text);
  if (fault != NumberFault::kNone || ticks < 0) return kWrongTime;
  return ticks == 0 ? TextTime{} : value_of(ticks);
}

double unit_of(char letter) {
  constexpr std::string_view kLetters = "KMGTP";
  const auto at = kLetters.find(letter);
  return at == kLetters.npos ? 0 : std::ldexp(1.0, 10 * static_cast<int>(at + 1));
}

void add_kind(TresList& list, std::string_view key, std::int64_t amount) {
  const auto slash = key.find('/');
  const auto name = key.substr(slash + 1);
  if (amount > 0) list.kinds.push_back({name, amount});
}

// Amounts with a type go to their kind where it has none without, or are dropped.
void join_types(std::vector<KindAmount>& kinds) {
  const auto is_typed = [](const KindAmount& each) {
    return each.kind.find(':') != std::string_view::npos;
  };
  if (std::none_of(kinds.begin(), kinds.end(), is_typed)) return;
  std::vector<KindAmount> joined;
  std::copy_if(kinds.begin(), kinds.end(), std::back_inserter(joined),
               [&](const KindAmount& each) { return !is_typed(each); });
  const auto untyped = static_cast<std::ptrdiff_t>(joined.size());
  for (auto each : kinds) {
    if (!is_typed(each)) continue;
    each.kind = each.kind.substr(0, each.kind.find(':'));
    const auto is_same = [&](const KindAmount& other) {
      return other.kind == each.kind;
    };
    if (std::any_of(joined.begin(), joined.begin() + untyped, is_same)) continue;
    const auto at = std::find_if(joined.begin() + untyped, joined.end(), is_same);
    at == joined.end() ? joined.push_back(each) : void(at->amount += each.amount);
  }
  kinds = std::move(joined);
}

bool is_kind(std::string_view key) {
  return key.starts_with("gres/") || key.starts_with("license/");
}

void add_tres(TresList& list, std::string_view key, std::string_view value) {
  constexpr double kMiB = 1024 * 1024;
  if (key == "mem") {
    const auto memory = memory_from_log(value, kMiB);
    list.mem = memory.bytes;
    list.is_wrong = list.is_wrong || memory.is_wrong;
    return;
  }
  if (key != "cpu" && key != "node" && !is_kind(key)) return;
  const auto [amount, fault] = parse_whole(value);
  if (fault != NumberFault::kNone || amount < 0 || amount > kMostOfKind) {
    list.is_wrong = true;
  } else if (key == "cpu") {
    list.cpu = amount;
  } else if (key == "node") {
    list.node = amount;
  } else {
    add_kind(list, key, amount);
  }
}

// How many numbers "a", "a-b" or "a-b:s" names; 0: it is none of them.
std::int64_t count_of_range(std::string_view text) {
  auto range = cut_off(text, ':');
  const auto step = text.empty() ? 1 : digits(text);
  const auto first = digits(cut_off(range, '-'));
  const auto last = range.empty() ? first : digits(range);
  constexpr std::int64_t kMostOfList = std::int64_t{1} << 40U;
  if (first < 0 || last < first || last > kMostOfList || step < 1) return 0;
  return (last - first) / step + 1;
}

}  // namespace

std::string_view cut_off(std::string_view& text, char end) {
  const auto at = std::min(text.find(end), text.size());
  const auto part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

bool is_no_value(std::string_view text) {
  constexpr std::array<std::string_view, 6> kWords{"Unknown", "unknown", "None",
                                                   "N/A",     "NONE",    "(null)"};
  return text.empty() || std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

TextTime calendar_time(int year, unsigned month, unsigned day,
                       std::int64_t second_of_day) {
  using std::chrono::year_month_day;
  const year_month_day date{std::chrono::year{year}, std::chrono::month{month},
                            std::chrono::day{day}};
  if (!date.ok()) return kWrongTime;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return value_of(seconds(std::int64_t{days} * 86'400 + second_of_day));
}

TextTime time_from_log(std::string_view text, const ZoneRules& zone) {
  if (is_no_value(text)) return {};
  const bool is_date = text.size() >= 19 && text[4] == '-' && text[7] == '-' &&
                       (text[10] == 'T' || text[10] == ' ');
  if (!is_date) return epoch_time(text);
  const auto date = text.substr(0, 10);
  auto rest = text.substr(11);
  const auto offset = take_offset(rest);
  const auto of_day = time_of_day(rest);
  const auto year = digits(date.substr(0, 4));
  const auto month = digits(date.substr(5, 2));
  const auto day = digits(date.substr(8, 2));
  if (!of_day || year < 0 || month < 0 || day < 0) return kWrongTime;
  auto found = calendar_time(static_cast<int>(year), static_cast<unsigned>(month),
                             static_cast<unsigned>(day), *of_day / kSecond);
  if (found.is_wrong()) return found;
  const auto local = found.time / kSecond;
  if (offset) {
    found.time = seconds(local - *offset);
  } else {
    const auto instant = zone.instant_of(local);
    found.time = seconds(instant.unix_seconds);
    found.kind = instant.kind;
    found.is_local = true;
  }
  found.time += *of_day % kSecond;
  const bool is_far = std::abs(to_seconds(found.time)) > kMaxSeconds;
  return is_far ? kWrongTime : found;
}

TextTime duration_from_log(std::string_view text) {
  if (is_no_value(text)) return {};
  if (text.find(':') == text.npos) {
    const auto [ticks, fault] = parse_seconds(text);
    return fault == NumberFault::kNone && ticks >= 0 ? value_of(ticks) : kWrongTime;
  }
  constexpr std::int64_t kMostParts = 100'000'000;
  std::int64_t days = 0;
  const auto dash = text.find('-');
  if (dash != text.npos) {
    days = digits(text.substr(0, dash));
    text.remove_prefix(dash + 1);
    if (days < 0 || days > kMostParts || std::count(text.begin(), text.end(), ':') != 2)
      return kWrongTime;
  }
  const auto last = text.rfind(':');
  const auto rest = second_of_minute(text.substr(last + 1));
  auto parts = text.substr(0, last);
  std::int64_t minutes = days * 24 * 60;
  std::int64_t of_parts = 0;
  const auto colons = std::count(parts.begin(), parts.end(), ':');
  if (!rest || colons > 2) return kWrongTime;
  constexpr std::array<std::int64_t, 3> kFactors{1, 60, 1440};
  for (auto left = colons + 1; left > 0; --left) {
    const auto part = digits(cut_off(parts, ':'));
    if (part < 0 || part > kMostParts) return kWrongTime;
    of_parts += part * kFactors[static_cast<std::size_t>(left - 1)];
  }
  minutes += of_parts;
  const auto whole = static_cast<double>(minutes) * 60;
  if (whole > kMaxSeconds) return kWrongTime;
  return value_of(minutes * 60 * kSecond + *rest);
}

LogMemory memory_from_log(std::string_view text, double bare) {
  LogMemory memory;
  if (is_no_value(text)) return memory;
  if (text.back() == 'c' || text.back() == 'n') {
    memory.of = text.back();
    text.remove_suffix(1);
  }
  for (const std::string_view end : {"iB", "B", "b"}) {
    if (!text.ends_with(end)) continue;
    text.remove_suffix(end.size());
    bare = 1;
    break;
  }
  if (text.ends_with('w')) {
    text.remove_suffix(1);
    bare = 8;
  }
  auto unit = text.empty() ? 0.0 : unit_of(static_cast<char>(text.back() & ~0x20));
  if (unit > 0) {
    text.remove_suffix(1);
    if (bare == 8) unit *= 8;
  } else {
    unit = bare;
  }
  const auto [value, fault] = parse_real(text);
  memory.bytes = value * unit;
  memory.is_wrong =
      fault != NumberFault::kNone || memory.bytes < 0 || memory.bytes > 0x1.0p53;
  return memory;
}

TresList tres_from_log(std::string_view text) {
  TresList list;
  while (!text.empty()) {
    auto entry = cut_off(text, ',');
    const auto key = cut_off(entry, '=');
    add_tres(list, key, entry);
  }
  join_types(list.kinds);
  return list;
}

std::int64_t count_of_list(std::string_view text) {
  text = cut_off(text, '%');
  std::int64_t count = 0;
  while (!text.empty()) {
    const auto found = count_of_range(cut_off(text, ','));
    if (found == 0) return 0;
    count = std::min(count + found, std::int64_t{1} << 40U);
  }
  return count;
}

}  // namespace berth
