#include "bindings/tools/run.hpp"

#include <algorithm>
#include <array>

#include "bindings/arguments.hpp"
#include "bindings/tools/calls.hpp"
#include "bindings/tools/run_jobs.hpp"
#include "engine/base/error.hpp"
#include "engine/metrics/count_names.hpp"

namespace berth::bindings {

namespace {

// Upvalues of every function of the object: the object, and where what it made is kept.
const RunObject& object_of(lua_State* lua) {
  const auto& object =
      *static_cast<const RunObject*>(lua_touserdata(lua, lua_upvalueindex(1)));
  if (object.is_over()) luaL_error(lua, kRunIsOver);
  return object;
}

void push_view(lua_State* lua, std::string_view text) {
  lua_pushlstring(lua, text.data(), text.size());
}

void set(lua_State* lua, std::string_view name) {
  push_view(lua, name);
  lua_insert(lua, -2);
  lua_rawset(lua, -3);
}

// Upvalues: the fields, what owns them.
int closed_member(lua_State* lua) {
  const char* owner = lua_tostring(lua, lua_upvalueindex(2));
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  std::array<const char*, 64> keys{};
  std::size_t count = 0;
  lua_pushnil(lua);
  while (lua_next(lua, lua_upvalueindex(1)) != 0) {
    lua_pop(lua, 1);
    const bool is_kept = lua_type(lua, -1) == LUA_TSTRING && count < keys.size();
    if (is_kept) keys[count++] = lua_tostring(lua, -1);  // Lua owns it in the table
  }
  std::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count),
            [](const char* a, const char* b) {
              return std::string_view(a) < std::string_view(b);
            });
  no_such_name(lua, owner, 2, [&](KnownNames& names) {
    names.assign(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count));
  });
}

// Turns the table of fields on top into one that only answers.
void close_fields(lua_State* lua, const char* owner) {
  lua_newtable(lua);
  lua_insert(lua, -2);
  lua_pushstring(lua, owner);
  lua_pushcclosure(lua, closed_member, 2);
  close_table(lua, owner);
}

}  // namespace

void push_counts(lua_State* lua, const Summary& summary) {
  const auto add = [&](const char* name, std::int64_t count) {
    lua_pushinteger(lua, count);
    set(lua, name);
  };
  lua_newtable(lua);
  add("submitted", summary.jobs.submitted);
  add("rejected", summary.jobs.rejected());
  add("rejected_never_fits", summary.jobs.rejected_never_fits);
  for (const auto& [name, count] : kOutcomeCounts) add(name, summary.jobs.*count);
  for (const auto& [name, count] : kRejectionCounts) add(name, summary.jobs.*count);
  for (const auto& [name, count] : kRunCounts) add(name, summary.counts.*count);
  close_fields(lua, "run.counts");
}

