#include "bindings/tools/claims_script.hpp"

#include <fmt/format.h>

#include <utility>

#include "bindings/table_reader.hpp"
#include "bindings/tools/tool_script.hpp"

namespace berth::bindings {

// One call of what the tool returned.
struct ClaimsScript::Call {
  const std::string& file;
  const char* function;
  const std::vector<std::string>* only = nullptr;
  const Sweeps* sweeps = nullptr;
  std::span<const ClaimedMetric> metrics{};

  std::vector<std::string> problems{};
  DeclaredNames declared{};
  std::optional<std::string> unknown{};
  ClaimsAnswer answer{};
  double left = 0;  // rows to judge

  void push_sweeps(lua_State* lua) const {
    lua_newtable(lua);
    for (const auto& [name, sweep] : *sweeps) {
      push_sweep(lua, *sweep);
      lua_setfield(lua, -2, name.c_str());
    }
  }

  void push_facts(lua_State* lua) const {
    lua_newtable(lua);
    push_sweeps(lua);
    lua_setfield(lua, -2, "sweeps");
    lua_newtable(lua);
    lua_newtable(lua);
    lua_Integer i = 0;
    for (const auto& metric : metrics) {
      lua_newtable(lua);
      lua_pushlstring(lua, metric.unit.data(), metric.unit.size());
      lua_setfield(lua, -2, "unit");
      lua_pushstring(lua, metric.is_more_better ? "more" : "less");
      lua_setfield(lua, -2, "better");
      lua_setfield(lua, -3, metric.name.c_str());
      lua_pushlstring(lua, metric.name.data(), metric.name.size());
      lua_rawseti(lua, -2, ++i);
    }
    lua_setfield(lua, -3, "metric_names");
    lua_setfield(lua, -2, "metrics");
  }

  void push_argument(lua_State* lua) const {
    if (only != nullptr) return push_texts(lua, *only);
    if (sweeps == nullptr) return lua_pushnil(lua);
    if (metrics.empty()) return push_sweeps(lua);
    push_facts(lua);
  }

  // Reads the table that stands at `at`.
  void read(lua_State* lua, int at) {
    TableReader reader(lua, file);
    unknown = reader.text(at, "unknown");
    left = reader.number(at, "left").value_or(0);
    const auto texts = [&](const char* key, std::vector<std::string>& to) {
      if (reader.push(at, key) != LUA_TNIL) to = read_texts(reader, lua_gettop(lua));
      lua_pop(lua, 1);
    };
    texts("problems", problems);
    texts("sweeps", declared.sweeps);
    texts("metrics", declared.metrics);
    texts("unexpected", answer.unexpected);
    if (reader.push(at, "page") != LUA_TNIL) {
      answer.page = read_page(reader, lua_gettop(lua));
    }
    if (reader.push(at, "json") != LUA_TNIL) {
      answer.json = read_json(reader, lua_gettop(lua));
    }
    lua_pop(lua, 2);
  }

