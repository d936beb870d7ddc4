#include "study/debug/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "bindings/sandbox/code_lines.hpp"
#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/base/printable.hpp"
#include "engine/explain/judge.hpp"
#include "engine/explain/words.hpp"
#include "engine/machines/sharing_models.hpp"
#include "study/common/exit_code.hpp"
#include "study/debug/command_line.hpp"
#include "study/debug/views.hpp"
#include "study/runs/single_run.hpp"

namespace berth::study {

namespace {

// Leaves a run, to make it again.
struct Again {};
struct Quit {};

// The kinds of place at which a run that goes on stops.
enum class Mode : std::uint8_t { kFree, kEvent, kAction, kPass, kTime, kPassNumber };

struct Resume {
  Mode mode = Mode::kPass;
  Time time = 0;
  std::int64_t number = 0;
};

struct Breakpoint {
  enum class Kind : std::uint8_t { kJob, kPass, kWhen, kLine };
  Kind kind = Kind::kPass;
  std::int64_t number = 0;  // of the job, the pass or the line
  std::string text;         // submit, start, end or any; the expression; the file
};

std::string breakpoint_text(const Breakpoint& at) {
  switch (at.kind) {
    case Breakpoint::Kind::kJob:
      return fmt::format("job {}{}{}", at.number, at.text.empty() ? "" : " ", at.text);
    case Breakpoint::Kind::kPass: return fmt::format("pass {}", at.number);
    case Breakpoint::Kind::kWhen: return "when " + printable(at.text);
    case Breakpoint::Kind::kLine: return fmt::format("{}:{}", at.text, at.number);
  }
  return {};
}

bool is_event(const sim::Record& record) {
  return std::holds_alternative<sim::SubmitRecord>(record) ||
         std::holds_alternative<sim::EndRecord>(record) ||
         std::holds_alternative<sim::UnfreezeRecord>(record) ||
         std::holds_alternative<sim::HostRecord>(record) ||
         std::holds_alternative<sim::WindowRecord>(record) ||
         std::holds_alternative<sim::HitRecord>(record);
}

bool is_action(const sim::Record& record) {
  return std::holds_alternative<sim::StartRecord>(record) ||
         std::holds_alternative<sim::SuspendRecord>(record) ||
         std::holds_alternative<sim::RejectRecord>(record) ||
         std::holds_alternative<sim::ChangeRecord>(record) ||
         std::holds_alternative<sim::PlanRecord>(record) ||
         std::holds_alternative<sim::ReservationRecord>(record);
}

// Of which job, and which of the three things of its life.
std::pair<std::optional<JobId>, std::string_view> subject_of(
    const sim::Record& record) {
  if (const auto* each = std::get_if<sim::SubmitRecord>(&record)) {
    return {each->who.id, "submit"};
  }
  if (const auto* each = std::get_if<sim::StartRecord>(&record)) {
    return {each->who.id, "start"};
  }
  if (const auto* each = std::get_if<sim::EndRecord>(&record)) {
    return {each->who.id, "end"};
  }
  return {};
}

class Session final : public sim::Observer, public sim::Inspector {
 public:
  explicit Session(const DebugSetup& setup) : setup_(setup), out_(setup.out) {}

  int run() {
    try {
      while (true) run_once();
    } catch (const Quit&) {
      return has_erred_ && setup_.echo ? 2 : 0;
    }
  }

  // --- what the run tells ---

  [[nodiscard]] sim::RecordKinds wants() const override { return sim::kAllKinds; }
  void note(const sim::Record& record) override {
    ++moment_;
    lines_ = 0;
    if (const auto* start = std::get_if<sim::StartRecord>(&record)) {
      notes_->started(start->who.id);
    } else if (const auto* stopped = std::get_if<sim::SuspendRecord>(&record)) {
      notes_->suspended(stopped->who.job->size);
    }
    const auto text = record_text(record, *simulation_);
    if (text.empty()) return;
    remember(text);
    if (const auto here = arrival()) return *here ? stop(text) : void();
    const bool is_met = (resume_.mode == Mode::kEvent && is_event(record)) ||
                        (resume_.mode == Mode::kAction && is_action(record));
    if (is_met || is_wanted()) return stop(text);
    const auto [job, what] = subject_of(record);
    if (!job) return;
    const auto number = simulation_->world().jobs().job(*job).id;
    for (const auto& each : breakpoints_) {
      const bool is_this = each.kind == Breakpoint::Kind::kJob &&
                           each.number == number &&
                           (each.text.empty() || each.text == what);
      if (is_this) return stop(text);
    }
  }
  void finish(Time) override {
    is_over_ = true;
    pending_.reset();
    stop("the run is over");
  }

