#include "study/inputs/schedule_judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "engine/audit/life_check.hpp"
#include "engine/audit/placement_check.hpp"
#include "engine/audit/stretch_check.hpp"
#include "engine/audit/told_estimates.hpp"
#include "engine/base/error.hpp"
#include "engine/hosts/host_ranges.hpp"
#include "engine/machines/sharing_models.hpp"

namespace berth::study {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorCode::kUsage, why);
}

// The speed of a job where it was, by a law of its own; nullopt: it may not be there.
class SpeedReader {
 public:
  SpeedReader(const ModelSpec& spec, const ModelRecord& model)
      : places_(model.schedules.places(spec)), law_(model.schedules.law(spec)) {}
  std::optional<double> operator()(const audit::Stay& stay) const {
    const auto placement = places_(stay);
    if (!placement || law_->start(stay.job, &*placement, false)) return std::nullopt;
    const double speed = law_->fit()->speed(stay.job);
    law_->leave(stay.job);
    return speed;
  }

 private:
  audit::PlaceReader places_;
  std::shared_ptr<audit::Law> law_;
};

class Judge {
 public:
  Judge(const Point& point, const GivenSchedule& given, const JudgeRules& rules)
      : point_(point),
        given_(given),
        rules_(rules),
        model_(model_of(point.machine)),
        jobs_(point.jobs) {
    require_judge(model_);
    law_ = model_.schedules.law(spec());
    hosts_ = host_ranges(point.machine.processors, point.machine.resources);
  }

  audit::ScheduleReport run() {
    const bool has_kinds =
        !point_.machine.resources.empty() || law_->terms().has_any_width;
    if (has_kinds && rules_.easy) {
      refuse(
          "--promise: easy is judged on machines of processors alone, not of hosts or "
          "several kinds of resource");
    }
    const auto* limits = point_.settings.limits.get();
    if (rules_.easy && limits != nullptr && limits->stop) {
      refuse(
          "--promise: easy is not judged with limits.stop = true, since a schedule "
          "does "
          "not tell which jobs stand behind the one that stops");
    }
    const bool is_by_estimates = rules_.easy && !given_.estimates.empty();
    if (is_by_estimates && point_.machine.life.windows != nullptr) {
      refuse(
          "--promise: easy is not yet judged where a policy has estimates of its own "
          "beside machine.windows");
    }
    if (given_.stretches) {
      require_stretches_to_do();
      return by_stretches();
    }
    require_rows_to_do(has_kinds);
    auto found = audit::check_schedule(jobs_, given_.jobs->rows, rules_of_rows());
    if (form_of(point_.machine).keeps_stays) found.add(places(*given_.jobs));
    audit::HeldSchedule held;
    if (has_life()) {
      const auto rules = rules_of_life();
      held = audit::held_by_rows(jobs_, given_.jobs->rows, rules);
      found.add(judge_life(held, rules));
    }
    found.add(audit::check_estimates(jobs_, held.holds, given_.estimates));
    return found;
  }

 private:
  [[nodiscard]] ModelSpec spec() const {
    return {point_.machine, jobs_, point_.attributes, point_.settings.seed};
  }

  [[nodiscard]] bool has_life() const {
    return point_.machine.life.has_events() || point_.settings.limits != nullptr ||
           (rules_.easy && !given_.estimates.empty());
  }

  [[nodiscard]] audit::LifeRules rules_of_life() const {
    const auto& machine = point_.machine;
    audit::LifeRules rules{law_->widest(machine.processors)};
    rules.easy = rules_.easy;
    rules.min_planned = machine.min_planned;
    rules.life = machine.life;
    rules.hosts = hosts_;
    rules.limits = point_.settings.limits;
    rules.overruns = {machine.overrun_grace, machine.overrun_growth};
    rules.migration_cost = machine.migration_cost;
    rules.estimates = given_.estimates;
    return rules;
  }

  audit::ScheduleReport judge_life(const audit::HeldSchedule& held,
                                   const audit::LifeRules& rules) const {
    const auto rows = given_.jobs ? std::span<const audit::Scheduled>(given_.jobs->rows)
                                  : std::span<const audit::Scheduled>();
    return audit::check_life(jobs_, rows, held, rules);
  }