namespace {

void push_time(lua_State* lua, const std::optional<Time>& time) {
  push_number_or_nil(lua, time ? std::optional(to_seconds(*time)) : std::nullopt);
}

void push_run_counts(lua_State* lua, const RunObject& object) {
  push_counts(lua, *object.run().summary);
}

int no_rule(lua_State*) { return 0; }

// A run that breaks a rule has no result, so that there is no count of what was broken.
void push_audited(lua_State* lua, const RunObject& object) {
  const auto* checked = object.run().checked;
  if (checked == nullptr) return lua_pushnil(lua);
  lua_newtable(lua);
  for (const auto& [rule, count] : *checked) {
    lua_pushinteger(lua, count);
    set(lua, rule);
  }
  lua_pushcfunction(lua, no_rule);
  close_table(lua, "run.audited");
}

void push_window(lua_State* lua, const RunObject& object) {
  const auto [from, to] = object.window();
  lua_newtable(lua);
  push_time(lua, from);
  set(lua, "from");
  push_time(lua, to);
  set(lua, "to");
  close_fields(lua, "run.window");
}

void push_kinds(lua_State* lua, const std::vector<ResourceKind>& kinds) {
  lua_newtable(lua);
  lua_Integer i = 0;
  for (const auto& kind : kinds) {
    lua_newtable(lua);
    push_view(lua, kind.name);
    set(lua, "name");
    lua_pushinteger(lua, kind.capacity);
    set(lua, "amount");
    close_fields(lua, "a kind");
    lua_rawseti(lua, -2, ++i);
  }
}

void push_hosts(lua_State* lua, const sim::Machine& machine) {
  lua_newtable(lua);
  lua_Integer i = 0;
  for (const auto& group : machine.resources.hosts) {
    lua_newtable(lua);
    push_view(lua, group.name);
    set(lua, "name");
    lua_pushinteger(lua, group.count);
    set(lua, "count");
    close_fields(lua, "a group of hosts");
    lua_rawseti(lua, -2, ++i);
  }
}

void push_levels(lua_State* lua, const RunObject& object) {
  constexpr std::string_view kOfKind = "used_";
  lua_newtable(lua);
  lua_newtable(lua);
  for (const auto& [name, steps] : object.run().levels) {
    const bool is_kind = name.starts_with(kOfKind);
    push_steps(lua, steps);
    const auto shown =
        std::string_view(name).substr(is_kind ? kOfKind.size() : std::size_t{0});
    push_view(lua, shown);
    lua_insert(lua, -2);
    lua_rawset(lua, is_kind ? -3 : -4);
  }
  close_fields(lua, "run.levels.kind");
  set(lua, "kind");
  close_fields(lua, "run.levels");
}

void push_setting(lua_State* lua, const SettingValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    lua_pushboolean(lua, *flag ? 1 : 0);
  } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    lua_pushinteger(lua, *whole);
  } else if (const auto* real = std::get_if<double>(&value)) {
    lua_pushnumber(lua, *real);
  } else {
    push_view(lua, std::get<std::string>(value));
  }
}

// Runs work(); what it refuses (Error{kUsage}) is then the sandbox's scratch text.
template <class Work>
bool is_refused(lua_State* lua, const Work& work) {
  bool refused = false;
  work_outside(lua, 0, [&](Budget&) {
    try {
      work();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUsage) throw;
      Sandbox::of(lua).scratch() = error.what();
      refused = true;
    }
  });
  return refused;
}

std::string_view name_at(lua_State* lua, int at, const char* what) {
  if (lua_type(lua, at) != LUA_TSTRING) {
    luaL_error(lua, "%s, got %s", what, luaL_typename(lua, at));
  }
  std::size_t length = 0;
  const char* text = lua_tolstring(lua, at, &length);
  return {text, length};
}

int setting_member(lua_State* lua) {
  const auto& run = object_of(lua).run();
  const auto key = name_at(lua, 2, "a setting has a name such as \"workload.load\"");
  auto& kept = Sandbox::of(lua).scratch();
  SettingValue value;
  bool is_open = true;
  const bool refused = is_refused(lua, [&] {
    const auto found = run.setting ? run.setting(key) : std::nullopt;
    is_open = !found;
    if (!found) return;
    value = *found;
    // A text outlives a raise in the scratch alone.
    if (auto* text = std::get_if<std::string>(&value)) kept = std::exchange(*text, {});
  });
  if (refused) raise_scratch_text(lua);
  if (is_open) return 0;
  if (std::holds_alternative<std::string>(value)) {
    push_view(lua, kept);
  } else {
    push_setting(lua, value);
  }
  return 1;
}

void push_settings(lua_State* lua, const RunObject& object) {
  lua_newtable(lua);
  lua_pushlightuserdata(lua, const_cast<RunObject*>(&object));
  lua_pushcclosure(lua, setting_member, 1);
  close_table(lua, "run.settings");
}

int metric(lua_State* lua) {
  const auto& summary = *object_of(lua).run().summary;
  const auto name = name_at(lua, 2, "run:metric takes a name such as \"mean_wait\"");
  const auto* found = summary.find(name);
  if (found == nullptr) {
    no_such_name(lua, "a run", 2, [&](KnownNames& names) {
      for (const auto& each : summary.metrics) names.push_back(each.name);
    });
  }
  push_number_or_nil(lua, found->value);
  lua_pushinteger(lua, found->n);
  return 2;
}

}  // namespace

// A frame of a run until it is over.
class RunObject::UntilOver final : public FrameSource {
 public:
  UntilOver(Source source, std::shared_ptr<const bool> is_over)
      : source_(std::move(source)), is_over_(std::move(is_over)) {}
  [[nodiscard]] std::size_t rows() const override { return source_->rows(); }
  [[nodiscard]] std::string_view what() const override { return source_->what(); }
  [[nodiscard]] std::span<const std::string> names() const override {
    return source_->names();
  }
  [[nodiscard]] ColumnPtr make(std::string_view name) const override {
    if (*is_over_) throw Error(ErrorCode::kPolicy, kRunIsOver);
    return source_->make(name);
  }

