#include "bindings/tools/comparison_page.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "bindings/tools/sweep.hpp"
#include "bindings/tools/tool_script.hpp"
#include "engine/jobs/label.hpp"

namespace berth::bindings {

namespace {

using Entry = Comparison::Entry;
using ComparedRow = Comparison::Row;
using HitUsers = Comparison::HitUsers;

// The cells of a comparison.
class ComparedSweep final : public SweepSource {
 public:
  ComparedSweep(const Comparison& comparison, std::span<const ComparedCell> cells)
      : cells_(cells) {
    shape_.policies = comparison.policies;
    shape_.seeds = comparison.replications;
    shape_.points.reserve(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto& settings = cells[i].settings;
      shape_.points.push_back(
          {{settings.begin(), settings.end()}, berth::cell_text(comparison, i)});
    }
  }

  [[nodiscard]] const SweepShape& shape() const override { return shape_; }
  [[nodiscard]] Result result(const Place& place, std::size_t seed) const override {
    const auto& policies = cells_[place.point].policies;
    const auto at =
        std::find_if(policies.begin(), policies.end(),
                     [&](const auto& each) { return each.label == place.policy; });
    if (at == policies.end()) return {};
    return {at->runs[seed],
            at->has_common ? std::string_view(policies.front().label) : ""};
  }
  [[nodiscard]] std::string_view failure(const Place&) const override { return {}; }

 private:
  std::span<const ComparedCell> cells_;
  SweepShape shape_;
};

// Sets fields of the table on top.
struct TableFields {
  lua_State* lua;

