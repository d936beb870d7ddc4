#include "playground/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/compare/comparison.hpp"
#include "engine/machines/metric_list.hpp"
#include "engine/workload/swf_writer.hpp"
#include "report/columns.hpp"
#include "report/page.hpp"
#include "report/words.hpp"
#include "study/common/file_source.hpp"
#include "study/common/share_folder.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/policies/policy_library.hpp"
#include "study/policies/recorded.hpp"
#include "study/runs/run_identity.hpp"
#include "study/scenario/input_files.hpp"

namespace berth::playground {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPolicies = "/berth/policies/";  // where the engine looks
constexpr const char* kOwn = "/page/";                 // its current folder
constexpr const char* kTrace = "jobs.swf";
// Those of engine/absent/machine_list.cpp.
constexpr std::array<std::string_view, 2> kMachines{"exclusive", "slots"};

std::vector<fs::path> folders() {
  const char* told = std::getenv("BERTH_PLAYGROUND");
  if (told != nullptr && *told != '\0') return {told};
  auto folders = study::share_folders("playground");
  folders.emplace_back(BERTH_PLAYGROUND_FOLDER);
  return folders;
}

std::string script_of(const fs::path& folder) {
  std::string text;
  for (const auto* name : {"engine.js", "editor.js", "gantt.js", "page.js"}) {
    text += study::read_text((folder / name).string());
  }
  return text;
}

// The files of a page, by the paths that they have there.
class Files {
 public:
  void add(const std::string& path, std::string text) {
    const auto [at, is_new] = files_.emplace(path, std::move(text));
    if (!is_new) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{}: two files of the scenario have this name; a page "
                              "holds one of each name",
                              printable(fs::path(path).filename().string())));
    }
  }
  [[nodiscard]] Json json() const { return Json(files_); }

 private:
  std::map<std::string, std::string> files_;
};

void add_folder(Files& files, const fs::path& folder, const std::string& to) {
  // Bounded: the files of a folder.
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".lua") continue;
    files.add(to + entry.path().filename().string(),
              study::read_text(entry.path().string()));
  }
}

// "./mine.lua:limit=3": the policy as the page names it.
std::string choice_text(const study::PolicyChoice& choice) {
  auto text =
      choice.is_file() ? "./" + fs::path(choice.name).filename().string() : choice.name;
  char before = ':';
  // Bounded: the parameters that were given.
  for (const auto& [key, value] : choice.parameters) {
    text += fmt::format("{}{}={}", before, key, value);
    before = ',';
  }
  return text;
}

// Where the page has the source of it.
std::string source_path(const study::PolicyChoice& choice) {
  if (choice.is_file()) return kOwn + fs::path(choice.name).filename().string();
  return kPolicies + choice.name + ".lua";
}

void add_own(Files& files, const study::Scenario& scenario) {
  std::map<std::string, bool> seen;
  // Bounded: the policies and inputs of a scenario, each read once.
  for (const auto& choice : scenario.policies) {
    if (!choice.is_file() || !seen.emplace(choice.name, true).second) continue;
    files.add(source_path(choice), study::read_text(choice.name));
    const auto libraries = fs::path(choice.name).parent_path() / "lib";
    const bool is_first = seen.emplace(libraries.string(), true).second;
    if (is_first && fs::is_directory(libraries)) {
      add_folder(files, libraries, kOwn + std::string("lib/"));
    }
  }
  for (const auto& input : study::input_files(scenario)) {
    if (!seen.emplace(input, true).second) continue;
    files.add(kOwn + fs::path(input).filename().string(), study::read_text(input));
  }
}

// The same scenario with its jobs in a trace that is taken as it is.
study::Scenario with_plain_jobs(study::Scenario scenario) {
  const bool departs = scenario.workload.departures;
  scenario.workload = {};
  scenario.workload.trace = kTrace;
  scenario.workload.departures = departs;
  scenario.run.own_metrics.clear();  // a page has those of berth alone
  scenario.run.metrics_shown.clear();
  scenario.run.primary.clear();
  return scenario;
}

// A file by job that a scenario names for its workload.
bool has_file_by_job(study::Scenario scenario) {
  scenario.workload.trace.clear();
  scenario.workload.mix.clear();
  const auto all = study::input_files(scenario).size();
  return study::input_files(with_plain_jobs(scenario)).size() != all + 1;
}

