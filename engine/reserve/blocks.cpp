#include "engine/reserve/blocks.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

void BlockClaims::reset(Time now, std::span<const JobClaim> claims) {
  held_.clear();
  opened_.clear();
  are_open_ = false;
  const auto blocks = blocks_.blocks(now);
  budget_.charge_each(blocks.size() * (claims.size() + 1));
  held_.reserve(blocks.size());
  // Bounded: the blocks of one machine.
  for (const auto& block : blocks) {
    auto& held = held_.emplace_back(HeldBlock{block, {}, {}});
    are_open_ = are_open_ || block.is_open;
    // Bounded: charged above.
    for (const auto& claim : claims) {
      if (is_inside(held, claim)) add(held, claim, 1);
    }
    work_out(held);
    put(held, 1);
  }
}

void BlockClaims::announced(Time now, std::span<const JobClaim> claims) {
  BERTH_ASSERT(opened_.empty());
  // Bounded: the blocks of one machine.
  for (const auto& held : held_) put(held, -1);
  reset(now, claims);
}

void BlockClaims::note(const JobClaim& claim, int sign) {
  if (!are_open_ || claim.from >= claim.to) return;
  // Bounded: the blocks of one machine.
  for (auto& held : held_) {
    if (!is_inside(held, claim)) continue;
    budget_.charge_each(held.changes.size() + 1);
    put(held, -1);
    add(held, claim, sign);
    work_out(held);
    put(held, 1);
  }
}

void BlockClaims::open(JobId job) {
  if (!are_open_) return;
  // Bounded: the blocks of one machine.
  for (auto& held : held_) {
    if (!held.block.is_open || !blocks_.lets_in(job, held.block)) continue;
    put(held, -1);
    opened_.push_back(&held);
  }
}

void BlockClaims::close() {
  // Bounded: the blocks of one machine.
  for (const auto* held : opened_) put(*held, 1);
  opened_.clear();
}

void BlockClaims::add(HeldBlock& held, const JobClaim& claim, int sign) {
  const auto change = [&](Time at, std::int64_t amount) {
    const auto found = held.changes.try_emplace(at, 0).first;
    found->second += amount;
    if (found->second == 0) held.changes.erase(found);
  };
  change(std::max(claim.from, held.block.from), sign * claim.processors);
  change(std::min(claim.to, held.block.to), -sign * claim.processors);
}

// What jobs inside do not claim, step by step.
void BlockClaims::work_out(HeldBlock& held) const {
  held.pieces.clear();
  std::int64_t inside = 0;
  Time from = held.block.from;
  const auto end_piece = [&](Time to) {
    const auto rest = held.block.processors - inside;
    if (rest > 0 && from < to) held.pieces.push_back({from, to, rest});
    from = to;
  };
  // Bounded: two a claim, which is charged.
  for (const auto& [at, amount] : held.changes) {
    end_piece(at);
    inside += amount;
  }
  end_piece(held.block.to);
}

// What lies in the past is in the profile no longer.
void BlockClaims::put(const HeldBlock& held, int sign) {
  const Time now = profile_.start();
  // Bounded: one a claim, and one more.
  for (const auto& piece : held.pieces) {
    const Time from = std::max(piece.from, now);
    if (from >= piece.to) continue;
    sign > 0 ? profile_.claim(piece.processors, from, piece.to)
             : profile_.release(piece.processors, from, piece.to);
  }
}

}  // namespace berth