  void shown(const sim::Simulation& simulation, std::size_t order,
             const Place& place) override {
    notes_->shown(simulation, order, place);
  }
  void ended(const sim::Simulation& simulation, std::size_t order,
             sim::SelectionEnd how, const Place* at) override {
    notes_->ended(simulation, order, how, at);
  }
  using sim::Observer::ended;
  void refused(const sim::Simulation& simulation, JobId job, Refusal why) override {
    notes_->refused(simulation, job, why);
  }
  using sim::Observer::passed;
  void passed(const sim::Simulation& simulation, sim::PassKind kind) override {
    ++moment_;
    lines_ = 0;
    ++passes_;
    notes_->close(simulation);
    at_pass_ = true;
    const auto text = fmt::format("pass {}{}", passes_,
                                  kind == sim::PassKind::kLeftOut ? ", left out" : "");
    const auto here = arrival();
    if (here ? *here : is_pass_met() || is_wanted()) stop(text);
    at_pass_ = false;
    notes_->clear();
  }

 private:
  // --- one run ---

  void run_once() {
    simulation_ = nullptr;
    moment_ = 0;
    lines_ = 0;
    passes_ = 0;
    is_over_ = false;
    recent_.clear();
    DebugSetup::LineSink sink;
    if (has_line_breakpoints()) {
      sink = [this](std::string_view file, int line) { come_to_line(file, line); };
    }
    policy_ = setup_.load(sink);
    if (policy_->policy) policy_->policy->keep_users();
    if (policy_->recorded) {
      policy_->recorded->replay(setup_.prepared.workload->loaded.workload,
                                setup_.prepared.scenario);
    }
    const auto point = point_for(setup_.prepared.point, *policy_);
    ModelSpec spec{point.machine, point.jobs, point.attributes, point.settings.seed};
    if (point.releases != nullptr) spec.order = point.releases->order();
    sim::Simulation simulation(point.machine, point.settings, point.jobs,
                               policy_->decider(), model_of(point.machine).make(spec),
                               point.releases.get());
    simulation_ = &simulation;
    jobs_ = point.jobs;
    notes_.emplace(&policy_->decider());
    simulation.audience().observe(*this);
    simulation.audience().inspect(*this);
    try {
      simulation.advance(kNever);
      simulation.finish();
    } catch (const Again&) {
      return;
    } catch (const Interrupted&) {
      clear_interrupt();
      pending_ = Position{moment_, 0};
      resume_ = {Mode::kPass};
      is_prompt_wanted_ = true;
    } catch (const Error& error) {
      is_over_ = true;
      pending_.reset();
      out_ << message_text(error.what()) << '\n';
      try {
        stop("the run ended with an error");
      } catch (const Again&) {
        return;
      }
    }
  }

  [[nodiscard]] bool has_line_breakpoints() const {
    return std::any_of(breakpoints_.begin(), breakpoints_.end(), [](const auto& each) {
      return each.kind == Breakpoint::Kind::kLine;
    });
  }

  void come_to_line(std::string_view file, int line) {
    if (simulation_ == nullptr || is_in_prompt_ || file == "expression") return;
    ++lines_;
    file_ = file;
    line_ = line;
    if (const auto here = arrival()) {
      return *here ? stop(fmt::format("{}:{}", file, line)) : void();
    }
    for (const auto& each : breakpoints_) {
      const bool is_this = each.kind == Breakpoint::Kind::kLine &&
                           each.number == line && each.text == file;
      if (is_this) return stop(fmt::format("{}:{}", file, line));
    }
  }

  // --- where to stop ---

  // A place in the run, that running again comes to.
  struct Position {
    std::int64_t moment;
    std::int64_t lines;
  };

