#include "study/policies/policy_template.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

#include "bindings/machine_calls.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/output/output_file.hpp"

namespace berth::study {

namespace fs = std::filesystem;

namespace {

// @ stands for the name, but in an annotation such as ---@type.
constexpr std::string_view kPolicy =
    R"lua(-- @: first come, first served, with backfilling behind a protected first job.
--
-- berth calls schedule(queue, cluster) whenever something happened that matters: a job
-- came or ended.  `berth api` lists what can be called, `berth api start` one of them.
---@type Policy
local @ = {
  -- What can be set from outside: berth run --policy ./@.lua:backfill=false
  params = {
    backfill = { default = true, help = "let small jobs pass the first" },
  },
}

function @.schedule(queue, cluster)
  -- Start jobs in order until one does not fit.
  for job in queue:startable() do cluster:start(job) end

  local first = queue:head()
  if not first or not cluster.params.backfill then return end

  -- When could the first job start, and which jobs would not delay it?
  local plan = cluster:reserve(first)
  for job in queue:backfillable(plan) do cluster:start(job) end
end

return @
)lua";

constexpr std::string_view kScenario = R"toml(# What does @ change?
title = "@ against first come, first served and EASY"
seed  = 1

[machine]
processors = 64

[workload]
model     = "lublin"
jobs      = 1000
load      = 0.8
estimates = "factor"

[run]
policies = ["fcfs", "easy", "./@.lua"]
)toml";

constexpr std::string_view kCases =
    R"lua(-- Cases for @: `berth test @.lua` runs them.  A job is { submit, size, length } or
-- { submit, size, length, walltime }; starts are what each job's start must be.
return {
  -- Job 1 takes three of four processors until 10, job 2 wants all four and waits, job 3
  -- is small and done by 6: it may pass job 2.
  { "a small job passes the first", processors = 4,
    jobs = { { 0, 3, 10 }, { 0, 4, 10 }, { 1, 1, 5 } },
    starts = { 0, 10, 1 } },
  { "without backfilling no job passes", processors = 4, params = { backfill = false },
    jobs = { { 0, 3, 10 }, { 0, 4, 10 }, { 1, 1, 5 } },
    starts = { 0, 10, 20 } },
  -- For random workloads: if this fails, the smallest that does is printed as a case.
  { "every job starts", processors = 16, random = { jobs = 50, runs = 20 },
    holds = function(run)
      for _, job in ipairs(run:jobs()) do
        if not job.start then return false, "job " .. job.number .. " never starts" end
      end
      return true
    end },
}
)lua";

constexpr std::string_view kMetric =
    R"lua(-- @: berth run --trace LOG.swf --policy easy --metric mean_wait,./@.lua
--
-- `of` gets the run when it is over: its jobs, users and levels are frames of columns,
-- which are counted and compared as a whole.  It answers the value, nil where there is
-- none, and the number of jobs behind it.  A mean over jobs has `each` instead: a
-- column with a value for each row of run.finished.
return metric {
  name = "@",
  unit = "fraction",
  better = "less",
  says = "share of the finished jobs of up to 8 processors that wait above an hour",
  of = function(run)
    local small = run.finished:where(run.finished.size:le(8))
    return small.wait:gt(3600):mean(), #small
  end,
}
)lua";

constexpr std::string_view kMetricCases =
    R"lua(-- Cases for @: `berth test @.lua` runs them under first come, first served.
return {
  -- Job 2 finds no room for two hours, and job 3 stands behind it; job 1 starts at once.
  { "one of two small jobs waits above an hour", processors = 16,
    jobs = { { 0, 8, 7200 }, { 0, 12, 60 }, { 0, 4, 60 } },
    check = function(run) return run:metric("@") == 0.5 end },
  { "without small jobs there is no value", processors = 16,
    jobs = { { 0, 12, 60 } },
    check = function(run) return run:metric("@") == nil end },
}
)lua";

// For editors with the Lua language server.
constexpr std::string_view kEditor = R"json({
  "runtime.version": "Lua 5.4",
  "workspace.library": ["berth.meta.lua"],
  "runtime.builtin": { "coroutine": "disable", "debug": "disable", "io": "disable",
                       "os": "disable", "package": "disable", "utf8": "disable" }
}
)json";

// What a policy cannot call is unknown.
constexpr std::string_view kLuacheck = R"lua(std = "lua54"
max_line_length = 100
cache = false
not_globals = {
  "collectgarbage", "coroutine", "debug", "dofile", "io", "load", "loadfile", "os",
  "package", "utf8", "warn",
}
files["berth.meta.lua"] = { only = {} }
)lua";

