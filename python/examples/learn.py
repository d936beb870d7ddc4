"""Learns which waiting job to start, and compares: python3 learn.py [TRACE.swf.gz]

An agent starts the job with the highest weighted sum of features among those that do not
delay the first of the queue.  The weights come from the cross-entropy method (Rubinstein
1999) on windows of the first 60 % of the trace; windows of the last 30 %, which do not
overlap, judge FCFS, SJF, EASY and what was learned, from three seeds.  Without a trace:
6,000 jobs of the model of Lublin and Feitelson.
"""

import sys

import numpy

import berth.env

WINDOW, SHOWN, TURNS, SEEDS = 256, 64, 12, (1, 2, 3)
CANDIDATES, BEST, EPISODES = 32, 8, 2
BASES = ("fcfs", "sjf", "easy")
MODEL = {"seed": 1, "machine": {"processors": 128},
         "workload": {"model": "lublin", "jobs": 6000, "load": 0.85}}


def options_of(arguments):
    if not arguments:
        return {"scenario": MODEL}, MODEL["workload"]["jobs"]
    found = berth.run(trace=arguments[0], policies=["fcfs"], audit=False)
    return {"trace": arguments[0]}, len(found["fcfs"].jobs()["id"])


def play(envs, weights, seeds):
    """The rewards of an episode in each environment, with the weights of each."""
    seen, info = envs.reset(seed=seeds)
    total, is_on = numpy.zeros(len(seeds)), numpy.ones(len(seeds), bool)
    while is_on.any():
        scores = numpy.einsum("nkf,nf->nk", seen["jobs"], weights)
        allowed = info["action_mask"][:, :-1] != 0
        # An episode that is over has no action; its next one is not counted.
        actions = numpy.where(allowed, scores, -numpy.inf).argmax(axis=1)
        seen, rewards, over, _, info = envs.step(actions)
        total += numpy.where(is_on, rewards, 0)
        is_on &= ~over
    return total


def learn(envs, seed):
    draw = numpy.random.default_rng(seed)
    width = len(berth.env.JOB_FEATURES)
    mean, spread = numpy.zeros(width), numpy.ones(width)
    for turn in range(TURNS):
        tried = draw.normal(mean, spread, (CANDIDATES, width))
        seeds = [1000 * seed + EPISODES * turn + i for i in range(EPISODES)]
        weights = numpy.repeat(tried, EPISODES, axis=0)
        rewards = play(envs, weights, seeds * CANDIDATES).reshape(CANDIDATES, EPISODES)
        # By the mean of logarithms, so that one window does not outweigh the others.
        best = tried[numpy.argsort(numpy.log(-rewards).mean(axis=1))[:BEST]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.1 * 0.8 ** turn
    return mean


def interval(values):
    """The mean with a 95 % bootstrap interval."""
    draw = numpy.random.default_rng(0)
    means = draw.choice(values, (10_000, len(values))).mean(axis=1)
    return values.mean(), *numpy.quantile(means, (0.025, 0.975))


def main(arguments):
    options, jobs = options_of(arguments)
    common = {**options, "jobs": SHOWN, "window": WINDOW, "choose": "safe"}
    last = jobs * 6 // 10 - WINDOW
    train = berth.env.SchedulingVectorEnv(CANDIDATES * EPISODES, first=(0, last),
                                          copy=False, **common)
    weights = [learn(train, seed) for seed in SEEDS]
    begin = jobs * 7 // 10
    windows = (jobs - begin) // WINDOW
    test = {"first": (begin, 0), "stride": WINDOW, "in_turn": True, **common}
    judge = berth.env.SchedulingEnv(**test)
    found = {name: numpy.array([judge.evaluate(name, i)["mean_bounded_slowdown"]
                                for i in range(windows)]) for name in BASES}
    judges = berth.env.SchedulingVectorEnv(windows, copy=False, **test)
    for seed, each in zip(SEEDS, weights):
        found[f"learned {seed}"] = -play(judges, numpy.tile(each, (windows, 1)),
                                         list(range(windows)))
    print(f"mean bounded slowdown, {windows} windows of {WINDOW} jobs\n"
          f"{'':12}{'mean':>9}   to EASY, 95 % interval   to SJF, 95 % interval")
    better = {"easy": 0, "sjf": 0}
    for name, values in found.items():
        line = f"{name:12}{values.mean():9.1f}"
        for base in better:
            middle, low, high = interval(values - found[base])
            better[base] += name.startswith("learned") and high < 0
            line += f"   {middle:+7.1f} [{low:+.1f}, {high:+.1f}]"
        print(line)
    print("; ".join(f"better than {base.upper()} from {count} of {len(SEEDS)} seeds"
                    for base, count in better.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