 private:
  Source source_;
  std::shared_ptr<const bool> is_over_;
};

namespace {

int run_member(lua_State* lua);

// Null: it is no run.
const RunObject* run_at(lua_State* lua, int at) {
  if (lua_getmetatable(lua, at) == 0) return nullptr;
  lua_pushliteral(lua, "__index");
  lua_rawget(lua, -2);
  const RunObject* found = nullptr;
  if (lua_tocfunction(lua, -1) == run_member) {
    lua_getupvalue(lua, -1, 1);
    found = static_cast<const RunObject*>(lua_touserdata(lua, -1));
    lua_pop(lua, 1);
  }
  lua_pop(lua, 2);
  return found;
}

}  // namespace

// What is pushed for each member, once.
struct RunMembers {
  static void policy(lua_State* lua, const RunObject& object) {
    push_view(lua, object.run().policy);
  }
  static void title(lua_State* lua, const RunObject& object) {
    push_view(lua, object.run().title);
  }
  static void seed(lua_State* lua, const RunObject& object) {
    lua_pushinteger(lua, static_cast<lua_Integer>(object.run().seed));
  }
  static void machine(lua_State* lua, const RunObject& object) {
    const auto& machine = *object.run().machine;
    lua_newtable(lua);
    lua_pushinteger(lua, machine.processors);
    set(lua, "processors");
    push_view(lua, machine.sharing);
    set(lua, "sharing");
    push_kinds(lua, object.kinds_);
    set(lua, "kinds");
    push_hosts(lua, machine);
    set(lua, "hosts");
    close_fields(lua, "run.machine");
  }
  static RunObject::Source all_jobs(const RunObject& object) {
    const auto& run = object.run();
    if (object.outcomes_ == nullptr) {
      SubmittedJobs submitted(run.workload, run.attributes);
      if (run.starts.empty()) {
        return std::make_shared<SubmittedJobs>(std::move(submitted));
      }
      return std::make_shared<ReplayedJobs>(std::move(submitted), run.starts);
    }
    std::vector<JobId> all;
    all.reserve(object.outcomes_->jobs());
    for (std::uint32_t i = 0; i < object.outcomes_->jobs(); ++i) {
      all.push_back(JobId{i});
    }
    return std::make_shared<RunJobs>(
        run, object.outcomes_,
        std::make_shared<const std::vector<JobId>>(std::move(all)));
  }
  static void jobs(lua_State* lua, const RunObject& object) {
    push_frame_of(lua, object, "jobs", [&] { return all_jobs(object); });
  }
  static void finished(lua_State* lua, const RunObject& object) {
    push_frame_of(lua, object, "finished", [&] {
      return std::make_shared<RunJobs>(object.run(), object.outcomes_,
                                       object.finished_);
    });
  }
  static void users(lua_State* lua, const RunObject& object) {
    push_frame_of(lua, object, "users", [&] {
      return users_of(*object.run().summary, &object.run().weights);
    });
  }

  template <auto kFrame>
  static void explained(lua_State* lua, const RunObject& object) {
    constexpr bool kIsWaits = kFrame == &ToolRun::waits;
    constexpr bool kIsBlocks = kFrame == &ToolRun::blocks;
    const char* name = kIsWaits ? "waits" : kIsBlocks ? "blocks" : "blockers";
    const auto& source = object.run().*kFrame;
    if (source == nullptr) {
      luaL_error(lua,
                 "run.%s is there in `berth explain`, and for a metric with needs = { "
                 "\"reasons\" }",
                 name);
    }
    push_frame_of(lua, object, name, [&] { return source; });
  }

  static void others(lua_State* lua, const RunObject& object) {
    lua_newtable(lua);
    for (const auto& other : object.others_) {
      other->push(lua);
      set(lua, other->run().policy);
    }
    close_fields(lua, "run.others");
  }

