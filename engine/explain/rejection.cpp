#include "engine/explain/rejection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/memory.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/hosts/sharing_model.hpp"

namespace berth {

namespace {

std::string amount_text(std::string_view kind, std::int64_t amount) {
  if (kind == "memory") return fmt::format("{:.6g} GiB of memory", gib_of(amount));
  return fmt::format("{} {}", amount, kind);
}
std::string bare_text(std::string_view kind, std::int64_t amount) {
  return kind == "memory" ? fmt::format("{:.6g}", gib_of(amount))
                          : fmt::format("{}", amount);
}

std::int64_t most_on_a_host(const SeveralKinds& machine, std::size_t kind) {
  std::int64_t most = 0;
  for (std::size_t host = 0; host < machine.room().hosts(); ++host) {
    most = std::max(most, machine.size_on(static_cast<std::int32_t>(host), kind));
  }
  return most;
}

// The kind of which the whole machine, or every host for a chunk, has too little.
std::string words_of_kinds(const SeveralKinds& machine, JobId id) {
  const auto need = machine.need(id);
  const auto kinds = machine.kinds();
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const auto& [name, capacity, is_on_hosts] = kinds[kind];
    const auto in_all = machine.need_in_all(id, kind);
    if (in_all <= capacity) continue;
    if (!is_on_hosts) {
      return fmt::format("it needs {}, the machine has {}", amount_text(name, in_all),
                         bare_text(name, capacity));
    }
    const auto most = most_on_a_host(machine, kind);
    return fmt::format("it needs {}, no host has more than {}{}",
                       amount_text(name, in_all), bare_text(name, most),
                       most == capacity ? std::string()
                                        : fmt::format(", all together have {}",
                                                      bare_text(name, capacity)));
  }
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (!kinds[kind].is_on_hosts) continue;
    const auto most = most_on_a_host(machine, kind);
    if (need[kind] <= most) continue;
    const auto needed = amount_text(kinds[kind].name, need[kind]);
    return fmt::format("{}, no host has more than {}",
                       need.chunks == 1 ? fmt::format("it needs {} on one host", needed)
                                        : fmt::format("each of its {} chunks needs {}",
                                                      need.chunks, needed),
                       bare_text(kinds[kind].name, most));
  }
  std::int64_t chunks = 0;
  for (std::size_t host = 0; host < machine.room().hosts(); ++host) {
    chunks += machine.room_on(id, static_cast<std::int32_t>(host));
  }
  return fmt::format("it has {} chunks, the hosts that it may use have room for {}",
                     need.chunks, chunks);
}

}  // namespace

std::optional<Rejection> rejection_of(SharingModel& empty, std::int64_t capacity,
                                      JobId id, const Job& job) {
  const auto demand = job.demand();
  const auto refused = empty.arrive(id, demand);
  if (const auto* kinds = empty.kinds()) {
    if (!refused) return std::nullopt;
    return Rejection{Why::kTooBig, words_of_kinds(*kinds, id)};
  }
  if (job.size > capacity) {
    return Rejection{
        Why::kTooBig,
        fmt::format("it needs {} processors, the machine has {}", job.size, capacity)};
  }
  if (!refused) return std::nullopt;
  return Rejection{Why::kTooBig,
                   fmt::format(fmt::runtime(refused->word().never), job.size)};
}

}  // namespace berth
