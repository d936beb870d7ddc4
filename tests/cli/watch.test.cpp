// `berth watch` driven by real saves.

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

#include "cli/cli.hpp"
#include "study/watch/watched_files.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/environment.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

constexpr auto kFcfs =
    "return { schedule = function(queue, cluster)\n"
    "  for job in queue:startable() do cluster:start(job) end\nend }\n";
constexpr auto kEasy =
    "return { schedule = function(queue, cluster) cluster:backfill(queue) end }\n";
constexpr auto kTrace =
    "; MaxProcs: 4\n"
    "1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 1 1 -1 -1 -1\n"
    "2 0 -1 10 4 -1 -1 4 10 -1 1 1 1 1 1 -1 -1 -1\n"
    "3 1 -1 5 1 -1 -1 1 5 -1 1 1 1 1 1 -1 -1 -1\n";

// A stream that two threads share.
class SharedText final : public std::stringbuf {
 public:
  [[nodiscard]] std::string text() {
    const std::lock_guard lock(mutex_);
    return str();
  }

 protected:
  std::streamsize xsputn(const char* from, std::streamsize count) override {
    const std::lock_guard lock(mutex_);
    return std::stringbuf::xsputn(from, count);
  }
  int_type overflow(int_type next) override {
    const std::lock_guard lock(mutex_);
    return std::stringbuf::overflow(next);
  }

 private:
  std::recursive_mutex mutex_;  // one function of a stringbuf calls another
};

