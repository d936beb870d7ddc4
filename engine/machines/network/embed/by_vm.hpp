#pragma once
// VM by VM, each on the server whose route is then least occupied.
//
// Source       Li et al. 2018, comparison: "assign the VMs to the server that leads to
//              the minimum value of maximum link occupation", read literally.
// Ties         Switches from the lowest level upwards, by number; servers by number.
// Cost         O(N s h) a candidate of s servers and height h.

#include "engine/machines/network/embed/embedding.hpp"

namespace berth {

[[nodiscard]] std::unique_ptr<Embedding> make_by_vm();

}  // namespace berth
