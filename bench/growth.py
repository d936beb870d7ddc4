"""How the time of a job grows with queue, hosts, users and servers: a table and a graph.

    python3 bench/growth.py BERTH TRACES [ROW...] [> table.txt]

User time of whole processes without audit, over the jobs of the run, the least of three.
Each row begins with what is varied and the policy, then has microseconds a job by size,
and the last as a multiple of the first / goal.  With BERTH_GRAPH=FILE.svg the rows are
drawn there, too.  TRACES is not read: the jobs are drawn here, with one seed.
"""

import math
import os

from whole_runs import drawn, make, run, seconds

TRIES = 3
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b0568a", "#b07d00", "#2f8fc4")
MOST = 60  # seconds of a run: larger sizes of its row are left out
panels = {}


def row(what, policy, sizes, arguments_of, goal):
    """`arguments_of(size)` gives the arguments of a run, and how many jobs it has."""
    costs = []
    for size in sizes:
        arguments, count = arguments_of(size)
        first = seconds(arguments)
        least = min([first] + [seconds(arguments) for _ in range(TRIES - 1) if first < MOST])
        costs.append((size, 1e6 * least / count))
        if least > MOST:
            break
    panels.setdefault(what, []).append((policy, costs))
    print(f"{what:<18} {policy:<22} " +
          " ".join(f"{size:>6,}: {cost:9.2f}" for size, cost in costs) +
          f"   {costs[-1][1] / costs[0][1]:6.2f} / {goal}", flush=True)


POLICIES = ("easy", "conservative", "priority", "multifactor", "fairshare_easy", "drf")


def queue_rows():
    later = 5000
    for policy in POLICIES:
        def at(depth, policy=policy):
            path = drawn(f"queue{depth}", later, waiting=depth, load=1.0)
            return run(f"queue{depth}", f'[workload]\ntrace = "{path}"\n', policy), depth + later
        row("waiting jobs", policy, (70, 300, 1000, 3000), at, 6)


def host_rows():
    count = 10000
    for policy in POLICIES:
        def at(hosts, policy=policy):
            path = drawn("hosts", count, processors=800, load=0.7)
            text = (f"[machine.hosts.node]\ncount = {hosts}\nprocessors = 8\n"
                    f'[workload]\ntrace = "{path}"\n')
            return run(f"hosts{hosts}", text, policy), count
        row("hosts of 8", policy, (100, 1000, 10000), at, 3)


def user_rows():
    count = 30000
    for policy in POLICIES:
        def at(users, policy=policy):
            path = drawn(f"users{users}", count, users=users)
            return run(f"users{users}", f'[workload]\ntrace = "{path}"\n', policy), count
        row("users", policy, (10, 100, 1000, 10000), at, 3)


def server_rows():
    count = 10000
    for embedding in ("first_fit", "best_fit", "adaba", "oktopus", "least_reserved", "greedy"):
        def at(servers, embedding=embedding):
            k = round((4 * servers) ** (1 / 3))
            text = ('[machine]\nsharing = "slots"\n[machine.network]\ntopology = "fat_tree"\n'
                    f"k = {k}\nslots = 4\n[workload]\nmodel = \"tenants\"\njobs = {count}\n"
                    "load = 0.8\n")
            return run(f"servers{servers}", text, f"admission:embedding={embedding}"), count
        row("servers", embedding, (128, 432, 1024, 3456), at, 3)


WIDE, HIGH, EDGE, FOOT = 330, 230, 56, 34


def panel(what, rows, left, top):
    """Curves of one kind of size, both axes as logarithms."""
    sizes = [size for _, costs in rows for size, _ in costs]
    values = [cost for _, costs in rows for _, cost in costs]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    first, last = math.log10(min(sizes)), math.log10(max(sizes))

    def x(size):
        return left + EDGE + (math.log10(size) - first) / (last - first) * (WIDE - EDGE - 100)

    def y(value):
        return top + HIGH - FOOT - (math.log10(value) - low) / (high - low) * (HIGH - FOOT - 24)

    parts = [f'<text x="{left + EDGE}" y="{top + 14}" class="h">us a job, by {what}</text>']
    for power in range(low, high + 1):
        at = y(10 ** power)
        parts.append(f'<path d="M{left + EDGE} {at:.1f}H{left + WIDE - 100}" class="g"/>'
                     f'<text x="{left + EDGE - 6}" y="{at + 4:.1f}" class="e">{10.0 ** power:g}</text>')
    for size in sorted(set(sizes)):
        parts.append(f'<text x="{x(size):.1f}" y="{top + HIGH - FOOT + 16}" class="m">{size:,}</text>')
    names = []
    for colour, (policy, costs) in zip(COLOURS, rows):
        points = " ".join(f"{x(size):.1f},{y(cost):.1f}" for size, cost in costs)
        parts.append(f'<polyline points="{points}" style="stroke:{colour}"/>')
        names.append((y(costs[-1][1]), x(costs[-1][0]), policy, colour))
    below = -math.inf
    for at, end, policy, colour in sorted(names):
        below = max(at, below + 13)
        parts.append(f'<text x="{end + 6:.1f}" y="{below + 4:.1f}" style="fill:{colour}">{policy}</text>')
    return "".join(parts)


def draw(path):
    style = ("text{font:12px system-ui,sans-serif;fill:#59626e}.h{font-weight:600;fill:#16191d}"
             ".e{text-anchor:end}.m{text-anchor:middle}.g{stroke:#dde1e6}"
             "polyline{fill:none;stroke-width:2}")
    body = "".join(panel(what, rows, (i % 2) * (WIDE + 40), (i // 2) * (HIGH + 16))
                   for i, (what, rows) in enumerate(panels.items()))
    high = (len(panels) + 1) // 2 * (HIGH + 16)
    with open(path, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * (WIDE + 40)} {high}">'
                   f'<style>{style}</style><rect width="100%" height="100%" fill="#fff"/>{body}</svg>\n')


make((queue_rows, host_rows, user_rows, server_rows))
if panels and os.environ.get("BERTH_GRAPH"):
    draw(os.environ["BERTH_GRAPH"])
