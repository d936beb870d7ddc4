/* Runs as environments, by the C interface: what is shown, allowed, given and refused. */
#include <berth.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong = 0;

static void check(int right, const char *what, int line) {
  if (right) return;
  wrong = 1;
  printf("wrong, line %d: %s\n", line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

enum { kMostShown = 64, kJobFeatures = 8, kMachineFeatures = 4 };

static const char kLublin[] =
    "seed = 2\n[machine]\nprocessors = 16\n[workload]\nmodel = \"lublin\"\njobs = 300\n"
    "load = 0.95\n";

/* The arrays of one environment, and what they are of. */
typedef struct agent {
  berth_run *run;
  berth_env env;
  float seen[kMostShown * kJobFeatures + kMachineFeatures];
  uint8_t mask[kMostShown + 1];
  int64_t ids[kMostShown];
  double outcome[2];
  uint8_t ended[2];
} agent;

static berth_scenario *opened(const char *toml) {
  berth_scenario *scenario;
  berth_error error;
  if (berth_scenario_open(toml, strlen(toml), NULL, &scenario, &error) < 0) {
    printf("%s\n", error.text);
    exit(1);
  }
  return scenario;
}

static berth_options plain(void) {
  berth_options options;
  memset(&options, 0, sizeof options);
  options.struct_bytes = sizeof options;
  return options;
}

static berth_run *run_of(berth_scenario *scenario, const berth_options *options) {
  berth_run *run;
  berth_error error;
  if (berth_open(scenario, options, &run, &error) < 0) {
    printf("%s\n", error.text);
    exit(1);
  }
  return run;
}

static void describe(agent *it, int32_t jobs, const char *choose, const char *backfill) {
  memset(it, 0, sizeof *it);
  it->env.struct_bytes = sizeof it->env;
  it->env.jobs = jobs;
  it->env.features = "size,walltime,wait,fits,idle_after,slowdown,area,user";
  it->env.machine = "idle,queue,running,day";
  it->env.choose = choose;
  it->env.backfill = backfill;
  it->env.reward = "mean_bounded_slowdown";
  it->env.credit = "each";
  it->env.seen = it->seen;
  it->env.mask = it->mask;
  it->env.ids = it->ids;
  it->env.outcome = it->outcome;
  it->env.ended = it->ended;
}

static agent *bound(berth_scenario *scenario, const berth_options *options, int32_t jobs,
                    const char *choose, const char *backfill) {
  agent *it = malloc(sizeof *it);
  berth_error error;
  describe(it, jobs, choose, backfill);
  it->run = run_of(scenario, options);
  if (berth_bind(it->run, &it->env) < 0) {
    berth_failure(it->run, &error);
    printf("%s\n", error.text);
    exit(1);
  }
  return it;
}

static void leave(agent *it) {
  berth_close(it->run);
  free(it);
}

static int32_t first_allowed(const agent *it) {
  for (int32_t k = 0; k <= it->env.jobs; ++k) {
    if (it->mask[k] != 0) return k;
  }
  return -1;
}

/* The sum of the rewards of an episode in which the first that is allowed is done. */
static double played(agent *it, uint64_t seed) {
  double sum = 0;
  int32_t shown = berth_reset(it->run, seed);
  CHECK(shown > 0 && it->outcome[0] == 0);
  while (shown > 0) {
    shown = berth_step(it->run, first_allowed(it));
    sum += it->outcome[0];
  }
  CHECK(shown == 0 && it->ended[0] == 1 && it->ended[1] == 0);
  return sum;
}

static double metric(berth_run *run, const char *name) {
  char quoted[64];
  double value = NAN;
  const int64_t bytes = berth_result(run, NULL, 0);
  char *json = malloc((size_t)bytes + 1);
  const char *at;
  CHECK(berth_result(run, json, bytes + 1) == bytes);
  snprintf(quoted, sizeof quoted, "\"%s\"", name);
  at = strstr(json, quoted);
  if (at != NULL) at = strstr(at, "\"value\": ");
  if (at != NULL) value = atof(at + strlen("\"value\": "));
  free(json);
  return value;
}

/* Four jobs on four processors, worked out by hand: (id, submit, length, size, walltime)
 * 1 (0, 10, 3, 20), 2 (0, 8, 4, 3600), 3 (1, 5, 1, 5), 4 (2, 30, 1, 3600). */
static const char kWorked[] = "1 0 -1 10 3 -1 -1 3 20 -1 1 1 -1 -1 -1 -1 -1 -1\n"
                              "2 0 -1 8 4 -1 -1 4 3600 -1 1 1 -1 -1 -1 -1 -1 -1\n"
                              "3 1 -1 5 1 -1 -1 1 5 -1 1 1 -1 -1 -1 -1 -1 -1\n"
                              "4 2 -1 30 1 -1 -1 1 3600 -1 1 1 -1 -1 -1 -1 -1 -1\n";

static int near(double a, double b) { return fabs(a - b) < 1e-6; }

static void shows(const agent *it, double now, const char *mask, double reward) {
  CHECK(it->outcome[1] == now && near(it->outcome[0], reward));
  for (int k = 0; k < 4; ++k) CHECK(it->mask[k] == mask[k] - '0');
}

static void worked(const char *folder) {
  char toml[600];
  char path[400];
  FILE *file;
  berth_scenario *scenario;
  berth_options options = plain();
  agent *it;
  snprintf(path, sizeof path, "%s/worked.swf", folder);
  file = fopen(path, "w");
  if (file == NULL) exit(1);
  fputs(kWorked, file);
  fclose(file);
  snprintf(toml, sizeof toml, "[machine]\nprocessors = 4\n[workload]\ntrace = \"%s\"\n",
           path);
  scenario = opened(toml);
  options.flags = BERTH_AUDITED | BERTH_KEEP_JOBS;
  it = bound(scenario, &options, 3, "safe", "none");
  CHECK(berth_reset(it->run, 0) == 2);
  shows(it, 0, "1001", 0);
  CHECK(it->ids[0] == 1 && it->ids[1] == 2 && it->ids[2] == -1);
  CHECK(berth_step(it->run, 1) == BERTH_USAGE); /* it does not fit */
  CHECK(berth_step(it->run, 2) == BERTH_USAGE); /* no job is there */
  CHECK(it->outcome[1] == 0 && it->mask[0] == 1);
  CHECK(berth_step(it->run, 0) == 2);
  shows(it, 1, "0101", 0);
  {
    const float *job = it->seen + kJobFeatures; /* job 3 */
    const float *machine = it->seen + 3 * kJobFeatures;
    CHECK(near(job[0], 0.25) && near(job[1], 5.0 / 3605) && job[2] == 0 && job[3] == 1);
    CHECK(job[4] == 0 && job[5] == 0 && near(job[6], 5.0 / 3605) && job[7] == 0.75f);
    CHECK(it->seen[0] == 1 && it->seen[3] == 0); /* job 2: all of the machine */
    CHECK(near(it->seen[2], 1.0 / 3601) && near(it->seen[5], 1.0 / 3601));
    CHECK(it->seen[2 * kJobFeatures] == 0); /* no job */
    CHECK(machine[0] == 0.25f && near(machine[1], 0.4) && machine[2] == 0.25f);
    CHECK(near(machine[3], 1.0 / 86400));
  }
  CHECK(berth_step(it->run, 1) == 2);
  shows(it, 10, "1000", -0.5);
  CHECK(berth_step(it->run, 3) == BERTH_USAGE); /* nothing would come */
  CHECK(berth_step(it->run, 0) == 1);
  shows(it, 18, "1000", -0.45);
  CHECK(berth_step(it->run, 0) == 0);
  shows(it, 48, "0000", -23.0 / 60);
  CHECK(it->ended[0] == 1 && it->ended[1] == 0);
  CHECK(it->ids[0] == -1 && it->seen[0] == 0);
  CHECK(berth_hash(it->run) == UINT64_C(0x638f2251f956790d));
  CHECK(near(metric(it->run, "mean_bounded_slowdown"), 4.0 / 3));
  CHECK(berth_step(it->run, 0) == BERTH_USAGE); /* it is over */
  {
    double starts[4];
    CHECK(berth_column(it->run, "start", starts, 4) == 4);
    CHECK(starts[0] == 1 && starts[1] == 0 && starts[2] == 10 && starts[3] == 18);
  }
  leave(it);
  berth_scenario_close(scenario);
}

/* The hash, and optionally the mean, of a policy on the episode of this seed. */
static uint64_t hash_of(berth_scenario *scenario, berth_options options,
                        const char *policy, uint64_t seed, double *mean) {
  berth_run *run;
  uint64_t hash;
  options.policy = policy;
  run = run_of(scenario, &options);
  if (options.window > 0) CHECK(berth_reset(run, seed) == 0);
  CHECK(berth_advance(run, INFINITY) == 0);
  hash = berth_hash(run);
  if (mean != NULL) *mean = metric(run, "mean_bounded_slowdown");
  berth_close(run);
  return hash;
}

/* Always the first of the queue is FCFS, filling behind it EASY, in windows and whole,
 * behind jobs that warm up, too; and the rewards add up to minus the mean. */
static void twins(berth_scenario *scenario, const berth_options *options,
                  const char *choose, const char *backfill, const char *twin) {
  agent *it = bound(scenario, options, kMostShown, choose, backfill);
  for (uint64_t seed = 0; seed < 5; ++seed) {
    double mean = 0;
    const double sum = played(it, seed);
    CHECK(berth_hash(it->run) == hash_of(scenario, *options, twin, seed, &mean));
    CHECK(fabs(sum + mean) < 1e-9);
    CHECK(fabs(sum + metric(it->run, "mean_bounded_slowdown")) < 1e-9);
  }
  leave(it);
}

static void windows(berth_scenario *scenario) {
  berth_options options = plain();
  uint64_t hashes[4];
  twins(scenario, &options, "any", "none", "fcfs");
  twins(scenario, &options, "any", "easy", "easy");
  options.window = 60;
  options.flags = BERTH_AUDITED;
  twins(scenario, &options, "any", "none", "fcfs");
  twins(scenario, &options, "any", "easy", "easy");
  options.first_from = options.warm = 40;
  twins(scenario, &options, "any", "easy", "easy");
  options.warm_policy = "easy";
  twins(scenario, &options, "any", "none", "fcfs");
  /* Three windows in turn, which do not overlap; the fourth is the first. */
  options = plain();
  options.window = options.stride = 100;
  options.flags = BERTH_IN_TURN | BERTH_KEEP_JOBS;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    double ids[100];
    double least = INFINITY;
    berth_run *run;
    options.policy = "fcfs";
    options.seed = seed;
    run = run_of(scenario, &options);
    CHECK(berth_advance(run, INFINITY) == 0);
    CHECK(berth_column(run, "id", ids, 100) == 100);
    for (int i = 0; i < 100; ++i) least = ids[i] < least ? ids[i] : least;
    CHECK(least == 1 + 100 * (double)(seed % 3));
    hashes[seed] = berth_hash(run);
    berth_close(run);
  }
  CHECK(hashes[0] == hashes[3] && hashes[0] != hashes[1] && hashes[1] != hashes[2]);
}

/* What a whole episode shows, summed with its order. */
static uint64_t trace_of(agent *it, uint64_t seed, uint64_t taste) {
  uint64_t sum = 0;
  int32_t shown = berth_reset(it->run, seed);
  while (shown > 0) {
    const unsigned char *bytes = (const unsigned char *)it->seen;
    int32_t action;
    for (size_t i = 0; i < sizeof it->seen; ++i) sum = sum * 31 + bytes[i];
    do {
      taste = taste * UINT64_C(6364136223846793005) + 1;
      action = (int32_t)((taste >> 33) % (uint64_t)(it->env.jobs + 1));
    } while (it->mask[action] == 0);
    shown = berth_step(it->run, action);
  }
  return sum * 31 + berth_hash(it->run);
}

static void repeats(berth_scenario *scenario) {
  berth_options options = plain();
  agent *one, *other;
  uint64_t first;
  options.window = 80;
  one = bound(scenario, &options, 16, "fitting", "none");
  other = bound(scenario, &options, 16, "fitting", "none");
  first = trace_of(one, 7, 1);
  (void)trace_of(one, 8, 1);
  (void)berth_reset(other->run, 3);
  CHECK(trace_of(other, 7, 1) == first);
  CHECK(trace_of(one, 7, 1) == first);
  CHECK(trace_of(one, 7, 2) != first);
  leave(one);
  leave(other);
}

static void many(berth_scenario *scenario) {
  berth_options options = plain();
  agent *all[4];
  berth_run *runs[4];
  int32_t actions[4] = {0, 0, 0, 0};
  int32_t failed = 7;
  int64_t over = 0;
  options.window = 30;
  for (int i = 0; i < 4; ++i) {
    all[i] = bound(scenario, &options, 8, "any", "easy");
    runs[i] = all[i]->run;
  }
  CHECK(berth_step_many(runs, 4, actions, 0, &failed) == BERTH_USAGE && failed == 0);
  for (int i = 0; i < 4; ++i) CHECK(berth_reset(runs[i], (uint64_t)i) > 0);
  for (int step = 0; step < 200; ++step) {
    const int32_t count = berth_step_many(runs, 4, actions, BERTH_AUTO_RESET, &failed);
    CHECK(count == 4 && failed == -1);
    for (int i = 0; i < 4; ++i) {
      over += all[i]->ended[0];
      CHECK(all[i]->ended[0] == (all[i]->mask[0] == 0));
    }
  }
  CHECK(over >= 4 * (200 / 31));
  actions[2] = 8; /* to wait is never allowed here */
  for (int i = 0; i < 4; ++i) CHECK(berth_reset(runs[i], (uint64_t)i) > 0);
  CHECK(berth_step_many(runs, 4, actions, 0, &failed) == BERTH_USAGE && failed == 2);
  CHECK(berth_step_many(runs, 2, actions, 8, &failed) == BERTH_USAGE);
  CHECK(berth_step_many(NULL, 2, actions, 0, NULL) == BERTH_USAGE);
  CHECK(berth_step_many(runs, 0, NULL, 0, NULL) == 0);
  runs[1] = NULL;
  CHECK(berth_step_many(runs, 2, actions, 0, &failed) == BERTH_USAGE && failed == 1);
  runs[0] = all[0]->run;
  while (berth_step(all[0]->run, 0) > 0) {
  }
  CHECK(berth_step_many(runs, 1, actions, 0, &failed) == 0); /* over: nothing */
  for (int i = 0; i < 4; ++i) leave(all[i]);
}

static void credit_and_limit(berth_scenario *scenario) {
  berth_options options = plain();
  agent *it;
  double sum, last;
  int32_t shown;
  options.window = 50;
  it = bound(scenario, &options, 8, "any", "easy");
  sum = played(it, 1);
  it->env.credit = "last";
  it->env.step_limit = 20;
  CHECK(berth_bind(it->run, &it->env) == BERTH_OK);
  shown = berth_reset(it->run, 1);
  for (int i = 1; shown > 0; ++i) {
    shown = berth_step(it->run, 0);
    CHECK((i == 20) == (shown == 0) && (i < 20) == (it->outcome[0] == 0));
  }
  CHECK(it->ended[0] == 0 && it->ended[1] == 1 && it->ids[0] != -1);
  CHECK(it->outcome[0] < 0);
  CHECK(metric(it->run, "mean_bounded_slowdown") >= 1); /* as it stands */
  it->env.step_limit = 0;
  CHECK(berth_bind(it->run, &it->env) == BERTH_OK);
  shown = berth_reset(it->run, 1);
  last = 0;
  while (shown > 0) {
    CHECK(last == 0);
    shown = berth_step(it->run, 0);
    last = it->outcome[0];
  }
  CHECK(fabs(last - sum) < 1e-9);
  leave(it);
}

static int refuses(berth_run *run, const berth_env *env, const char *what) {
  berth_error error;
  const int32_t code = berth_bind(run, env);
  if (code != BERTH_USAGE) return 0;
  berth_failure(run, &error);
  if (strstr(error.text, what) != NULL) return 1;
  printf("%s\n", error.text);
  return 0;
}

static void bad_environments(berth_scenario *scenario) {
  berth_options options = plain();
  berth_run *run = run_of(scenario, &options);
  berth_run *easy;
  agent it;
  describe(&it, 8, "fitting", "none");
  CHECK(berth_reset(run, 0) == BERTH_USAGE && berth_step(run, 0) == BERTH_USAGE);
  CHECK(berth_reset(NULL, 0) == BERTH_USAGE && berth_step(NULL, 0) == BERTH_USAGE);
  CHECK(berth_bind(NULL, &it.env) == BERTH_USAGE);
  CHECK(refuses(run, NULL, "NULL"));
  it.env.struct_bytes = 0;
  CHECK(refuses(run, &it.env, "struct_bytes"));
  it.env.struct_bytes = sizeof it.env;
  it.env.jobs = 0;
  CHECK(refuses(run, &it.env, "65536"));
  it.env.jobs = 10000000;
  CHECK(refuses(run, &it.env, "65536"));
  it.env.jobs = 8;
  it.env.features = "size,waltime";
  CHECK(refuses(run, &it.env, "did you mean 'walltime'"));
  it.env.features = "size,size";
  CHECK(refuses(run, &it.env, "twice"));
  it.env.features = "size,,wait";
  CHECK(refuses(run, &it.env, "feature of jobs ''"));
  it.env.features = "idle"; /* of the machine */
  CHECK(refuses(run, &it.env, "feature of jobs 'idle'"));
  it.env.features = NULL;
  CHECK(refuses(run, &it.env, "features is NULL"));
  it.env.features = "size";
  it.env.machine = "sise";
  CHECK(refuses(run, &it.env, "feature of the machine"));
  it.env.machine = "";
  it.env.choose = "all";
  CHECK(refuses(run, &it.env, "choose"));
  it.env.choose = "safe";
  it.env.backfill = "easy";
  CHECK(refuses(run, &it.env, "any"));
  it.env.backfill = "eassy";
  CHECK(refuses(run, &it.env, "backfill"));
  it.env.backfill = "none";
  it.env.reward = "mean_wayt";
  CHECK(refuses(run, &it.env, "did you mean 'mean_wait'"));
  it.env.reward = "utilisation";
  CHECK(refuses(run, &it.env, "no mean of a metric"));
  it.env.reward = "mean_wait";
  it.env.credit = "some";
  CHECK(refuses(run, &it.env, "credit"));
  it.env.credit = "last";
  it.env.mask = NULL;
  CHECK(refuses(run, &it.env, "array"));
  it.env.mask = it.mask;
  it.env.step_limit = -1;
  CHECK(refuses(run, &it.env, "step_limit"));
  it.env.step_limit = 0;
  CHECK(berth_bind(run, &it.env) == BERTH_OK);
  CHECK(berth_step(run, 0) == BERTH_USAGE); /* before a reset */
  CHECK(berth_reset(run, 0) > 0);
  CHECK(berth_step(run, -1) == BERTH_USAGE && berth_step(run, 9) == BERTH_USAGE);
  CHECK(berth_step(run, INT32_MAX) == BERTH_USAGE);
  CHECK(berth_step(run, INT32_MIN) == BERTH_USAGE);
  CHECK(berth_next(run) == BERTH_USAGE && berth_advance(run, 1e9) == BERTH_USAGE);
  CHECK(berth_delegate(run, "fcfs") == BERTH_USAGE);
  CHECK(berth_call(run, 0, NULL, 0, NULL, 0) == BERTH_USAGE);
  berth_close(run);
  options.policy = "easy";
  easy = run_of(scenario, &options);
  CHECK(refuses(easy, &it.env, "policy = NULL"));
  CHECK(berth_advance(easy, INFINITY) == 0);
  berth_close(easy);
}

static int no_window(berth_scenario *scenario, const berth_options *options,
                     const char *what) {
  berth_run *run;
  berth_error error;
  const int32_t code = berth_open(scenario, options, &run, &error);
  if (code == BERTH_USAGE && run == NULL && strstr(error.text, what) != NULL) return 1;
  printf("%d: %s\n", (int)code, error.text);
  berth_close(run);
  return 0;
}

static void bad_windows(berth_scenario *scenario) {
  berth_options options = plain();
  options.warm = 5;
  CHECK(no_window(scenario, &options, "set window"));
  options.window = 301;
  CHECK(no_window(scenario, &options, "more than the 300"));
  options.window = -1;
  CHECK(no_window(scenario, &options, "negative"));
  options.window = 100;
  CHECK(no_window(scenario, &options, "first_from to 5"));
  options.first_from = 201;
  CHECK(no_window(scenario, &options, "0 to 200"));
  options.first_from = 100;
  options.first_to = 50;
  CHECK(no_window(scenario, &options, "no range"));
  options.first_to = 201;
  CHECK(no_window(scenario, &options, "no range"));
  options.first_to = 0;
  options.warm_policy = "sjf"; /* it has an order of its own */
  CHECK(no_window(scenario, &options, "sjf"));
}

/* Of 30 jobs the third is too wide: it is rejected, and no mean counts it. */
static void too_wide(const char *folder) {
  char toml[600];
  char path[400];
  FILE *file;
  berth_options options = plain();
  berth_scenario *scenario;
  agent *it;
  snprintf(path, sizeof path, "%s/wide.swf", folder);
  file = fopen(path, "w");
  if (file == NULL) exit(1);
  for (int i = 1; i <= 30; ++i) {
    fprintf(file, "%d %d -1 60 %d -1 -1 %d 90 -1 1 1 -1 -1 -1 -1 -1 -1\n", i, 10 * i,
            i == 3 ? 9 : 1, i == 3 ? 9 : 1);
  }
  fclose(file);
  snprintf(toml, sizeof toml, "[machine]\nprocessors = 4\n[workload]\ntrace = \"%s\"\n",
           path);
  scenario = opened(toml);
  it = bound(scenario, &options, 4, "any", "none");
  CHECK(fabs(played(it, 0) + metric(it->run, "mean_bounded_slowdown")) < 1e-9);
  leave(it);
  options.window = 1;
  options.first_from = options.first_to = 2; /* that job alone */
  it = bound(scenario, &options, 4, "any", "none");
  CHECK(berth_reset(it->run, 0) == 0);
  CHECK(it->ended[0] == 1 && it->outcome[0] == 0);
  CHECK(berth_step(it->run, 0) == BERTH_USAGE);
  leave(it);
  berth_scenario_close(scenario);
}

int main(int count, char **arguments) {
  berth_scenario *scenario;
  if (count != 2) return 2;
  worked(arguments[1]);
  too_wide(arguments[1]);
  scenario = opened(kLublin);
  windows(scenario);
  repeats(scenario);
  many(scenario);
  credit_and_limit(scenario);
  bad_environments(scenario);
  bad_windows(scenario);
  berth_scenario_close(scenario);
  CHECK(strstr(berth_records(), "\"idle_after\"") != NULL);
  return wrong;
}