  // The jobs of the first argument's and of the second's `finished` with equal numbers.
  static int common(lua_State* lua) {
    const auto& own = object_of(lua);
    const auto* other = run_at(lua, 2);
    if (other == nullptr) {
      return luaL_error(lua, "run:common takes another run, got %s",
                        luaL_typename(lua, 2));
    }
    if (other->is_over()) return luaL_error(lua, kRunIsOver);
    if (own.finished() == nullptr || other->finished() == nullptr) {
      return luaL_error(lua, "run:common is of runs with results");
    }
    std::array<const RunObject::Source*, 2> made{};
    work_outside(lua, 0, [&](Budget& budget) {
      auto rows = jobs_of_both(own, *other, budget);
      made = {&own.keep("common", std::move(rows.first)),
              &other->keep("of another", std::move(rows.second))};
    });
    for (const auto* each : made) push_frame(lua, *each);
    return 2;
  }

  // The object owns the source, since Lua may raise.
  template <class Make>
  static void push_frame_of(lua_State* lua, const RunObject& object, const char* name,
                            const Make& make) {
    const RunObject::Source* source = nullptr;
    work_outside(lua, 0, [&](Budget&) {
      auto& kept = object.frames_[name];
      if (kept == nullptr) {
        kept = std::make_shared<RunObject::UntilOver>(make(), object.is_over_);
      }
      source = &kept;
    });
    push_frame(lua, *source);
  }
};

