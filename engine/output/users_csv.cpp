#include "engine/output/users_csv.hpp"

#include <string>

#include "engine/output/buffered_text.hpp"
#include "engine/output/number_text.hpp"

namespace berth {

namespace {

std::string in_seconds(Int128 ticks) { return ratio_text(total_seconds(ticks)); }

template <class Map>
auto find_in(const Map& map, std::int32_t user) {
  const auto at = map.find(user);
  return at == map.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace

void write_users(Sink& sink, const UserRows& rows) {
  std::map<std::int32_t, const UserTardiness*> late;
  for (const auto& user : rows.tardiness) late.emplace(user.user, &user);
  BufferedText text(sink);
  text.append(
      "user,group,weight,jobs,finished,processor_seconds,mean_wait,mean_response,"
      "mean_slowdown,mean_bounded_slowdown,usage,violated,veet,tardiness,"
      "weighted_tardiness,longest_line\n");
  for (const auto& user : rows.users) {
    const auto details = find_in(rows.details, user.user).value_or(UserDetails{});
    text.print("{},{},{},{},{},{},", label_text(user.user), label_text(details.group),
               ratio_text(find_in(rows.weights, user.user).value_or(1.0)), user.jobs,
               user.finished, ratio_text(user.processor_seconds));
    text.print("{},{},{},{},{},", ratio_text(user.mean_wait),
               ratio_text(details.mean_response), ratio_text(details.mean_slowdown),
               ratio_text(user.mean_bounded_slowdown),
               ratio_text(find_in(rows.usage, user.user)));
    const auto at = late.find(user.user);
    if (at == late.end()) {
      text.append(",,,,\n");
      continue;
    }
    const auto& own = *at->second;
    text.print("{},{},{},{},{}\n", own.violated, ratio_text(own.veet()),
               in_seconds(own.tardiness), in_seconds(own.weighted_tardiness),
               own.longest_line());
  }
  text.flush();
}

}  // namespace berth