  // On the way to the place to which a run is made again, and there: whether to ask;
  // nullopt: the run is past it.
  std::optional<bool> arrival() {
    if (!pending_) return std::nullopt;
    const bool is_there = moment_ == pending_->moment && lines_ == pending_->lines;
    if (!is_there) return false;
    pending_.reset();
    return std::exchange(is_prompt_wanted_, false);
  }

  bool is_wanted() const { return setup_.interrupted && setup_.interrupted(); }

  bool is_pass_met() {
    switch (resume_.mode) {
      case Mode::kPass: return true;
      case Mode::kTime:
        if (simulation_->world().now() >= resume_.time) return true;
        break;
      case Mode::kPassNumber:
        if (passes_ >= resume_.number) return true;
        break;
      default: break;
    }
    for (const auto& each : breakpoints_) {
      if (each.kind == Breakpoint::Kind::kPass && each.number == passes_) return true;
      if (each.kind == Breakpoint::Kind::kWhen && holds(each.text)) return true;
    }
    return false;
  }

  bool holds(const std::string& expression) {
    const auto value = evaluate(expression);
    return value != "false" && value != "nil" && !value.empty();
  }

  // --- at a place ---

  void remember(const std::string& text) {
    constexpr std::size_t kKept = 1000;
    recent_.push_back(
        fmt::format("t={} {}", seconds_text(simulation_->world().now()), text));
    if (recent_.size() > kKept) recent_.pop_front();
  }

  void stop(const std::string& where) {
    if (is_wanted()) clear_interrupt();
    const auto now = seconds_text(simulation_->world().now());
    out_ << fmt::format("t={} {}\n", now, where);
    is_in_prompt_ = true;
    while (true) {
      out_ << std::flush;
      const auto line = setup_.next_line();
      if (!line) throw Quit{};
      if (setup_.echo) out_ << "> " << printable(*line) << '\n';
      try {
        if (obey(*line)) break;
      } catch (const Error& error) {
        has_erred_ = true;
        out_ << message_text(error.what()) << '\n';
      }
    }
    is_in_prompt_ = false;
    if (!is_spoiled_) return;
    // What an expression changed is undone: on from here in a run of its own.
    is_spoiled_ = false;
    pending_ = Position{moment_, lines_};
    throw Again{};
  }

  // Whether the run goes on.
  bool obey(const std::string& line) {
    const auto [word, rest] = split_word(line);
    if (word.empty() || word[0] == '#') return false;
    const auto command = command_of(word);
    if (goes_on(command, rest)) return true;
    if (command == "break") {
      rest.empty() ? list_breakpoints() : add_breakpoint(rest);
    } else if (command == "delete") {
      remove_breakpoint(rest);
    } else if (command == "help") {
      for (const auto& each : debug_commands()) {
        const auto left = fmt::format("{} {}", each.name, each.arguments);
        out_ << fmt::format("  {:<18}{}\n", left, each.help);
      }
    } else if (command == "quit") {
      throw Quit{};
    } else {
      look(command, rest);
    }
    return false;
  }

  bool goes_on(std::string_view command, const std::string& rest) {
    Resume resume;
    if (command == "step") {
      resume.mode = Mode::kEvent;
    } else if (command == "next") {
      resume.mode = Mode::kAction;
    } else if (command == "pass") {
      resume.mode = Mode::kPass;
    } else if (command == "continue") {
      resume.mode = Mode::kFree;
    } else if (command == "until") {
      resume = {Mode::kTime, time_of(rest, "until")};
    } else if (command == "goto") {
      resume = {Mode::kTime, time_of(rest, "goto")};
      if (is_over_ || resume.time <= simulation_->world().now()) begin_anew(resume);
    } else if (command == "back") {
      const auto by = rest.empty() ? 1 : whole_of(rest, "back");
      // Between two passes the last one is one back.
      const auto here = at_pass_ ? passes_ : passes_ + 1;
      if (by >= here) wrong("there is no pass before the first");
      begin_anew({Mode::kPassNumber, 0, here - by});
    } else {
      return false;
    }
    if (is_over_) wrong("the run is over: back, goto or quit");
    resume_ = resume;
    return true;
  }