  static int body(lua_State* lua) {
    auto& call = *static_cast<Call*>(lua_touserdata(lua, 1));
    luaL_checkstack(lua, 20, nullptr);
    Sandbox::push_result(lua);
    lua_getfield(lua, -1, call.function);
    call.push_argument(lua);
    lua_call(lua, 1, 1);
    const int at = lua_gettop(lua);
    return run_reader(lua, [&] { call.read(lua, at); });
  }
};

ClaimsScript::ClaimsScript(LoadedSource file, ToolLibrary library, const Limits& limits)
    : file_(file.name) {
  sandbox_ = load_tool("claims", limits,
                       [own = std::move(file), others = std::move(library)](
                           std::string_view name) -> std::optional<LoadedSource> {
                         if (name == "claims") return own;
                         return others ? others(name) : std::nullopt;
                       });
}

ClaimsScript::~ClaimsScript() = default;

void ClaimsScript::throw_problems(const std::vector<std::string>& problems) const {
  if (problems.empty()) return;
  std::vector<std::string> lines;
  for (const auto& problem : problems) {
    const bool is_of_file = problem.starts_with(':');
    lines.push_back(is_of_file ? file_ + problem : sandbox_->with_whole_name(problem));
  }
  throw Error(ErrorCode::kInput, fmt::format("{}", fmt::join(lines, "\n")));
}

ClaimsScript::DeclaredNames ClaimsScript::declared(
    const std::vector<std::string>& only) {
  Call call{file_, "declared", &only};
  sandbox_->enter(Call::body, &call, {"reading of claims", 1});
  if (call.unknown) throw Error(ErrorCode::kUsage, *call.unknown);
  throw_problems(call.problems);
  return std::move(call.declared);
}

void ClaimsScript::check(const Sweeps& sweeps, std::span<const ClaimedMetric> metrics) {
  Call call{file_, "check", nullptr, &sweeps, metrics};
  sandbox_->enter(Call::body, &call, {"check of claims", 1});
  throw_problems(call.problems);
}

ClaimsAnswer ClaimsScript::judge(const Sweeps& sweeps) {
  Call next{file_, "judge", nullptr, &sweeps};
  // Bounded: a file has at most so many rows.
  do {
    sandbox_->enter(Call::body, &next, {"judgement of a claim", 1});
    next.sweeps = nullptr;
  } while (next.left > 0);
  Call call{file_, "answer"};
  sandbox_->enter(Call::body, &call, {"table of claims", 1});
  for (auto& row : call.answer.unexpected) row = sandbox_->with_whole_name(row);
  return std::move(call.answer);
}

namespace {

constexpr std::array kClaimKeys{
    Primitive{"[1]", "", "string", "The row: \"1a\".", "true"},
    Primitive{"says", "", "string",
              "The paper's sentence in one's own words, at most 72 characters.",
              "true"},
    Primitive{"figure", "", "string?",
              "Where the paper says it: \"Fig. 4a\", \"abstract\".", "true"},
    Primitive{"number", "", "number?", "The number that the paper prints.", "true"},
    Primitive{"within", "", "table?", "Bounds that the paper states: { least, most }.",
              "true"},
    Primitive{"unit", "", "string?",
              "Of number: \"%\" of the base (default), \"pp\" (percentage points), "
              "or the metric's.",
              "true"},
    Primitive{"sweep", "", "string|table",
              "The scenario beside the file; of a list the points of all.", "true"},
    Primitive{"at", "", "table?",
              "The points that are meant: { [\"workload.load\"] = { 0.8, 0.9 } }; "
              "without it all.",
              "true"},
    Primitive{"than", "", "string|table?",
              "The sweep whose gain is subtracted (larger_gain; up_to: its most).",
              "true"},
    Primitive{"than_metric", "", "string?",
              "The metric whose gain is subtracted (larger_gain).", "true"},
    Primitive{"against_in", "", "string|table?",
              "The sweep in which `against` ran, where it is another one.", "true"},
    Primitive{"of", "", "string|table",
              "Label of the policy; of a list the points of all.", "true"},
    Primitive{"against", "", "string|table?",
              "Label of the policy that it is set against; of a list the worst counts.",
              "true"},
    Primitive{"side", "", "string?",
              "\"better\" (default), or \"worse\": the sign is turned.", "true"},
    Primitive{"metric", "", "string", "Its name, also of a class: \"mean_wait@short\".",
              "true"},
    Primitive{"rule", "", "string",
              "What is claimed of the points: \"always\", \"mostly\", "
              "\"on_average\", \"larger_gain\", \"up_to\", \"grows\", "
              "\"grows_always\", \"same\", \"no_better\", \"value\" or \"values\".",
              "true"},
    Primitive{"weight", "", "string?",
              "\"jobs\": points count by the jobs behind their values, and where there "
              "are none not at all (on_average, value, up_to, grows).",
              "true"},
    Primitive{
        "pooled", "", "string?",
        "\"mean\" or \"most\": the gain is that of the mean, or of the largest value, "
        "over all points (on_average, same, no_better).",
        "true"},
    Primitive{"interval", "", "string?",
              "\"points\": over the points, each its mean over the seeds.", "true"},
    Primitive{"readings", "", "table?",
              "Rows under this one, each { \"name\", ... } with the keys that it "
              "overrides.",
              "true"},
    Primitive{"assumes", "", "string|table?", "What was assumed: footnotes.", "true"},
    Primitive{"note", "", "string|table?", "Footnotes.", "true"},
    Primitive{"given", "", "string?", "The claim is not judged, and this says why.",
              "true"},
    Primitive{"own", "", "boolean?",
              "True: it is not of the paper, and stands in a table of its own.",
              "true"},
    Primitive{"expect", "", "string?", "The verdict; another one is exit status 1.",
              "true"},
    Primitive{"margin", "", "number?", "Of this claim, as in `paper`.", "true"},
    Primitive{"least", "", "number?", "Of this claim, as in `paper`.", "true"},
    Primitive{"size", "", "number?", "Of this claim, as in `paper`.", "true"},
};
constexpr std::array kPaperKeys{
    Primitive{"title", "", "string?", "Of the paper.", "true"},
    Primitive{"by", "", "string?", "Its authors and year.", "true"},
    Primitive{"axis", "", "string?",
              "The setting along which points are named: \"workload.load\".", "true"},
    Primitive{"axis_name", "", "string?",
              "How tables call it: \"load\"; without it \"point\".", "true"},
    Primitive{"label", "", "function?",
              "Called with a value of the axis; answers what tables write.", "true"},
    Primitive{"interval", "", "string?",
              "\"seeds\" (default), or \"batches\" where a point has one run.", "true"},
    Primitive{"draws", "", "string?",
              "What the seeds draw anew; the head of the table says it.", "true"},
    Primitive{"confidence", "", "number?", "Of intervals and verdicts; without it 0.9.",
              "true"},
    Primitive{"margin", "", "number?",
              "A difference that is smaller is none; without it 1.", "true"},
    Primitive{"least", "", "number?",
              "From so much on the wrong side on a claim is opposite; without it 5.",
              "true"},
    Primitive{"size", "", "number?",
              "A number is as in the paper within this part of it; without it 1/3.",
              "true"},
    Primitive{"assumes", "", "string|table?", "What all claims assume: footnotes.",
              "true"},
    Primitive{"found", "", "string|table?",
              "What holds, what does not, and why: lines above the table.", "true"},
};

constexpr std::array kFigureKeys{
    Primitive{"[1]", "", "string", "Its name in the paper: \"Fig. 8\".", "true"},
    Primitive{"says", "", "string", "What it shows, at most 72 characters.", "true"},
    Primitive{"sweep", "", "string|table",
              "The scenario beside the file; of a list the series of all.", "true"},
    Primitive{"of", "", "string|table",
              "Label of the policy; of a list one series each.", "true"},
    Primitive{"metric", "", "string", "Its name, also of a class: \"mean_wait@short\".",
              "true"},
    Primitive{"at", "", "table?", "The points that are meant, as in `claim`.", "true"},
    Primitive{"unit", "", "string?", "\"%\" for a fraction; else the metric's.",
              "true"},
    Primitive{"numbers", "", "table?",
              "What the paper prints, by series and point: "
              "{ [\"bgmbf\"] = { [\"1.9\"] = 350 } }.",
              "true"},
};

}  // namespace

std::span<const Family> claim_families() {
  static constexpr std::array kAll{
      Family{"Claim", "claim", "What a file of claims declares: claim { ... }.",
             kClaimKeys},
      Family{"Paper", "paper", "What holds for all claims of a file: paper { ... }.",
             kPaperKeys},
      Family{"ClaimFigure", "figure",
             "A figure of the paper, from the points of sweeps: figure { ... }.",
             kFigureKeys},
  };
  return kAll;
}

}  // namespace berth::bindings
