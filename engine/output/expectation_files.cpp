#include "engine/output/expectation_files.hpp"

#include <algorithm>
#include <string>

#include "engine/output/buffered_text.hpp"
#include "engine/output/number_text.hpp"

namespace berth {

void write_expectations(Sink& sink, std::span<const Job> jobs,
                        std::span<const Time> expected,
                        std::span<const std::optional<Time>> ends) {
  BufferedText text(sink);
  text.append("job_id,user,size,eet,finish_time,tardiness\n");
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!ends[i]) continue;
    const Duration late = std::max(Duration{0}, *ends[i] - expected[i]);
    text.print("{},{},{},{},{},{}\n", jobs[i].id, label_text(jobs[i].user),
               jobs[i].size, seconds_text(expected[i]), seconds_text(*ends[i]),
               seconds_text(late));
  }
  text.flush();
}

void write_heatmap(Sink& sink, std::span<const UserTardiness> users) {
  BufferedText text(sink);
  text.append("user,from,to,violations\n");
  for (const auto& user : users) {
    for (const auto& run : user.minutes) {
      text.print("{},{},{},{}\n", label_text(user.user), run.from, run.to,
                 run.violations);
    }
  }
  text.flush();
}

}  // namespace berth