void refuse(const study::PreparedPoint& prepared) {
  const auto& scenario = prepared.scenario;
  const auto& loaded = prepared.workload->loaded;
  const char* why = nullptr;
  if (loaded.links != nullptr || scenario.workload.links.moves()) {
    why = "jobs that wait for others";
  } else if (loaded.arrays != nullptr) {
    why = "arrays of jobs with a limit";
  } else if (has_file_by_job(scenario) ||
             !study::needs_of_kinds(prepared.point.machine, loaded.attributes.get())
                  .empty()) {
    why = "jobs with needs beyond processors";
  }
  if (why != nullptr) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("{}: a page holds jobs as SWF, which has no place for them", why));
  }
  const auto& sharing = scenario.machine.sharing;
  if (std::find(kMachines.begin(), kMachines.end(), sharing) == kMachines.end()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("machine.sharing = \"{}\": a page has the machines {}",
                            sharing, fmt::join(kMachines, ", ")));
  }
  if (!scenario.hosts.file.empty()) {
    throw Error(ErrorCode::kUsage, "machine.hosts_file: a page reads no file of hosts");
  }
}

std::string swf_text(const Workload& workload, Budget& budget) {
  std::string text;
  write_swf(
      workload, {}, [&](std::string_view piece) { text += piece; }, budget);
  return text;
}

// The value of a member of summary.json that is a text.
std::string member(std::string_view json, std::string_view name) {
  const auto key = fmt::format("\"{}\": \"", name);
  const auto at = json.find(key);
  if (at == std::string_view::npos) return {};
  const auto begin = at + key.size();
  return std::string(json.substr(begin, json.find('"', begin) - begin));
}

Json runs(const study::Scenario& scenario, const study::StudyOutcome& native) {
  auto all = Json::array();
  const auto& policies = native.points.front().policies;
  // Bounded: the policies of the scenario.
  for (std::size_t i = 0; i < scenario.policies.size(); ++i) {
    const auto& choice = scenario.policies[i];
    all.append({{"label", policies[i].label},
                {"policy", choice_text(choice)},
                {"source", source_path(choice)},
                {"hash", member(policies[i].summary_json, "schedule_hash")}});
  }
  return all;
}

Json metrics() {
  auto all = Json::array();
  for (const auto& metric : metric_records()) {
    all.append({{"name", metric.name}, {"unit", metric.unit}, {"brief", metric.brief}});
  }
  return all;
}

std::vector<std::string> names_of(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

// Puts each text in the place of its mark, "<!--title-->".
std::string filled(std::string page, const std::map<std::string, std::string>& places) {
  for (const auto& [name, text] : places) {
    const auto mark = fmt::format("<!--{}-->", name);
    const auto at = page.find(mark);
    BERTH_ASSERT(at != std::string::npos);
    page.replace(at, mark.size(), text);
  }
  return page;
}

// The lines of a scenario, each behind the head of its section.
std::vector<std::pair<std::string, std::string>> lines_of(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> lines;
  std::string section;
  std::istringstream in(text);
  // Bounded: the text, which berth has made.
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('[')) section = line;
    lines.emplace_back(section, line);
  }
  return lines;
}

// The scenario without keys that have their usual value: those of machines that a page
// has not are among them.
std::string changed_text(const study::Scenario& scenario) {
  study::Scenario usual;
  usual.workload.trace = kTrace;
  const auto all = lines_of(study::settings_text(usual, "\"fcfs\""));
  const std::set<std::pair<std::string, std::string>> known(all.begin(), all.end());
  std::string text;
  std::string section;
  // Bounded: the text, which berth has made.
  for (const auto& [of, line] : lines_of(study::settings_text(scenario, "\"fcfs\""))) {
    const bool is_needed =
        line.starts_with("trace = ") || line.starts_with("policies = ");
    const bool is_usual = of == line || line.empty() || known.count({of, line}) > 0;
    if (is_usual && !is_needed) continue;
    if (of != section) text += of + "\n";
    section = of;
    text += line + "\n";
  }
  return text;
}