  // Whether a host is down for ever in the end.
  [[nodiscard]] bool lacks_hosts() const {
    if (point_.machine.life.events == nullptr) return false;
    std::map<std::int32_t, HostEvent::Kind> last;
    for (const auto& event : *point_.machine.life.events) last[event.host] = event.kind;
    return std::any_of(last.begin(), last.end(), [](const auto& each) {
      return each.second != HostEvent::Kind::kUp;
    });
  }

  // What rows of jobs alone do not tell.
  void require_rows_to_do(bool has_kinds) const {
    if (!law_->terms().guarantees_speed) {
      refuse(
          fmt::format("--schedule: on a machine with sharing = \"{}\" one row does not "
                      "tell how fast "
                      "a job ran when; give stretches.csv, too (--stretches)",
                      model_.name));
    }
    require_machine_columns(*given_.jobs, "allocated_resources");
    const bool needs_places = has_kinds && !model_.schedules.columns_tell_places;
    if (needs_places && !given_.jobs->has_processors) {
      refuse(
          "--schedule: on a machine with several kinds of resource or hosts it needs "
          "the "
          "column allocated_resources");
    }
    const bool has_hosts = point_.machine.life.events != nullptr;
    if (has_hosts && !given_.jobs->has_processors) {
      refuse("--schedule: where hosts go down it needs the column allocated_resources");
    }
    const auto& rows = given_.jobs->rows;
    const auto again = std::find_if(rows.begin(), rows.end(), [](const auto& row) {
      return row.attempts.value_or(1) > 1;
    });
    if (again != rows.end()) {
      throw Error(
          ErrorCode::kInput,
          fmt::format("--schedule: job {} had several attempts, and one row does not "
                      "tell where it was when; give stretches.csv (--stretches)",
                      jobs_[index(again->job)].id));
    }
    const auto moved = std::find_if(
        rows.begin(), rows.end(), [](const auto& row) { return row.suspensions > 0; });
    if (moved == rows.end()) return;
    throw Error(
        ErrorCode::kInput,
        fmt::format("--schedule: job {} was suspended, and one row does not tell "
                    "where it was when; give stretches.csv (--stretches)",
                    jobs_[index(moved->job)].id));
  }

  // `places`: the column of places.
  void require_machine_columns(const Schedule& schedule,
                               std::string_view places) const {
    if (schedule.has_machine_columns) return;
    std::vector<std::string_view> names;
    if (!model_.schedules.columns_tell_places) names.push_back(places);
    for (const auto& column : model_.place_columns) {
      if (column.is_needed) names.push_back(column.name);
    }
    refuse(fmt::format(
        "--schedule: on a machine with sharing = \"{}\" {} the column{} {}",
        model_.name, schedule.is_of_stretches ? "stretches need" : "it needs",
        names.size() == 1 ? "" : "s", fmt::join(names, " and ")));
  }

  void require_stretches_to_do() const {
    const auto& stays = given_.stretches->stays;
    const auto any = [&](auto wanted) {
      return std::any_of(stays.begin(), stays.end(), wanted);
    };
    const bool is_plain = std::all_of(stays.begin(), stays.end(), [](const auto& stay) {
      return stay.doing == audit::Doing::kRunning && stay.yield == 1 && !stay.tier;
    });
    if (rules_.easy && !is_plain) {
      refuse(
          "--promise: easy is judged where no job is suspended or slowed down, and in "
          "this schedule one is");
    }
    require_machine_columns(*given_.stretches, "resources");
    if (!law_->terms().guarantees_speed && !given_.jobs) {
      refuse(
          fmt::format("--schedule: on a machine with sharing = \"{}\" stretches do not "
                      "tell how a job ends; give jobs.csv, too",
                      model_.name));
    }
    const bool is_shared = any([](const audit::Stay& stay) {
      return stay.tier.has_value() ||
             (stay.doing == audit::Doing::kRunning && stay.yield != 1);
    });
    if (is_shared && !rules_.names_machine) {
      refuse(
          "--schedule: its jobs share processors, which those of a plain machine do "
          "not; "
          "name the scenario instead of the trace");
    }
    const bool suspends = any(
        [](const audit::Stay& stay) { return stay.doing == audit::Doing::kSuspended; });
    if (suspends && rules_.names_machine && !point_.machine.preemption) {
      refuse(
          "--schedule: jobs are suspended in it, and the scenario has no "
          "machine.preemption = true");
    }
  }