  [[noreturn]] void begin_anew(const Resume& resume) {
    resume_ = resume;
    is_spoiled_ = false;
    is_in_prompt_ = false;
    pending_.reset();
    throw Again{};
  }

  // --- looking ---

  [[nodiscard]] JobId job_of(const std::string& text) const {
    const auto number = whole_of(text, "job");
    for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
      if (jobs_[i].id == number) return JobId{i};
    }
    wrong(fmt::format("there is no job {} in this run", number));
  }

  void look(std::string_view command, const std::string& rest) {
    const auto& simulation = *simulation_;
    if (command == "queue") {
      out_ << queue_text(simulation, rest);
    } else if (command == "running") {
      out_ << running_text(simulation);
    } else if (command == "machine") {
      out_ << machine_text(simulation);
    } else if (command == "plan") {
      out_ << plans_text(simulation);
    } else if (command == "book") {
      out_ << book_text(simulation);
    } else if (command == "job") {
      out_ << job_text(simulation, job_of(rest));
    } else if (command == "why") {
      explain(job_of(rest));
    } else if (command == "print") {
      if (rest.empty()) wrong("print what? print cluster:idle()");
      is_spoiled_ = true;
      out_ << evaluate(rest) << '\n';
    } else if (command == "record") {
      const auto wanted =
          rest.empty() ? 1 : static_cast<std::size_t>(whole_of(rest, "record"));
      const auto shown = std::min(wanted, recent_.size());
      for (auto i = recent_.size() - shown; i < recent_.size(); ++i) {
        out_ << recent_[i] << '\n';
      }
    } else if (command == "locals") {
      show_locals();
    } else {
      show_line();
    }
  }

  void explain(JobId job) {
    if (!queues(simulation_->world().jobs().state(job))) {
      out_ << job_text(*simulation_, job);
      return;
    }
    Judge judge(*simulation_, *notes_);
    const auto reason = judge.reason(job);
    out_ << words(reason, jobs_) << '\n';
    if (reason.size)
      out_ << fmt::format("  it would start with size {}\n", *reason.size);
    if (reason.walltime) {
      out_ << fmt::format("  it would start with walltime {}\n",
                          clock_text(*reason.walltime));
    }
  }

  // An action in an expression is refused as in an order's key.
  static std::string without_phase(std::string_view text) {
    const auto at = text.find(": not allowed in ");
    if (at == std::string_view::npos) return std::string(text);
    return std::string(text.substr(0, at))
        .append(": an expression looks at the run and changes nothing");
  }

  std::string evaluate(const std::string& expression) {
    if (!policy_->policy) wrong("recorded is no script");
    try {
      return policy_->policy->evaluate(*simulation_, expression);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kPolicy) throw;
      constexpr std::string_view kPlace = "expression:1: ";
      std::string_view text = error.what();
      while (text.starts_with(kPlace)) text.remove_prefix(kPlace.size());
      wrong(without_phase(text.substr(0, text.find('\n'))));
    }
  }

  void show_locals() {
    const auto all = policy_->policy ? policy_->policy->locals()
                                     : std::vector<bindings::LuaPolicy::Local>();
    if (all.empty()) out_ << "no local variables here: stop at a line\n";
    for (const auto& each : all) {
      out_ << fmt::format("  {} = {}\n", each.name, each.value);
    }
  }

  void show_line() {
    if (lines_ == 0) {
      const auto where = policy_->decider().where();
      out_ << (where.empty() ? "the script does not run now" : where) << '\n';
      return;
    }
    out_ << fmt::format("{}:{}  {}\n", file_, line_, line_text(file_, line_));
  }

  [[nodiscard]] std::string line_text(const std::string& file, int number) const {
    for (const auto& source : policy_->policy->sources()) {
      if (source.name != file) continue;
      std::size_t at = 0;
      for (int line = 1; line < number && at != std::string::npos; ++line) {
        at = source.text.find('\n', at);
        if (at != std::string::npos) ++at;
      }
      if (at == std::string::npos) break;
      return printable(source.text.substr(at, source.text.find('\n', at) - at));
    }
    return {};
  }

  // --- breakpoints ---