// What the script of the page is told.
Json data_of(const study::PreparedPoint& prepared, const study::StudyOutcome& native) {
  const auto& scenario = prepared.scenario;
  const auto plain =
      with_plain_jobs(study::resolved_scenario(scenario, prepared.point));
  auto of_any_size = plain;
  of_any_size.processors.reset();

  Files files;
  const auto folder =
      study::PolicyLibrary::standard().path_of({"easy", {}, {}}).parent_path();
  add_folder(files, folder, kPolicies);
  add_folder(files, folder / "lib", kPolicies + std::string("lib/"));
  auto without_jobs = scenario;
  without_jobs.workload = {};
  add_own(files, without_jobs);
  return {{"scenario", changed_text(plain)},
          {"own_scenario", changed_text(of_any_size)},
          {"runs", runs(scenario, native)},
          {"shown", Json(names_of(default_metrics({})))},
          {"metrics", metrics()},
          {"files", files.json()}};
}

Bundle bundle_in(const fs::path& folder) {
  const auto text = [&](const char* name) {
    return study::read_text((folder / name).string());
  };
  return {study::read_bytes((folder / "berth.wasm").string()),
          text("berth.js") + text("worker.js"),
          text("page.html"),
          text("section.html"),
          script_of(folder),
          text("page.css")};
}

}  // namespace

Bundle load_bundle() {
  std::string tried;
  // Bounded: a handful of folders.
  for (const auto& folder : folders()) {
    std::error_code failed;
    if (fs::exists(folder / "berth.wasm", failed)) return bundle_in(folder);
    tried += "\n  " + folder.string();
  }
  throw Error(ErrorCode::kUsage,
              "the engine for browsers, berth.wasm, is not there: where emscripten is "
              "installed, `cmake --build --preset release --target berth_playground` "
              "makes it; set BERTH_PLAYGROUND to its folder. Looked for:" +
                  tried);
}

Playground::Playground(const study::Scenario& scenario,
                       const study::StudyOutcome& native, Budget& budget)
    : bundle_(load_bundle()), policies_(native.labels) {
  study::ReadingOptions reading;
  reading.keep_recorded = study::replays(scenario);
  const auto workload = study::prepare_workload(scenario, reading, budget);
  const auto& loaded = workload->loaded;
  jobs_ = loaded.workload.jobs.size();
  title_ = study::scenario_name(scenario, loaded.workload);
  about_ = fmt::format("{}, {}", report::count_words(loaded.processors, "processor"),
                       report::count_words(static_cast<std::int64_t>(jobs_), "job"));
  const study::PreparedPoint prepared(scenario, workload);
  refuse(prepared);
  report::Blocks blocks(budget);
  blocks.add(data_of(prepared, native).compact());
  blocks.add(swf_text(loaded.workload, budget));
  blocks.add(bundle_.worker);
  blocks.add(bundle_.engine);
  blocks_ = blocks.texts();
}

std::string Playground::blocks() const {
  constexpr std::array kNames{"data", "trace", "worker", "engine"};
  std::string text;
  // Bounded: the four of them.
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    text += fmt::format(
        "<script type=\"application/octet-stream\" id=\"play-{}\">{}</script>\n",
        kNames[i], blocks_[i]);
  }
  return text;
}

Json Playground::write(Sink& sink) const {
  const auto title = report::html_text(title_);
  const auto page = filled(bundle_.page, {{"title", title},
                                          {"heading", title},
                                          {"about", about_},
                                          {"style", bundle_.style},
                                          {"section", bundle_.section},
                                          {"blocks", blocks()},
                                          {"code", bundle_.script}});
  sink.write(page);
  return {{"format", 1},
          {"bytes", page.size()},
          {"jobs", jobs_},
          {"policies", Json(policies_)}};
}

std::string Playground::section() const {
  return fmt::format(
      "<section id=\"playground\">\n<h2>Playground</h2>\n<p><button type=\"button\" "
      "id=\"play-begin\">Change policies and run them here</button></p>\n<div>\n"
      "<template id=\"play-template\"><style>\n{}</style>\n<div class=\"playground\">\n"
      "{}</div></template>\n</div>\n</section>\n{}",
      bundle_.style, bundle_.section, blocks());
}

}  // namespace berth::playground
