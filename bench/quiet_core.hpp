#pragma once
// When a processor is one of two hyperthreads, whoever is busy on the other takes up to
// half of what the core can do at once.  Code each step of which waits for the last one
// hardly notices; code that does much at once takes twice as long, and a ratio of the
// two says more about the neighbour than about either.

namespace berth::bench {

// Waits until nobody else is busy on the core, as far as a loop of independent
// additions can tell.  All calls of a program together wait for five minutes at most;
// when those are over, that is said once on the standard error stream.
void wait_for_quiet_core();

}  // namespace berth::bench