  void set(const char* name) const { lua_setfield(lua, -2, name); }
  void text(const char* name, std::string_view text) const {
    lua_pushlstring(lua, text.data(), text.size());
    set(name);
  }
  void number(const char* name, const std::optional<double>& number) const {
    if (!number) return;
    lua_pushnumber(lua, *number);
    set(name);
  }
  void whole(const char* name, std::int64_t number) const {
    lua_pushinteger(lua, number);
    set(name);
  }
  void flag(const char* name, bool flag) const {
    lua_pushboolean(lua, flag ? 1 : 0);
    set(name);
  }
  template <class Values, class Push>
  void list(const char* name, const Values& values, const Push& push) const {
    push_list(lua, values, push);
    set(name);
  }
};

void push_entry(lua_State* lua, const Entry& entry) {
  const TableFields fields{lua};
  lua_createtable(lua, 0, 16);
  fields.text("policy", entry.policy);
  fields.whole("runs", static_cast<std::int64_t>(entry.runs));
  fields.whole("n", entry.n);
  fields.whole("n_each", entry.n_each);
  if (entry.value) {
    fields.number("mean", entry.value->mean);
    fields.number("half", entry.value->half_width);
    fields.flag("is_batched", entry.value->is_batched);
  }
  if (entry.difference) {
    fields.number("difference", entry.difference->mean);
    fields.number("difference_half", entry.difference->half_width);
  }
  fields.number("p", entry.p_value);
  fields.number("improvement", entry.improvement);
  fields.whole("common_jobs", entry.common_jobs);
  fields.flag("best", entry.best);
  fields.text("verdict", text_of(entry.verdict));
  fields.text("warning", entry.warning);
  fields.text("not_comparable", entry.not_comparable);
}

void push_row(lua_State* lua, const ComparedRow& row) {
  const TableFields fields{lua};
  lua_createtable(lua, 0, 6);
  fields.text("metric", row.metric);
  fields.text("unit", row.unit);
  fields.text("better", word(row.better));
  fields.whole("cell", static_cast<std::int64_t>(row.cell) + 1);
  fields.flag("exploratory", row.exploratory);
  fields.list("entries", row.entries,
              [lua](const Entry& entry) { push_entry(lua, entry); });
}

void push_change(lua_State* lua, const HitUsers::Change& change) {
  const TableFields fields{lua};
  lua_createtable(lua, 0, 4);
  fields.whole("user", label_number(change.user));
  fields.number("wait", change.wait);
  fields.whole("jobs", change.jobs);
  fields.whole("runs", static_cast<std::int64_t>(change.runs));
}

void push_hit(lua_State* lua, const HitUsers& hit) {
  const TableFields fields{lua};
  lua_createtable(lua, 0, 4);
  fields.whole("cell", static_cast<std::int64_t>(hit.cell) + 1);
  fields.text("policy", hit.policy);
  push_change(lua, hit.best);
  fields.set("best");
  push_change(lua, hit.worst);
  fields.set("worst");
}

void push_load(lua_State* lua, const std::optional<double>& load) {
  if (load) {
    lua_pushnumber(lua, *load);
  } else {
    lua_pushboolean(lua, 0);
  }
}

// The part of the page that is made at one time has the rows of one metric of a sweep:
// all of many points take far more memory as a page than as text.
struct ComparedPart {
  std::span<const ComparedRow> rows;
  bool is_first = true;
  bool is_last = true;
};

std::vector<ComparedPart> parts_of(const Comparison& comparison) {
  const std::span<const ComparedRow> all(comparison.rows);
  const auto cells = comparison.cells.size();
  if (comparison.layout == Layout::kRun || all.size() <= cells) return {{all}};
  std::vector<ComparedPart> parts;
  for (std::size_t i = 0; i < all.size(); i += cells) {
    parts.push_back({all.subspan(i, cells), i == 0, i + cells == all.size()});
  }
  return parts;
}

template <class Holds>
bool any_entry(const Comparison& comparison, const Holds& holds) {
  return std::any_of(
      comparison.rows.begin(), comparison.rows.end(), [&](const auto& row) {
        return std::any_of(row.entries.begin(), row.entries.end(), holds);
      });
}

void push_part(lua_State* lua, const Comparison& comparison, const ComparedPart& part) {
  const TableFields fields{lua};
  fields.flag("is_first", part.is_first);
  fields.flag("is_last", part.is_last);
  fields.flag("has_others", comparison.rows.size() > comparison.cells.size());
  fields.flag("has_best",
              any_entry(comparison, [](const auto& each) { return each.best; }));
  fields.flag("has_warning", any_entry(comparison, [](const auto& each) {
                return !each.warning.empty();
              }));
  if (comparison.rows.empty()) return;
  push_row(lua, comparison.rows.front());
  fields.set("first");
}

// With the rows of this part alone.
void push_comparison(lua_State* lua, const Comparison& comparison,
                     const ComparedPart& part) {
  const TableFields fields{lua};
  lua_createtable(lua, 0, 22);
  fields.text("layout", comparison.layout == Layout::kRun ? "run" : "sweep");
  push_texts(lua, comparison.policies);
  fields.set("policies");
  push_texts(lua, comparison.keys);
  fields.set("keys");
  if (part.is_last) {
    push_texts(lua, comparison.notes);
    fields.set("notes");
  }
  fields.list("cells", comparison.cells,
              [lua](const std::vector<std::string>& cell) { push_texts(lua, cell); });
  fields.list("loads", comparison.loads,
              [lua](const std::optional<double>& load) { push_load(lua, load); });
  fields.whole("replications", static_cast<std::int64_t>(comparison.replications));
  fields.text("basis", comparison.basis);
  fields.number("confidence", comparison.confidence);
  fields.text("primary", comparison.primary);
  fields.whole("comparisons", static_cast<std::int64_t>(comparison.comparisons));
  fields.list("rows", part.rows, [lua](const ComparedRow& row) { push_row(lua, row); });
  push_part(lua, comparison, part);
  fields.list("users", comparison.users,
              [lua](const HitUsers& hit) { push_hit(lua, hit); });
}

// Whether jobs wait and run: a study of cases has none.
bool has_jobs(std::span<const ComparedCell> cells) {
  const auto& policies = cells.front().policies;
  return !policies.empty() && policies.front().runs.front() != nullptr &&
         policies.front().runs.front()->summary.find("mean_wait") != nullptr;
}

// One call of a function of the tool.
struct Telling {
  const Comparison& comparison;
  ComparedPart part;
  const char* function;
  const SweepSource* sweep = nullptr;  // of notes
  bool has_overrun = false;
  sim::Overrun rule = sim::Overrun::kRunOn;
  bool is_terminal = false;  // of a page

  Page page{};
  std::vector<std::string> notes{};

