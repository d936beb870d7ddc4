#pragma once
// Scripts of tools in a sandbox, with the frame `jobs` and the levels of the reference
// (bindings/tools/frame.hpp), and further frames.

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/tools/frame.hpp"
#include "bindings/tools/steps.hpp"
#include "tests/bindings/sandbox_driver.hpp"

namespace berth::test {

using bindings::Column;
using bindings::ColumnPtr;

// Columns that are there; counts how often each is asked for.
class TableSource final : public bindings::FrameSource {
 public:
  explicit TableSource(std::string what,
                       std::vector<std::pair<std::string, ColumnPtr>> columns)
      : what_(std::move(what)), columns_(std::move(columns)) {
    for (const auto& column : columns_) names_.push_back(column.first);
  }
  [[nodiscard]] std::size_t rows() const override {
    return columns_.front().second->rows();
  }
  [[nodiscard]] std::string_view what() const override { return what_; }
  [[nodiscard]] std::span<const std::string> names() const override { return names_; }
  [[nodiscard]] ColumnPtr make(std::string_view name) const override {
    ++made_[std::string(name)];
    for (const auto& column : columns_)
      if (column.first == name) return column.second;
    return nullptr;
  }
  [[nodiscard]] int made(const std::string& name) const { return made_[name]; }

 private:
  std::string what_;
  std::vector<std::pair<std::string, ColumnPtr>> columns_;
  std::vector<std::string> names_;
  mutable std::map<std::string, int> made_;
};

using Frames = std::map<std::string, std::shared_ptr<const bindings::FrameSource>>;

[[nodiscard]] inline std::shared_ptr<const bindings::FrameSource> frame_of_four_jobs() {
  const double none = std::nan("");
  return std::make_shared<const TableSource>(
      "jobs", std::vector<std::pair<std::string, ColumnPtr>>{
                  {"size", Column::of_whole({2, 4, 2, 8})},
                  {"wait", Column::of_times({0, 30 * kSecond, 10 * kSecond, kNever})},
                  {"slowdown", Column::of_numbers({1, 2.5, 1.5, none})},
                  {"user", Column::of_whole({1, 2, 1, 3})},
                  {"state",
                   Column::of_texts({0, 0, 1, 2}, std::vector<std::string>{
                                                      "finished", "failed", "left"})}});
}

[[nodiscard]] inline std::shared_ptr<const bindings::StepsSource> some_levels() {
  return std::make_shared<const bindings::StepsSource>(bindings::StepsSource{
      {0, 10 * kSecond, 30 * kSecond}, {0, 4, 2}, 40 * kSecond, {}});
}

[[nodiscard]] inline std::shared_ptr<const bindings::StepsSource> some_bins() {
  return std::make_shared<const bindings::StepsSource>(
      bindings::StepsSource{{0, 10 * kSecond}, {1.5, 0.5}, 20 * kSecond, {3, 2}});
}

// A sandbox whose globals are the frames, `levels` and `bins`.
class ToolScene {
 public:
  explicit ToolScene(const bindings::Limits& limits = patient_limits(),
                     Frames frames = {})
      : frames_(std::move(frames)), sandbox_(limits, 7, host()) {
    frames_.emplace("jobs", frame_of_four_jobs());
    sandbox_.enter(install, this, {"load", 0});
  }

  // How the script, loaded as t.lua, ended.  REQUIRES: called once.
  ScriptOutcome run(std::string_view script) {
    return outcome([&] { sandbox_.load("t.lua", script); });
  }
  // How a further entry ended: `schedule` of what was loaded is called.
  ScriptOutcome again() {
    return outcome([&] { sandbox_.enter(call_schedule, nullptr, {"decision", 1}); });
  }
  [[nodiscard]] bindings::Sandbox& sandbox() { return sandbox_; }

 private:
  template <class Work>
  ScriptOutcome outcome(const Work& work) {
    ScriptOutcome outcome;
    try {
      work();
    } catch (const Error& error) {
      outcome.exit = static_cast<int>(error.code());
      outcome.message = error.what();
    }
    outcome.printed = printed_;
    outcome.usage = sandbox_.usage();
    return outcome;
  }

  bindings::Host host() {
    bindings::Host host;
    host.print = [this](std::string_view line) {
      printed_ += fmt::format("{}\n", line);
    };
    return host;
  }

  static int install(lua_State* lua) {
    const auto& scene = *static_cast<ToolScene*>(lua_touserdata(lua, 1));
    bindings::install_frames(lua, 7);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    for (const auto& frame : scene.frames_) {
      bindings::push_frame(lua, frame.second);
      lua_setfield(lua, -2, frame.first.c_str());
    }
    bindings::push_steps(lua, scene.levels_);
    lua_setfield(lua, -2, "levels");
    bindings::push_steps(lua, scene.bins_);
    lua_setfield(lua, -2, "bins");
    return 0;
  }

  std::string printed_;
  Frames frames_;
  std::shared_ptr<const bindings::StepsSource> levels_ = some_levels();
  std::shared_ptr<const bindings::StepsSource> bins_ = some_bins();
  bindings::Sandbox sandbox_;
};

[[nodiscard]] inline ScriptOutcome run_tool(
    std::string_view script, Frames frames = {},
    const bindings::Limits& limits = patient_limits()) {
  return ToolScene(limits, std::move(frames)).run(script);
}

// What `print(...)` shows of the expressions; an error as its first line.
[[nodiscard]] inline std::string told(std::string_view expressions,
                                      Frames frames = {}) {
  const auto outcome = run_tool(
      fmt::format("local function list(c) local t = {{}} for i = 1, #c do t[i] = "
                  "tostring(c[i]) end return table.concat(t, ' ') end "
                  "print({})",
                  expressions),
      std::move(frames));
  if (outcome.exit != 0) return outcome.first_line();
  return outcome.printed.substr(0, outcome.printed.size() - 1);
}

}  // namespace berth::test