class Watched {
 public:
  // `trace`: another one than three.swf of the folder; empty: that.
  explicit Watched(std::vector<std::string> more = {}, const std::string& trace = {}) {
    write("three.swf", kTrace);
    write("mine.lua", kFcfs);
    std::vector<std::string> arguments{"watch", "--trace",
                                       trace.empty() ? path("three.swf") : trace,
                                       "--policy", path("mine.lua")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    thread_ = std::thread([this, arguments] {
      std::ostream out(&text_);
      std::ostringstream err;
      cli::Console console{out, err, [this] { return is_over_.load(); }};
      code_ = cli::run(arguments, console);
    });
  }
  ~Watched() {
    is_over_ = true;
    thread_.join();
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
  }
  // As editors save: another file, renamed.
  void save(const std::string& name, const std::string& text) const {
    write(name + "~", text);
    std::filesystem::rename(path(name + "~"), path(name));
  }
  // The first block from here on that has this text; empty after a minute.
  std::string wait_for(const std::string& wanted) {
    for (int i = 0; i < 1200; ++i) {
      const auto text = text_.text().substr(seen_);
      const auto at = text.find(wanted);
      // A block is printed as one piece.
      if (at != std::string::npos) {
        seen_ += text.size();
        return text;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return {};
  }
  int stop() {
    is_over_ = true;
    thread_.join();
    thread_ = std::thread([] {});
    return code_;
  }

 private:
  test::ScratchFolder folder_;
  SharedText text_;
  std::size_t seen_ = 0;
  std::atomic<bool> is_over_{false};
  int code_ = -1;
  std::thread thread_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("cli/watch") {
  TEST_CASE("a save runs again: written, renamed, half a file, an error, mended") {
    Watched watched;
    auto block = watched.wait_for("--- run 1\n");
    CHECK(has(block, "mine"));
    CHECK(has(block, "mean_wait"));

    watched.save("mine.lua", kEasy);
    block = watched.wait_for("1 job moved, most of all: job 3 19 s sooner");
    CHECK(has(block, "--- run 2, changed: "));
    CHECK(has(block, "mine.lua"));
    CHECK(has(block, " %)"));

    // Half a file, as an editor may leave it for a moment.
    watched.write("mine.lua", "return { schedule = function(queue, clu");
    CHECK(has(watched.wait_for("near <eof>"), "mine.lua:1: "));
    watched.write("mine.lua",
                  "return { schedule = function(queue, cluster) x( end }\n");
    CHECK(has(watched.wait_for("near 'end'"), "mine.lua:1: "));

    // Mended; compared with the last run that went well.
    watched.write("mine.lua", kFcfs);
    CHECK(has(watched.wait_for("job 3 19 s later"), "mean_wait"));

    // Gone for a while, and back as it was; then the trace.
    std::filesystem::remove(watched.path("mine.lua"));
    watched.write("mine.lua", kFcfs);
    watched.save("three.swf",
                 std::string(kTrace) + "4 2 -1 5 1 -1 -1 1 5 -1 1 1 1 1 1 -1 -1 -1\n");
    CHECK(has(watched.wait_for("three.swf"), "changed: "));
    CHECK(watched.stop() == 0);
  }

  TEST_CASE("a library is watched, and with --test the cases run instead") {
    Watched watched({"--test"});
    // There are no cases yet.
    CHECK(has(watched.wait_for("--- run 1\n"), "mine.test.lua"));
    std::filesystem::create_directory(watched.path("lib"));
    watched.write(
        "mine.test.lua",
        "return { { 'first', processors = 4, jobs = { { 0, 1, 1 } }, starts = "
        "{ 0 } } }");
    watched.save("mine.lua", kEasy);
    CHECK(has(watched.wait_for("ok   mine.test.lua: first"), "all as expected"));
  }

  TEST_CASE("a trace that is found in BERTH_TRACES is watched where it lies") {
    const test::ScratchFolder elsewhere;
    const auto trace = elsewhere.file("far.swf", kTrace);
    const test::Variable folders("BERTH_TRACES", elsewhere.path().string());
    Watched watched({}, "far.swf");
    CHECK(has(watched.wait_for("--- run 1\n"), "mean_wait"));
    static_cast<void>(elsewhere.file(
        "far.swf",
        std::string(kTrace) + "4 2 -1 5 1 -1 -1 1 5 -1 1 1 1 1 1 -1 -1 -1\n"));
    CHECK(has(watched.wait_for("--- run 2"), "changed: " + trace));
    CHECK(watched.stop() == 0);
  }

  TEST_CASE("an input is watched where it is named and where it is found") {
    const test::ScratchFolder elsewhere;
    const auto trace = elsewhere.file("far.swf", kTrace);
    const test::Variable folders("BERTH_TRACES", elsewhere.path().string());
    study::Scenario scenario;
    scenario.workload.mix = {{"far.swf"}, {"nowhere.swf"}};
    const std::vector<std::string> watched{trace, "far.swf", "nowhere.swf"};
    CHECK(study::files_of(scenario) == watched);  // in the order of names
  }

  TEST_CASE("a sweep is watched at the point that is chosen") {
    const auto sweep =
        "[machine]\nprocessors = 4\n[workload]\nmodel = \"lublin\"\n"
        "jobs = 5\n[sweep]\n\"workload.load\" = [0.5, 0.9]\n";
    const test::ScratchFolder folder;
    const auto file = folder.file("s.toml", sweep);
    const auto says = [&](std::vector<std::string> more) {
      more.insert(more.begin(), {"watch", file, "--policy", "fcfs"});
      std::ostringstream out;
      std::ostringstream err;
      int looks = 0;  // one run
      cli::Console console{out, err, [&] { return ++looks > 20; }};
      const int code = cli::run(more, console);
      return std::to_string(code) + "\n" + out.str();
    };
    CHECK(has(says({}),
              "2\n--- run 1\nthis is a sweep: choose the point to watch, such "
              "as --set workload.load=0.5"));
    CHECK(has(says({"--set", "workload.load=0.9"}), "0\n--- run 1\npolicy"));
  }

  TEST_CASE("hosts with devices are drawn at the moment when most were in use") {
    // At 8 job 2 has left device 1, which job 5 gets as a whole.
    const test::ScratchFolder folder;
    (void)folder.file("tasks.csv",
                      "name,submit,length,cpu,gpus,share\na,0,12,1,1,600\n"
                      "b,0,8,1,1,600\nc,0,20,1,1,600\nd,0,30,1,1,600\ne,1,5,1,1,\n"
                      "f,2,50,1,1,300\ng,2,50,1,1,300\nh,3,5,1,1,300\n");
    const auto file = folder.file(
        "s.toml",
        "[machine]\nsharing = \"devices\"\n[machine.hosts.a]\ncount = 1\ncpu = 16\n"
        "devices = { type = \"T4\", count = 4 }\n[machine.hosts.plain]\ncount = 1\n"
        "cpu = 16\n[workload]\ntrace = \"tasks.csv\"\n");
    std::ostringstream out;
    std::ostringstream err;
    int looks = 0;  // one run
    cli::Console console{out, err, [&] { return ++looks > 20; }};
    const std::vector<std::string> arguments{"watch", file, "--policy", "easy"};
    CHECK(cli::run(arguments, console) == 0);
    CHECK(has(out.str(),
              "easy: at 8 s 3.4 of 4 devices were in use\n"
              "  a-0      |1======6---.|5===========|3======7---.|4=======....|\n"
              "  plain-0  |\n"));
  }

  TEST_CASE("files are compared by what they hold") {
    const test::ScratchFolder folder;
    const auto path = (folder.path() / "a").string();
    const auto write = [&](const char* text) { std::ofstream(path) << text; };
    study::WatchedFiles files;
    files.watch({path});
    CHECK(files.changed().empty());
    write("one");
    CHECK(files.changed() == std::vector{path});
    CHECK(files.changed().empty());
    write("one");
    CHECK(files.changed().empty());
    write("two");
    files.watch({path});
    CHECK(files.changed() == std::vector{path});
    std::filesystem::remove(path);
    CHECK(files.changed().empty());
    write("two");
    CHECK(files.changed().empty());
  }
}
