// CBC and Clp (COIN-OR), loaded when first used, in a child process of each thread.

#include <coin/Cbc_C_Interface.h>
#include <coin/Clp_C_Interface.h>
#include <dlfcn.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/machines/fractional/pack/linear_program.hpp"
#include "engine/machines/fractional/pack/solver_child.hpp"

// Bounded in this file: a program is copied, and solve() charges its size.

namespace berth::pack {

namespace {

// Functions of a shared library, by their C declarations.
class Library {
 public:
  explicit Library(const char* name) : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

  // False if the library or one of its functions is missing.
  [[nodiscard]] bool is_complete() const { return handle_ != nullptr && !is_missing_; }

  template <class Function>
  void find(Function*& function, const char* name) {
    void* found = handle_ == nullptr ? nullptr : dlsym(handle_, name);
    is_missing_ = is_missing_ || found == nullptr;
    function = reinterpret_cast<Function*>(found);
  }

 private:
  void* handle_;  // never closed
  bool is_missing_ = false;
};

#define BERTH_FIND(library, name) library.find(name, #name)

struct Clp {
  Clp() {
    Library library(BERTH_CLP_LIBRARY);
    BERTH_FIND(library, Clp_newModel);
    BERTH_FIND(library, Clp_deleteModel);
    BERTH_FIND(library, Clp_setLogLevel);
    BERTH_FIND(library, Clp_loadProblem);
    BERTH_FIND(library, Clp_primal);
    BERTH_FIND(library, Clp_isProvenOptimal);
    BERTH_FIND(library, Clp_isProvenPrimalInfeasible);
    BERTH_FIND(library, Clp_getColSolution);
    BERTH_FIND(library, Clp_objectiveValue);
    BERTH_FIND(library, Clp_numberIterations);
    BERTH_FIND(library, Clp_setMaximumIterations);
    is_loaded = library.is_complete();
  }
  bool is_loaded = false;
  decltype(&::Clp_newModel) Clp_newModel = nullptr;
  decltype(&::Clp_deleteModel) Clp_deleteModel = nullptr;
  decltype(&::Clp_setLogLevel) Clp_setLogLevel = nullptr;
  decltype(&::Clp_loadProblem) Clp_loadProblem = nullptr;
  decltype(&::Clp_primal) Clp_primal = nullptr;
  decltype(&::Clp_isProvenOptimal) Clp_isProvenOptimal = nullptr;
  decltype(&::Clp_isProvenPrimalInfeasible) Clp_isProvenPrimalInfeasible = nullptr;
  decltype(&::Clp_getColSolution) Clp_getColSolution = nullptr;
  decltype(&::Clp_objectiveValue) Clp_objectiveValue = nullptr;
  decltype(&::Clp_numberIterations) Clp_numberIterations = nullptr;
  decltype(&::Clp_setMaximumIterations) Clp_setMaximumIterations = nullptr;
};

struct Cbc {
  Cbc() {
    Library library(BERTH_CBC_LIBRARY);
    BERTH_FIND(library, Cbc_newModel);
    BERTH_FIND(library, Cbc_deleteModel);
    BERTH_FIND(library, Cbc_setParameter);
    BERTH_FIND(library, Cbc_loadProblem);
    BERTH_FIND(library, Cbc_setInteger);
    BERTH_FIND(library, Cbc_solve);
    BERTH_FIND(library, Cbc_isProvenOptimal);
    BERTH_FIND(library, Cbc_isProvenInfeasible);
    BERTH_FIND(library, Cbc_bestSolution);
    BERTH_FIND(library, Cbc_getBestPossibleObjValue);
    BERTH_FIND(library, Cbc_getNodeCount);
    BERTH_FIND(library, Cbc_getIterationCount);
    is_loaded = library.is_complete();
  }
  bool is_loaded = false;
  decltype(&::Cbc_newModel) Cbc_newModel = nullptr;
  decltype(&::Cbc_deleteModel) Cbc_deleteModel = nullptr;
  decltype(&::Cbc_setParameter) Cbc_setParameter = nullptr;
  decltype(&::Cbc_loadProblem) Cbc_loadProblem = nullptr;
  decltype(&::Cbc_setInteger) Cbc_setInteger = nullptr;
  decltype(&::Cbc_solve) Cbc_solve = nullptr;
  decltype(&::Cbc_isProvenOptimal) Cbc_isProvenOptimal = nullptr;
  decltype(&::Cbc_isProvenInfeasible) Cbc_isProvenInfeasible = nullptr;
  decltype(&::Cbc_bestSolution) Cbc_bestSolution = nullptr;
  decltype(&::Cbc_getBestPossibleObjValue) Cbc_getBestPossibleObjValue = nullptr;
  decltype(&::Cbc_getNodeCount) Cbc_getNodeCount = nullptr;
  decltype(&::Cbc_getIterationCount) Cbc_getIterationCount = nullptr;
};

const Clp& clp() {
  static const Clp kLoaded;
  return kLoaded;
}
const Cbc& cbc() {
  static const Cbc kLoaded;
  return kLoaded;
}

// What a child is told of a program, in this order; then of each column its cost,
// bounds, whether it is integer, how many entries it has, and row and value of each;
// then the bounds of each row.
enum QuestionPart : std::size_t { kIsInteger, kMost, kColumns, kRows, kProgram };

SolverChild::Numbers question_of(const LinearProgram& program, bool is_integer,
                                 int most) {
  SolverChild::Numbers numbers(kProgram);
  numbers[kIsInteger] = is_integer ? 1 : 0;
  numbers[kMost] = most;
  numbers[kColumns] = static_cast<double>(program.columns.size());
  numbers[kRows] = static_cast<double>(program.rows.size());
  for (std::size_t column = 0; column < program.columns.size(); ++column) {
    const auto& [cost, lower, upper, integer] = program.columns[column];
    const auto& entries = program.entries[column];
    numbers.insert(numbers.end(), {cost, lower, upper, integer ? 1.0 : 0.0,
                                   static_cast<double>(entries.size())});
    for (const auto& [row, value] : entries) {
      numbers.insert(numbers.end(), {static_cast<double>(row), value});
    }
  }
  for (const auto& [lower, upper] : program.rows) {
    numbers.insert(numbers.end(), {lower, upper});
  }
  return numbers;
}

// The arrays that both libraries load a program from.
struct Arrays {
  explicit Arrays(const SolverChild::Numbers& question) {
    const double* next = question.data() + kProgram;
    const auto whole = [&] { return static_cast<int>(*next++); };
    starts.push_back(0);
    for (int column = 0; column < static_cast<int>(question[kColumns]); ++column) {
      costs.push_back(*next++);
      lowers.push_back(*next++);
      uppers.push_back(*next++);
      if (whole() != 0) integers.push_back(column);
      for (int left = whole(); left > 0; --left) {
        indices.push_back(whole());
        values.push_back(*next++);
      }
      starts.push_back(static_cast<int>(indices.size()));
    }
    for (int left = static_cast<int>(question[kRows]); left > 0; --left) {
      row_lowers.push_back(*next++);
      row_uppers.push_back(*next++);
    }
  }
  template <class Model, class Load>
  void load_into(Model* model, Load* load) const {
    load(model, static_cast<int>(costs.size()), static_cast<int>(row_lowers.size()),
         starts.data(), indices.data(), values.data(), lowers.data(), uppers.data(),
         costs.data(), row_lowers.data(), row_uppers.data());
  }
  std::vector<int> integers;  // columns
  std::vector<int> starts;
  std::vector<int> indices;
  std::vector<double> values;
  std::vector<double> lowers;
  std::vector<double> uppers;
  std::vector<double> costs;
  std::vector<double> row_lowers;
  std::vector<double> row_uppers;
};

// A solution and how many iterations it took.
struct Solved {
  LinearSolution solution;
  double iterations = 0;
};

Solved solve_divisible(const Arrays& program, int iterations) {
  const auto& library = clp();
  const std::unique_ptr<Clp_Simplex, decltype(library.Clp_deleteModel)> model(
      library.Clp_newModel(), library.Clp_deleteModel);
  library.Clp_setLogLevel(model.get(), 0);
  program.load_into(model.get(), library.Clp_loadProblem);
  library.Clp_setMaximumIterations(model.get(), iterations);
  library.Clp_primal(model.get(), 0);
  Solved solved;
  solved.iterations = library.Clp_numberIterations(model.get());
  if (library.Clp_isProvenOptimal(model.get()) == 0) {
    const bool none = library.Clp_isProvenPrimalInfeasible(model.get()) != 0;
    solved.solution = {none ? LinearOutcome::kInfeasible : LinearOutcome::kLimit};
    return solved;
  }
  const double* values = library.Clp_getColSolution(model.get());
  solved.solution = {LinearOutcome::kOptimal,
                     {values, values + program.costs.size()},
                     library.Clp_objectiveValue(model.get())};
  return solved;
}

Solved solve_integer(const Arrays& program, int nodes) {
  const auto& library = cbc();
  const std::unique_ptr<Cbc_Model, decltype(library.Cbc_deleteModel)> model(
      library.Cbc_newModel(), library.Cbc_deleteModel);
  program.load_into(model.get(), library.Cbc_loadProblem);
  for (const int column : program.integers) {
    library.Cbc_setInteger(model.get(), column);
  }
  const auto set = [&](const char* name, const std::string& value) {
    library.Cbc_setParameter(model.get(), name, value.c_str());
  };
  set("log", "0");
  set("threads", "0");
  set("maxNodes", std::to_string(nodes));
  set("primalTolerance", "1e-9");
  set("integerTolerance", "1e-9");
  set("allowableGap", "0");
  library.Cbc_solve(model.get());
  Solved solved;
  solved.iterations = library.Cbc_getIterationCount(model.get());
  auto& solution = solved.solution;
  solution.nodes = library.Cbc_getNodeCount(model.get());
  solution.outcome = LinearOutcome::kLimit;
  if (library.Cbc_isProvenInfeasible(model.get()) != 0) {
    solution.outcome = LinearOutcome::kInfeasible;
    return solved;
  }
  if (library.Cbc_isProvenOptimal(model.get()) != 0) {
    solution.outcome = LinearOutcome::kOptimal;
  }
  solution.bound = library.Cbc_getBestPossibleObjValue(model.get());
  if (const double* values = library.Cbc_bestSolution(model.get())) {
    solution.values.assign(values, values + program.costs.size());
  }
  return solved;
}

// As the numbers that a child hands over, values last.
enum Told : std::size_t { kOutcome, kBound, kNodes, kIterations, kValues };

std::vector<double> told(const Solved& solved) {
  const auto& [outcome, values, bound, nodes] = solved.solution;
  std::vector<double> numbers(kValues);
  numbers[kOutcome] = static_cast<double>(outcome);
  numbers[kBound] = bound;
  numbers[kNodes] = static_cast<double>(nodes);
  numbers[kIterations] = solved.iterations;
  numbers.insert(numbers.end(), values.begin(), values.end());
  return numbers;
}

Solved heard(const std::vector<double>& numbers) {
  BERTH_ASSERT(numbers.size() >= kValues);
  Solved solved;
  solved.solution = {static_cast<LinearOutcome>(numbers[kOutcome]),
                     {numbers.begin() + kValues, numbers.end()},
                     numbers[kBound],
                     static_cast<std::int64_t>(numbers[kNodes])};
  solved.iterations = numbers[kIterations];
  return solved;
}

// In the child.
std::vector<double> answer(const SolverChild::Numbers& question) {
  const Arrays program(question);
  const int most = static_cast<int>(question[kMost]);
  return told(question[kIsInteger] != 0 ? solve_integer(program, most)
                                        : solve_divisible(program, most));
}

// As many steps of `units` each as the budget still has, and one more, so that the
// charge for them ends the work.
int steps_within(const Budget& budget, std::int64_t units) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  return static_cast<int>(std::min(kMost - 1, budget.left() / units) + 1);
}

}  // namespace

bool has_solver() { return clp().is_loaded && cbc().is_loaded; }

LinearSolution solve(const LinearProgram& program, Budget& budget, int nodes) {
  const bool is_integer =
      std::any_of(program.columns.begin(), program.columns.end(),
                  [](const auto& column) { return column.is_integer; });
  const bool is_loaded = is_integer ? cbc().is_loaded : clp().is_loaded;
  if (!is_loaded) return {};
  const auto size =
      static_cast<std::int64_t>(program.columns.size() + program.rows.size());
  budget.charge(size);
  const int most = steps_within(budget, size);
  thread_local SolverChild solver(answer);
  const auto question =
      question_of(program, is_integer, is_integer ? std::min(nodes, most) : most);
  const auto solved = heard(solver.ask(question, budget));
  const auto steps = std::max(solved.iterations,  // a node may take none
                              static_cast<double>(solved.solution.nodes));
  budget.charge(static_cast<std::int64_t>(steps) * size);
  return solved.solution;
}

}  // namespace berth::pack