  [[nodiscard]] audit::ScheduleRules rules_of_rows() const {
    audit::ScheduleRules rules{law_->widest(point_.machine.processors)};
    rules.easy = rules_.easy && !has_life();
    rules.lacks_hosts = lacks_hosts();
    rules.min_planned = point_.machine.min_planned;
    rules.tolerance = rules_.tolerance;
    rules.submit_tolerance = rules_.submit_tolerance;
    rules.has_own_jobs = rules_.has_own_jobs;
    rules.kills = point_.machine.overrun == sim::Overrun::kKill;
    rules.limits_work = limits_work();
    if (law_->terms().has_any_width) {
      rules.never_fits = [this](JobId id) { return law_->fit()->never_fits(id); };
    }
    if (!law_->terms().speeds) return rules;
    const SpeedReader speed_of(spec(), model_);
    rules.speeds.assign(jobs_.size(), 1.0);
    for (const auto& stay : given_.jobs->stays) {
      rules.speeds[index(stay.job)] = speed_of(stay).value_or(1.0);
    }
    return rules;
  }

  [[nodiscard]] bool limits_work() const {
    const auto& speeds = law_->terms().speeds;
    return speeds && speeds->walltime_of == WalltimeOf::kWork;
  }

  audit::ScheduleReport by_stretches() {
    const auto never_fit = absent_that_never_fit();
    audit::StretchRules rules{[&never_fit](JobId id) { return never_fit[index(id)]; }};
    const auto& terms = law_->terms();
    if (terms.speeds) {
      // Where it is in no place of the machine, that is the fault.
      rules.speed = [of = SpeedReader(spec(), model_)](const audit::Stay& stay) {
        return std::optional(of(stay).value_or(stay.yield));
      };
    } else if (!terms.guarantees_speed) {
      rules.speed = [](const audit::Stay&) { return std::optional<double>(); };
    }
    rules.limits_work = limits_work();
    rules.kills = point_.machine.overrun == sim::Overrun::kKill;
    if (rules_.names_machine) rules.migration_cost = point_.machine.migration_cost;
    rules.tolerance = rules_.tolerance;
    rules.has_attempts = point_.machine.life.has_events();
    rules.lacks_hosts = lacks_hosts();
    audit::StretchedSchedule schedule{given_.stretches->stays, std::nullopt};
    if (given_.jobs) schedule.rows = given_.jobs->rows;
    auto found = audit::check_stretches(jobs_, schedule, rules);
    found.add(places(*given_.stretches));
    audit::HeldSchedule held;
    if (has_life() || rules_.easy) {
      const auto life = rules_of_life();
      held = audit::held_by_stays(
          jobs_, schedule.rows.value_or(decltype(schedule.rows)::value_type()),
          schedule.stretches, life);
      found.add(judge_life(held, life));
    }
    found.add(audit::check_estimates(jobs_, held.holds, given_.estimates));
    return found;
  }

  // By job, of those of which neither file tells: whether the empty machine has no
  // place for it, as it arrives.
  std::vector<bool> absent_that_never_fit() {
    std::vector<bool> is_there(jobs_.size());
    for (const auto& stay : given_.stretches->stays) is_there[index(stay.job)] = true;
    if (given_.jobs) {
      for (const auto& row : given_.jobs->rows) is_there[index(row.job)] = true;
    }
    const auto widest = law_->widest(point_.machine.processors);
    std::vector<bool> never_fit(jobs_.size());
    for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
      if (law_->fit() != nullptr) law_->fit()->arrive(JobId{i});
      if (is_there[i]) continue;
      never_fit[i] = jobs_[i].size > widest ||
                     (law_->fit() != nullptr && law_->fit()->never_fits(JobId{i}));
    }
    return never_fit;
  }

  audit::ScheduleReport places(const Schedule& of) {
    return audit::check_placements(jobs_, of.stays, model_.schedules.places(spec()),
                                   *law_);
  }

  const Point& point_;
  const GivenSchedule& given_;
  const JudgeRules& rules_;
  const ModelRecord& model_;
  std::span<const Job> jobs_;
  std::unique_ptr<audit::Law> law_;
  std::vector<Interval> hosts_;
};