  void list_breakpoints() {
    if (breakpoints_.empty()) out_ << "no breakpoints\n";
    for (std::size_t i = 0; i < breakpoints_.size(); ++i) {
      out_ << fmt::format("  {}  {}\n", i + 1, breakpoint_text(breakpoints_[i]));
    }
  }

  void add_breakpoint(const std::string& rest) {
    static constexpr auto kForm =
        "break takes: job 7 [submit|start|end], pass 7, when EXPRESSION, mine.lua:14";
    const auto [word, more] = split_word(rest);
    Breakpoint made;
    if (word == "job") {
      const auto [number, what] = split_word(more);
      made.kind = Breakpoint::Kind::kJob;
      made.number = jobs_[index(job_of(number))].id;
      made.text = what;
      if (!what.empty() && what != "submit" && what != "start" && what != "end") {
        wrong(kForm);
      }
    } else if (word == "pass") {
      made.number = whole_of(more, "pass");
    } else if (word == "when" && !more.empty()) {
      made.kind = Breakpoint::Kind::kWhen;
      made.text = more;
      is_spoiled_ = true;
      (void)evaluate(more);  // whether it can be
    } else if (word.find(':') != std::string::npos && more.empty()) {
      made = line_breakpoint(word);
    } else {
      wrong(kForm);
    }
    const bool had_lines = has_line_breakpoints();
    breakpoints_.push_back(made);
    out_ << fmt::format("breakpoint {}: {}\n", breakpoints_.size(),
                        breakpoint_text(made));
    // Lines are watched from the load on: to this place in a run of its own.
    if (!had_lines && has_line_breakpoints()) is_spoiled_ = true;
  }

  [[nodiscard]] Breakpoint line_breakpoint(const std::string& text) const {
    const auto colon = text.rfind(':');
    const auto file = text.substr(0, colon);
    const auto number = whole_of(text.substr(colon + 1), "line");
    if (!policy_->policy) wrong("recorded is no script");
    const auto sources = policy_->policy->sources();
    const auto source =
        std::find_if(sources.begin(), sources.end(), [&](const auto& each) {
          return each.name == file || each.name.ends_with("/" + file);
        });
    if (source == sources.end()) {
      std::string names;
      for (const auto& each : sources) names += (names.empty() ? "" : ", ") + each.name;
      wrong(fmt::format("the policy has no file '{}': {}", printable(file), names));
    }
    const auto code = bindings::code_lines(source->text);
    const auto line = static_cast<int>(std::min<std::int64_t>(number, 1'000'000));
    if (code.contains(line)) return {Breakpoint::Kind::kLine, line, source->name};
    const auto after = code.lower_bound(line);
    wrong(fmt::format(
        "{}:{} holds no code{}", file, number,
        after == code.end() ? std::string() : fmt::format("; line {} does", *after)));
  }

  void remove_breakpoint(const std::string& rest) {
    if (rest.empty()) return breakpoints_.clear();
    const auto number = whole_of(rest, "delete");
    if (number < 1 || number > static_cast<std::int64_t>(breakpoints_.size())) {
      wrong(fmt::format("there is no breakpoint {}", number));
    }
    breakpoints_.erase(breakpoints_.begin() + number - 1);
  }

  const DebugSetup& setup_;
  std::ostream& out_;
  bool has_erred_ = false;
  std::vector<Breakpoint> breakpoints_;
  Resume resume_;

  // Of the present run.
  std::unique_ptr<LoadedPolicy> policy_;
  sim::Simulation* simulation_ = nullptr;
  std::span<const Job> jobs_;
  std::optional<PassNotes> notes_;
  std::deque<std::string> recent_;
  std::int64_t moment_ = 0;  // records and passes so far
  std::int64_t lines_ = 0;   // lines since then
  std::int64_t passes_ = 0;
  std::string file_;
  int line_ = 0;
  bool at_pass_ = false;
  bool is_over_ = false;
  bool is_in_prompt_ = false;

  // Between runs.
  std::optional<Position> pending_;  // to which a run is made again
  bool is_prompt_wanted_ = false;    // there
  bool is_spoiled_ = false;          // an expression was evaluated
};

}  // namespace

int debug(const DebugSetup& setup) { return Session(setup).run(); }

}  // namespace berth::study