namespace {

struct Member {
  Primitive primitive;
  void (*push)(lua_State*, const RunObject&) = nullptr;
};

constexpr std::array kRunMembers{
    Member{
        {"policy", "", "string", "The label of the policy.", "run.policy == \"fcfs\""},
        RunMembers::policy},
    Member{{"title", "", "string", "The title of the scenario.", "#run.title >= 0"},
           RunMembers::title},
    Member{{"seed", "", "integer", "The seed.", "run.seed == 1"}, RunMembers::seed},
    Member{{"counts", "", "table",
            "Counts as in summary.json: submitted, rejected, finished, kills, passes, "
            "...",
            "run.counts.finished == 2"},
           push_run_counts},
    Member{{"audited", "", "table?",
            "How often the audit checked each rule of docs/model.md, by its code; of a "
            "rule that it never checked nil. A run that breaks one has no results. nil "
            "without an audit.",
            "not run.audited or run.audited.W1 == 2"},
           push_audited},
    Member{{"window", "", "table",
            "What is measured: from and to, in seconds; nil where no job submitted or "
            "ended.",
            "run.window.to - run.window.from == 60"},
           push_window},
    Member{{"settings", "", "table",
            "The settings in force, by key; nil where one is left open.",
            "run.settings[\"machine.processors\"] == 4"},
           push_settings},
    Member{
        {"machine", "", "table",
         "The machine: processors, sharing, kinds (a list of name and amount), hosts "
         "(a list of name and count).",
         "run.machine.kinds[1].amount == 4"},
        RunMembers::machine},
    Member{
        {"jobs", "", "Frame",
         "All submitted jobs, in the order (submit, id): whole numbers id, size, "
         "user, group, queue, partition, executable, kills, migrations, swaps, "
         "suspensions; times submit, walltime, length, start, finish, wait, response, "
         "lost_time, and eet with expectations; numbers slowdown, bounded_slowdown, "
         "stretch, area, need.KIND and what else the machine tells; text state: "
         "finished, failed, rejected or left.",
         "#run.jobs == 2"},
        RunMembers::jobs},
    Member{{"finished", "", "Frame",
            "The measured jobs that finished, over which the built-in means are; in a "
            "metric over a class of jobs, those of the class.",
            "run.finished.wait:mean() == 15"},
           RunMembers::finished},
    Member{{"users", "", "Frame",
            "A row for each user: user, weight, jobs, finished, mean_wait, "
            "mean_bounded_slowdown, processor_seconds.",
            "#run.users == 1"},
           RunMembers::users},
    Member{
        {"waits", "", "Frame",
         "In `berth explain`, and with needs = { \"reasons\" }: a row for each job and "
         "reason, by job: job, its row in jobs; reason; rank, the place of the reason "
         "in the order of "
         "`berth api reasons`; times seconds, first, last; passes; blocker, the row "
         "of the job in the way longest, 0 for none; waited, true once for each job "
         "that waited.",
         "run.waits:by('job'):count():min() >= 1"},
        RunMembers::explained<&ToolRun::waits>},
    Member{{"blocks", "", "Frame",
            "As waits: a row for each job, reason and job in the way: "
            "job, the row of the latter, and seconds.",
            "run.blocks.job[1] == 1"},
           RunMembers::explained<&ToolRun::blocks>},
    Member{{"blockers", "", "Frame",
            "As waits: a row for each job that was in the way, by job: job, its row in "
            "jobs; seconds, the sum of those of blocks; waits, how many rows of waits.",
            "run.blockers.job[1] == 1"},
           RunMembers::explained<&ToolRun::blockers>},
    Member{{"levels", "", "table",
            "Step functions queue, used, idle and kind.NAME; whole with needs = { "
            "\"levels\" }, else in bins, on which :at raises.",
            "run.levels.used:max() == 4"},
           push_levels},
    Member{{"others", "", "table",
            "Runs of the same jobs under other policies, by label: in `berth explain "
            "--between`.",
            "run.policy == \"fcfs\""},
           RunMembers::others},
    Member{{"common", "other: ToolRun", "Frame, Frame",
            "Row for row the jobs that finished, measured, in this run and in another "
            "one, by number: frames like finished.",
            "#run:common(run) == 2", RunMembers::common}},
    Member{{"metric", "name: string", "number?, integer n",
            "A metric of the run, and the jobs behind it; nil if it is undefined.",
            "run:metric(\"mean_wait\") == 15", metric}},
};

constexpr auto kPrimitives = [] {
  std::array<Primitive, kRunMembers.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kRunMembers[i].primitive;
  return all;
}();

// Upvalues: the object, what it has pushed.
int run_member(lua_State* lua) {
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, lua_upvalueindex(2)) != LUA_TNIL) return 1;
  const bool is_name = lua_type(lua, 2) == LUA_TSTRING;
  const std::string_view name = is_name ? lua_tostring(lua, 2) : "";
  const auto* const at =
      std::find_if(kRunMembers.begin(), kRunMembers.end(),
                   [&](const auto& member) { return member.primitive.name == name; });
  if (at == kRunMembers.end()) {
    no_such_name(lua, "a run", 2, [](KnownNames& names) {
      for (const auto& member : kRunMembers) names.push_back(member.primitive.name);
    });
  }
  const bool has_results = object_of(lua).run().outcomes != nullptr;
  constexpr std::string_view kAlways[] = {"policy",  "title",   "seed",   "settings",
                                          "machine", "jobs",    "others", "waits",
                                          "blocks",  "blockers"};
  const bool is_there = has_results || std::find(std::begin(kAlways), std::end(kAlways),
                                                 name) != std::end(kAlways);
  if (!is_there) {
    luaL_error(lua, "a run that is explained has no '%s'", at->primitive.name.data());
  }
  if (at->push != nullptr) {
    at->push(lua, object_of(lua));
  } else {
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_pushcclosure(lua, at->primitive.call, 1);
  }
  lua_pushvalue(lua, 2);
  lua_pushvalue(lua, -2);
  lua_rawset(lua, lua_upvalueindex(2));
  return 1;
}

}  // namespace

const RunObject::Source& RunObject::keep(std::string_view name,
                                         std::vector<JobId> rows) const {
  auto of = std::make_shared<const std::vector<JobId>>(std::move(rows));
  return frames_[name] = std::make_shared<UntilOver>(
             std::make_shared<RunJobs>(run_, outcomes_, std::move(of)), is_over_);
}

void RunObject::push(lua_State* lua) const {
  lua_newtable(lua);
  push_with(lua);
}

void RunObject::close() {
  for (const auto& other : others_) other->close();
  *is_over_ = true;
  kinds_.clear();
  outcomes_.reset();
  finished_.reset();
  frames_.clear();
}

void RunObject::push_with(lua_State* lua) const {
  lua_newtable(lua);
  lua_insert(lua, -2);
  lua_pushlightuserdata(lua, const_cast<RunObject*>(this));
  lua_insert(lua, -2);
  lua_pushcclosure(lua, run_member, 2);
  close_table(lua, "a run");
}

const Family& tool_run_family() {
  static constexpr Family kRun{"ToolRun", "run", "The run that a metric is given.",
                               kPrimitives};
  return kRun;
}

}  // namespace berth::bindings