bool is_barred_for_ever(const LimitSettings& settings, const Job& job) {
  for (std::size_t kind = 0; kind < kLimitScopes; ++kind) {
    const auto scope = static_cast<LimitScope>(kind);
    auto label = settings.label(scope, job);
    do {
      const auto limits = settings.table(scope).of(label);
      const bool is_barred = limits.running_jobs.value_or(1) < 1 ||
                             limits.processors.value_or(job.size) < job.size;
      if (is_barred) return true;
      label = settings.around(scope, label);
    } while (label != kUnknown);
  }
  return false;
}

// Whether jobs may begin to wait, or to be shown, within a pass, so that a schedule
// does not tell which starts of an instant came before.
bool comes_late(const Point& point) {
  const auto& tables = point.settings.limits->tables;
  return point.links != nullptr ||
         std::any_of(tables.begin(), tables.end(), [](const auto& table) {
           return table.each.waiting_jobs.has_value() ||
                  std::any_of(table.named.begin(), table.named.end(),
                              [](const auto& each) {
                                return each.second.waiting_jobs.has_value();
                              });
         });
}

}  // namespace

std::string wrong_life(const Point& point) {
  const auto& life = point.machine.life;
  if (life.has_checkpoints()) {
    return "verify: not yet where jobs write checkpoints (machine.on_failure = "
           "\"resume\")";
  }
  const auto* const limits = point.settings.limits.get();
  if (limits != nullptr && limits->has_guarantees() && comes_late(point)) {
    return "verify: not yet where accounts have guaranteed processors beside "
           "waiting_jobs or dependencies ([limits])";
  }
  const auto& model = model_of(point.machine);
  const ModelSpec spec{point.machine, point.jobs, point.attributes,
                       point.settings.seed};
  const bool shares = !model.schedules.law(spec)->terms().guarantees_speed;
  if (limits == nullptr || !shares) return {};
  return fmt::format(
      "verify: not yet where jobs of a machine with sharing = \"{}\" "
      "have limits ([limits])",
      model.name);
}

std::vector<bool> never_starting(const Point& point) {
  const std::span<const Job> all = point.jobs;
  const ModelSpec spec{point.machine, all, point.attributes, point.settings.seed};
  const auto law = model_of(point.machine).schedules.law(spec);
  auto* const fit = law->fit();
  const auto widest = law->widest(point.machine.processors);
  const auto* limits = point.settings.limits.get();
  std::vector<bool> never(all.size());
  // What arrived before may decide where an embedding looks.
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const JobId id{i};
    if (fit != nullptr) fit->arrive(id);
    never[i] = all[i].size > widest || (fit != nullptr && fit->never_fits(id)) ||
               (limits != nullptr && is_barred_for_ever(*limits, all[i]));
  }
  return never;
}

void require_judge(const ModelRecord& model) {
  if (model.schedules.law != nullptr) return;
  refuse(fmt::format(
      "machine.sharing = \"{}\": no law judges schedules of this machine", model.name));
}

ScheduleForm form_of(const sim::Machine& machine) {
  const auto& model = model_of(machine);
  const bool has_places = !model.place_columns.empty() || !machine.resources.empty();
  return {model.schedules.form,
          has_places,
          model.place_columns,
          {},
          model.schedules.columns_tell_places,
          false,
          {}};
}

std::int64_t rejected_though_fitting(const Point& point, const Schedule& jobs,
                                     const std::vector<bool>& is_refused) {
  const auto never = never_starting(point);
  return std::count_if(jobs.rows.begin(), jobs.rows.end(), [&](const auto& row) {
    const auto job = index(row.job);
    const bool is_rejected = row.state == audit::Stated::kRejected && !row.start;
    return is_rejected && !never[job] && (is_refused.empty() || !is_refused[job]);
  });
}

audit::ScheduleReport judge_schedule(const Point& point, const GivenSchedule& given,
                                     const JudgeRules& rules) {
  BERTH_ASSERT(given.jobs || given.stretches);
  return Judge(point, given, rules).run();
}

}  // namespace berth::study