std::string filled_in(std::string_view text, std::string_view name) {
  std::string filled;
  for (const char c : text) {
    if (c == '@' && !filled.ends_with("---")) {
      filled += name;
    } else {
      filled += c;
    }
  }
  return filled;
}

bool is_name(std::string_view name) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && name.size() <= 60 && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
         });
}

constexpr std::string_view kKeywords[] = {
    "and",  "break", "do",     "else",  "elseif", "end",     "false", "for",
    "if",   "in",    "nil",    "not",   "or",     "repeat",  "then",  "true",
    "goto", "local", "return", "until", "while",  "function"};

// Throws Error{kUsage} unless a new file may have this name.
void check_name(std::string_view name) {
  const bool reserved = std::find(std::begin(kKeywords), std::end(kKeywords), name) !=
                        std::end(kKeywords);
  if (!is_name(name) || reserved) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' cannot be the name: use a-z, 0-9 and _, a letter "
                            "first, and no word of Lua",
                            printable(name)));
  }
}

void add_editor_files(const fs::path& folder, std::vector<NewFile>& files) {
  for (const auto& [shared, text] : std::vector<std::pair<std::string, std::string>>{
           {".luarc.json", std::string(kEditor)},
           {".luacheckrc", std::string(kLuacheck)},
           {"berth.meta.lua", bindings::api_definitions()}}) {
    std::error_code failed;
    const auto path = folder / shared;
    if (!fs::exists(fs::symlink_status(path, failed))) files.push_back({path, text});
  }
}

}  // namespace

std::vector<NewFile> policy_files(const fs::path& folder, std::string_view name) {
  check_name(name);
  const std::string stem(name);
  std::vector<NewFile> files{{folder / (stem + ".lua"), filled_in(kPolicy, name)},
                             {folder / (stem + ".toml"), filled_in(kScenario, name)},
                             {folder / (stem + ".test.lua"), filled_in(kCases, name)}};
  add_editor_files(folder, files);
  return files;
}

std::vector<std::pair<std::string_view, std::string_view>> starters() {
  std::vector<std::pair<std::string_view, std::string_view>> all;
  for (const auto& calls : bindings::machine_calls()) {
    for (const auto& each : calls.starters) all.emplace_back(each.name, each.help);
  }
  return all;
}

template <class Files>
void add_starter(const fs::path& folder, const Files& texts, std::vector<NewFile>& to) {
  for (const auto& [file, text] : texts)
    to.push_back({folder / file, std::string(text)});
}

std::vector<NewFile> starter_files(const fs::path& folder, std::string_view name) {
  std::vector<std::string_view> known;
  std::vector<NewFile> files;
  for (const auto& calls : bindings::machine_calls()) {
    for (const auto& starter : calls.starters) {
      known.push_back(starter.name);
      if (starter.name == name) add_starter(folder, starter.files, files);
    }
  }
  if (files.empty()) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("there is no '{}' to start from{}; there is {}", printable(name),
                    did_you_mean(name, known), fmt::join(known, ", ")));
  }
  add_editor_files(folder, files);
  return files;
}

std::vector<NewFile> metric_files(const fs::path& folder, std::string_view name) {
  check_name(name);
  const std::string stem(name);
  return {{folder / (stem + ".lua"), filled_in(kMetric, name)},
          {folder / (stem + ".test.lua"), filled_in(kMetricCases, name)}};
}

std::vector<NewFile> case_files(const fs::path& folder, std::string_view name,
                                std::string_view field) {
  check_name(name);
  const std::string stem(name);
  for (const auto& calls : bindings::machine_calls()) {
    for (const auto& hook : calls.hooks) {
      if (hook.name != field || hook.new_policy.empty()) continue;
      return {{folder / (stem + ".lua"), filled_in(hook.new_policy, name)},
              {folder / (stem + ".toml"), filled_in(hook.new_scenario, name)}};
    }
  }
  BERTH_ASSERT(false);
  return {};
}

void write_new_files(const std::vector<NewFile>& files) {
  for (const auto& file : files) {
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(file.path, failed))) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: already exists; choose another name",
                            printable_name(file.path.string())));
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    try {
      OutputFile out(files[i].path, Existing::kRefuse);
      out.write(files[i].text);
      out.commit();
    } catch (const Error&) {
      std::error_code ignored;
      for (std::size_t j = 0; j < i; ++j) fs::remove(files[j].path, ignored);
      throw;
    }
  }
}

}  // namespace berth::study
