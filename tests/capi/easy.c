/* EASY in C, through the primitives: easy TRACE ; all starts and the hash of the trace,
 * in two threads, and what the library does to its process. */
#define _DEFAULT_SOURCE
#include <berth.h>
#include <dirent.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong = 0;

static void check(int right, const char *what) {
  if (right) return;
  wrong = 1;
  printf("wrong: %s\n", what);
}

static void must(int64_t code, const berth_error *error, const char *what) {
  if (code >= 0) return;
  printf("%s: %d: %s\n", what, (int)code, error->text);
  exit(1);
}

static int threads_of_process(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (tasks == NULL) return -1;
  while (readdir(tasks) != NULL) ++count;
  closedir(tasks);
  return count;
}

static int handlers_set(void) {
  int count = 0;
  for (int number = 1; number < 65; ++number) {
    struct sigaction present;
    if (sigaction(number, NULL, &present) != 0) continue;
    count += present.sa_handler != SIG_DFL;
  }
  return count;
}

static berth_scenario *opened(const char *trace) {
  char toml[512];
  berth_error error;
  berth_scenario *scenario;
  snprintf(toml, sizeof toml, "[workload]\ntrace = \"%s\"\n", trace);
  must(berth_scenario_open(toml, strlen(toml), NULL, &scenario, &error), &error, "open");
  return scenario;
}

static berth_run *started(berth_scenario *scenario, const char *policy) {
  berth_options options;
  berth_error error;
  berth_run *run;
  memset(&options, 0, sizeof options);
  options.struct_bytes = sizeof options;
  options.flags = BERTH_AUDITED | BERTH_KEEP_JOBS;
  options.policy = policy;
  if (policy == NULL) {
    options.traits = "{ passes = \"when_a_job_fits\", promises = \"easy\" }";
  }
  must(berth_open(scenario, &options, &run, &error), &error, "run");
  return run;
}

static berth_value called(berth_run *run, int32_t number, const berth_value *given,
                          int32_t count) {
  berth_value result;
  berth_error error;
  const int32_t code = berth_call(run, number, given, count, &result, 1);
  berth_failure(run, &error);
  must(code, &error, "call");
  if (code == 0) memset(&result, 0, sizeof result);
  return result;
}

/* One thread: EASY pass by pass. */
typedef struct job_of_thread {
  berth_scenario *scenario;
  berth_run *run;
  long passes;
} job_of_thread;

static void *run_easy(void *argument) {
  job_of_thread *mine = argument;
  berth_run *run = mine->run = started(mine->scenario, NULL);
  const int32_t start_all = berth_primitive("cluster.start_all");
  const int32_t reserve = berth_primitive("cluster.reserve");
  const int32_t backfillable = berth_primitive("queue.backfillable");
  berth_value given[2];
  int32_t code;
  memset(given, 0, sizeof given); /* given[0]: nil, the cluster or the queue */
  while ((code = berth_next(run)) == 1) {
    ++mine->passes;
    given[1].type = BERTH_HANDLE;
    given[1].as.handle = BERTH_THE_QUEUE;
    given[1] = called(run, start_all, given, 2);
    if (given[1].type == BERTH_NIL) continue;
    given[1] = called(run, reserve, given, 2);
    given[1] = called(run, backfillable, given, 2);
    (void)called(run, start_all, given, 2);
  }
  check(code == 0, "the run ends by itself");
  check(berth_next(run) == 0, "a run that is over stays over");
  return NULL;
}

static double *column(berth_run *run, const char *name, int64_t count) {
  double *values = malloc((size_t)count * sizeof *values);
  check(berth_column(run, name, NULL, 0) == count, "the length of a column");
  check(berth_column(run, name, values, count) == count, "a column is written");
  return values;
}

int main(int count, char **arguments) {
  const int threads = threads_of_process();
  const int handlers = handlers_set();
  const char *locale = setlocale(LC_ALL, NULL);
  pthread_t other;
  job_of_thread both[2];
  berth_scenario *scenario;
  berth_run *builtin;
  int64_t jobs;
  if (count != 2) return 2;
  check(berth_abi() == BERTH_ABI, "the library is of this header");
  scenario = opened(arguments[1]);
  memset(both, 0, sizeof both);
  both[0].scenario = both[1].scenario = scenario;
  if (pthread_create(&other, NULL, run_easy, &both[1]) != 0) return 1;
  run_easy(&both[0]);
  pthread_join(other, NULL);
  check(berth_hash(both[0].run) == UINT64_C(0x29f51f37374d5bdf), "the hash of EASY");
  check(berth_hash(both[0].run) == berth_hash(both[1].run), "two threads, one schedule");

  builtin = started(scenario, "easy");
  check(berth_advance(builtin, 1e7) == 1, "events are left");
  check(berth_hash(builtin) != berth_hash(both[0].run), "the hash of a part");
  check(berth_advance(builtin, 1e300) < 0, "a time beyond the clock is refused");
  while (berth_next(builtin) == 1) {
    check(berth_delegate(builtin, NULL) == BERTH_OK, "the policy of the run decides");
    if (berth_hash(builtin) != 0) break;
  }
  check(berth_advance(builtin, INFINITY) == 0, "to the end");
  jobs = berth_column(builtin, "id", NULL, 0);
  check(jobs == 28475, "all jobs ended");
  {
    double *starts = column(builtin, "start", jobs);
    double *mine = column(both[0].run, "start", jobs);
    double *ids = column(builtin, "id", jobs);
    double *my_ids = column(both[0].run, "id", jobs);
    int64_t same = 0;
    for (int64_t i = 0; i < jobs; ++i) same += starts[i] == mine[i] && ids[i] == my_ids[i];
    check(same == jobs, "all starts are those of the policy easy");
    printf("%ld passes, %ld of %ld starts\n", both[0].passes, (long)same, (long)jobs);
    free(starts);
    free(mine);
    free(ids);
    free(my_ids);
  }
  {
    const int64_t bytes = berth_result(both[0].run, NULL, 0);
    char *json = malloc((size_t)bytes + 1);
    check(berth_result(both[0].run, json, bytes) == bytes, "no room for the 0");
    check(berth_result(both[0].run, json, bytes + 1) == bytes, "the summary");
    check(strstr(json, "\"schedule_hash\": \"29f51f37374d5bdf\"") != NULL, "its hash");
    check(strstr(json, "\"R1\"") != NULL, "its promise is audited");
    free(json);
  }
  berth_close(both[0].run);
  berth_close(both[1].run);
  berth_scenario_close(scenario);
  check(berth_hash(builtin) == UINT64_C(0x29f51f37374d5bdf), "runs keep what they need");
  berth_close(builtin);
  check(threads_of_process() == threads, "no thread is left");
  check(handlers_set() == handlers, "no signal is taken");
  check(strcmp(setlocale(LC_ALL, NULL), locale) == 0, "the locale is as it was");
  return wrong;
}
