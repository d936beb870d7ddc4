#pragma once
// Figures of users and of times of the week.

#include "report/figures.hpp"

namespace berth::report {

// {"names", "rows"}: what users.csv holds; without one, what summary.json holds of
// users.  null without either.
[[nodiscard]] Json users_table(const RunResult& run, Budget& budget);

// "user_boxes", "user_times" and "week" in the data, with captions, where there are
// jobs; the caption of users where a run has any.
void add_user_figures(const Results& results, Figures& figures, Budget& budget);

}  // namespace berth::report