  void read(lua_State* lua, int at) {
    TableReader reader(lua, kTool);
    if (sweep != nullptr) {
      notes = read_texts(reader, at);
    } else {
      page = read_page(reader, at);
    }
  }

  static int body(lua_State* lua) {
    auto& telling = *static_cast<Telling*>(lua_touserdata(lua, 1));
    luaL_checkstack(lua, 30, nullptr);
    Sandbox::push_result(lua);
    lua_getfield(lua, -1, telling.function);
    push_comparison(lua, telling.comparison, telling.part);
    if (telling.has_overrun) {
      lua_pushstring(lua, telling.rule == sim::Overrun::kKill ? "kill" : "run_on");
      lua_setfield(lua, -2, "overrun");
    }
    if (telling.sweep != nullptr) {
      push_sweep(lua, *telling.sweep);
    } else {
      lua_pushboolean(lua, telling.is_terminal ? 1 : 0);
    }
    lua_call(lua, 2, 1);
    const int at = lua_gettop(lua);
    return run_reader(lua, [&] { telling.read(lua, at); });
  }

  static inline const std::string kTool{"tools/comparison.lua"};
};

// The tool ends with the comparison that it is given, and keeps nothing of it.  It is
// loaded once, since that takes longer than a small run.
constexpr Limits kNoLimits{.time_seconds = 0, .memory_mib = 0};

void tell(Telling& telling) {
  thread_local auto sandbox = load_tool("comparison", kNoLimits);
  sandbox->enter(Telling::body, &telling, {"comparison", 1});
}

// What `write` makes of the page, part by part, with `between` them.
template <class Write>
std::string written(const Comparison& comparison, bool is_terminal,
                    std::string_view between, const Write& write) {
  std::string text;
  for (const auto& part : parts_of(comparison)) {
    Telling telling{comparison, part, "page"};
    telling.is_terminal = is_terminal;
    tell(telling);
    if (telling.page.parts.empty()) continue;
    if (!text.empty()) text += between;
    text += write(telling.page);
  }
  return text;
}

// How the waits of a run are close to those of its trace.
std::string fidelity_text(const Comparison& comparison, const PageStyle& style) {
  if (comparison.fidelity.empty()) return {};
  std::string text("\n");
  for (const auto& line : fidelity_lines(comparison.fidelity)) {
    text += berth::wrapped(plain_text(line, Newlines::kEscape), style.columns);
  }
  for (const auto& table : fidelity_tables(comparison.fidelity, style.columns)) {
    text += "\n" + aligned_text(table);
  }
  return text;
}

}  // namespace

std::vector<std::string> notes_on(const Comparison& comparison,
                                  std::span<const ComparedCell> cells,
                                  sim::Overrun rule) {
  const ComparedSweep sweep(comparison, cells);
  Telling telling{comparison, {comparison.rows}, "notes",
                  &sweep,     has_jobs(cells),   rule};
  tell(telling);
  return std::move(telling.notes);
}

std::string as_text(const Comparison& comparison, const PageStyle& style) {
  auto least = Fold::kAllWords;
  auto most = Fold::kNone;
  auto text = written(comparison, true, "\n", [&](const Page& page) {
    const auto own = fold_for(page, style);
    least = std::min(least, own);
    most = std::max(most, own);
    return as_text(page, style);
  });
  if (least < most) {
    auto folded = style;
    folded.least_fold = most;
    text = written(comparison, true, "\n",
                   [&](const Page& page) { return as_text(page, folded); });
  }
  return text + fidelity_text(comparison, style);
}

std::string as_markdown(const Comparison& comparison) {
  auto text = written(comparison, false, "\n",
                      [](const Page& page) { return as_markdown(page); });
  if (comparison.fidelity.empty()) return text;
  for (const auto& line : fidelity_lines(comparison.fidelity)) {
    text += "* " + for_markdown(line) + "\n";
  }
  for (const auto& table : fidelity_tables(comparison.fidelity, PageStyle().columns)) {
    text += "\n" + markdown_table(table);
  }
  return text;
}

std::string as_latex(const Comparison& comparison) {
  return written(comparison, false, "",
                 [](const Page& page) { return as_latex(page); });
}

}  // namespace berth::bindings
