#pragma once
// Cases that a policy answers one by one, in a study without jobs over time.

namespace berth {

// What answers a case; the machine of the study knows its type.
class CaseHook {
 public:
  virtual ~CaseHook() = default;
};

}  // namespace berth
