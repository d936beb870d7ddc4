// The C interface from C++: plus [PROGRAM.c] ; with the program of a page, prints the
// schedule hash of the policy easy on the scenario in it.
#include <berth.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

namespace {

struct Close {
  void operator()(berth_scenario* scenario) const { berth_scenario_close(scenario); }
  void operator()(berth_run* run) const { berth_close(run); }
};

// The text between the quotes of the lines that are a string, "\n" as a line end.
std::string scenario_in(const char* file) {
  std::ifstream lines(file);
  std::string text;
  std::string line;
  while (std::getline(lines, line)) {
    const auto first = line.find('"');
    const auto last = line.rfind("\\n\"");
    if (first == std::string::npos || last == std::string::npos) continue;
    if (line.find_first_not_of(' ') != first) continue;
    for (auto at = first + 1; at < last; ++at) {
      if (line[at] != '\\') text += line[at];
    }
    text += '\n';
  }
  return text;
}

std::string hash_of(const std::string& toml, const char* policy) {
  berth_scenario* opened = nullptr;
  berth_error error;
  if (berth_scenario_open(toml.data(), toml.size(), nullptr, &opened, &error) < 0) {
    return error.text;
  }
  const std::unique_ptr<berth_scenario, Close> scenario(opened);
  berth_options options{};
  options.struct_bytes = sizeof options;
  options.policy = policy;
  berth_run* begun = nullptr;
  if (berth_open(scenario.get(), &options, &begun, &error) < 0) return error.text;
  const std::unique_ptr<berth_run, Close> run(begun);
  if (berth_advance(run.get(), INFINITY) != 0) return "it does not end";
  char text[17];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(berth_hash(run.get())));
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2) {
    std::puts(hash_of(scenario_in(arguments[1]), "easy").c_str());
    return 0;
  }
  // Two runs of one seed are equal, those of two policies are not.
  const std::string toml =
      "[machine]\nprocessors = 8\n[workload]\nmodel = \"lublin\"\njobs = 60\n";
  const auto easy = hash_of(toml, "easy");
  const bool is_right = easy.size() == 16 && easy == hash_of(toml, "easy") &&
                        easy != hash_of(toml, "fcfs");
  if (!is_right) std::puts(easy.c_str());
  return is_right ? 0 : 1;
}
