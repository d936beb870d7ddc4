/* What the C interface refuses, and that a refusal changes nothing: refusals ENDLESS.lua */
#include <berth.h>
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

static const char kSmall[] =
    "seed = 2\n[machine]\nprocessors = 4\n[workload]\nmodel = \"lublin\"\njobs = 40\n"
    "load = 0.9\n";

static int32_t opens(const char *toml, berth_error *error) {
  berth_scenario *scenario = (berth_scenario *)1;
  const int32_t code = berth_scenario_open(toml, strlen(toml), NULL, &scenario, error);
  CHECK((code == BERTH_OK) == (scenario != NULL));
  berth_scenario_close(scenario);
  return code;
}

static void scenarios(void) {
  berth_error error;
  berth_scenario *scenario;
  CHECK(opens(kSmall, &error) == BERTH_OK);
  CHECK(berth_scenario_open(NULL, 0, NULL, &scenario, &error) == BERTH_USAGE);
  CHECK(berth_scenario_open(kSmall, sizeof kSmall - 1, NULL, NULL, NULL) == BERTH_USAGE);
  CHECK(opens("[machine]\nprocesors = 4\n", &error) == BERTH_INPUT);
  CHECK(error.code == BERTH_INPUT && error.line == 2 && error.column > 0);
  CHECK(strcmp(error.file, "scenario.toml") == 0);
  CHECK(strstr(error.text, "processors") != NULL); /* the nearest key */
  CHECK(opens("[workload]\ntrace = \"nowhere.swf\"\n", &error) == BERTH_INPUT);
  CHECK(strstr(error.text, "nowhere.swf") != NULL);
  CHECK(opens("[workload]\nmodel = \"lublin\"\n[sweep]\nseed = [1, 2]\n", &error) ==
        BERTH_USAGE);
  CHECK(opens("title = \"\xff\"\n", &error) == BERTH_INPUT);
  {
    const size_t size = 1u << 20;
    char *text = malloc(size + 1);
    memset(text, '\xc3', size);
    text[size] = '\0';
    CHECK(opens(text, &error) == BERTH_INPUT);
    CHECK(strlen(error.text) < sizeof error.text);
    free(text);
  }
  CHECK(berth_scenario_column(NULL, "id", NULL, 0) == BERTH_USAGE);
  berth_scenario_close(NULL);
}

static void columns(const berth_scenario *scenario) {
  double sizes[40];
  double short_one[3] = {-1, -1, -1};
  CHECK(berth_scenario_column(scenario, "size", NULL, 0) == 40);
  CHECK(berth_scenario_column(scenario, "size", short_one, 3) == 40);
  CHECK(short_one[0] == -1);
  CHECK(berth_scenario_column(scenario, "size", sizes, 40) == 40);
  CHECK(sizes[0] >= 1 && sizes[0] <= 4);
  CHECK(berth_scenario_column(scenario, "sizes", sizes, 40) == BERTH_USAGE);
  CHECK(berth_scenario_column(scenario, NULL, sizes, 40) == BERTH_USAGE);
}

static int32_t refused(berth_scenario *scenario, const berth_options *options) {
  berth_run *run = (berth_run *)1;
  berth_error error;
  const int32_t code = berth_open(scenario, options, &run, &error);
  CHECK((code == BERTH_OK) == (run != NULL));
  CHECK(code == BERTH_OK || (error.code == code && error.text[0] != '\0'));
  berth_close(run);
  return code;
}

static void options(berth_scenario *scenario) {
  struct {
    berth_options known;
    int64_t later;
  } larger;
  berth_options given;
  memset(&given, 0, sizeof given);
  CHECK(refused(scenario, NULL) == BERTH_USAGE);
  CHECK(refused(scenario, &given) == BERTH_USAGE); /* struct_bytes of 0 */
  given.struct_bytes = sizeof given;
  CHECK(refused(NULL, &given) == BERTH_USAGE);
  CHECK(refused(scenario, &given) == BERTH_OK);
  given.struct_bytes = 16; /* of a caller who knows less */
  CHECK(refused(scenario, &given) == BERTH_OK);
  memset(&larger, 0, sizeof larger);
  larger.known.struct_bytes = sizeof larger;
  CHECK(refused(scenario, &larger.known) == BERTH_OK);
  larger.later = 1;
  CHECK(refused(scenario, &larger.known) == BERTH_USAGE);
  given.struct_bytes = sizeof given;
  given.flags = 1u << 30;
  CHECK(refused(scenario, &given) == BERTH_USAGE);
  given.flags = 0;
  given.window = 41; /* more than there are */
  CHECK(refused(scenario, &given) == BERTH_USAGE);
  given.window = 0;
  given.work_limit = -1;
  CHECK(refused(scenario, &given) == BERTH_USAGE);
  given.work_limit = 0;
  given.policy = "no_such_policy";
  CHECK(refused(scenario, &given) == BERTH_USAGE);
  given.policy = "sjf:blok=false";
  CHECK(refused(scenario, &given) == BERTH_USAGE);
  given.policy = NULL;
  given.traits = "{ passes = \"sometimes\" }";
  CHECK(refused(scenario, &given) == BERTH_POLICY);
  given.traits = "{ this is no Lua";
  CHECK(refused(scenario, &given) == BERTH_POLICY);
}

static berth_run *open_run(berth_scenario *scenario, const char *policy, int64_t work) {
  berth_options given;
  berth_run *run;
  memset(&given, 0, sizeof given);
  given.struct_bytes = sizeof given;
  given.policy = policy;
  given.work_limit = work;
  CHECK(berth_open(scenario, &given, &run, NULL) == BERTH_OK);
  return run;
}

static int says(berth_run *run, const char *what) {
  berth_error error;
  const int32_t code = berth_failure(run, &error);
  const int is_there = strstr(error.text, what) != NULL;
  if (!is_there) printf("%d: %s\n", (int)code, error.text);
  return is_there && code == error.code;
}

static void calls(berth_scenario *scenario) {
  berth_run *run = open_run(scenario, NULL, 0);
  const int32_t start = berth_primitive("cluster.start");
  const int32_t size = berth_primitive("job.size");
  const int32_t state = berth_primitive("job.state");
  berth_value given[3], result[4];
  uint64_t job, handles[64];
  double values[64];
  int64_t count;
  CHECK(berth_primitive("cluster.strat") == BERTH_USAGE);
  CHECK(berth_primitive(NULL) == BERTH_USAGE);
  memset(given, 0, sizeof given);
  CHECK(berth_failure(run, NULL) == BERTH_OK);
  CHECK(berth_call(run, start, given, 1, result, 4) == BERTH_USAGE); /* no pass */
  CHECK(says(run, "no pass is open"));
  CHECK(berth_delegate(run, "easy") == BERTH_USAGE);
  CHECK(berth_jobs(run, BERTH_QUEUE, NULL, 0, NULL, NULL, 0) == BERTH_USAGE);
  CHECK(berth_next(run) == 1);
  CHECK(berth_jobs(run, BERTH_SUBMITTED, NULL, 0, NULL, NULL, 0) == 1);
  CHECK(berth_jobs(run, BERTH_RUNNING, NULL, 0, NULL, NULL, 0) == 0);
  CHECK(berth_jobs(run, 17, NULL, 0, NULL, NULL, 0) == BERTH_USAGE);
  CHECK(berth_jobs(run, BERTH_QUEUE, &size, 1, handles, values, 64) == 1);
  CHECK(berth_jobs(run, BERTH_QUEUE, &start, 1, handles, values, 64) == BERTH_USAGE);
  CHECK(berth_jobs(run, BERTH_QUEUE, NULL, 1, handles, values, 64) == BERTH_USAGE);
  job = handles[0];
  CHECK(values[0] >= 1 && values[0] <= 4);
  given[1].type = BERTH_HANDLE;
  given[1].as.handle = job;
  CHECK(berth_call(run, 99999, given, 2, result, 4) == BERTH_USAGE);
  CHECK(berth_call(run, -1, given, 2, result, 4) == BERTH_USAGE);
  CHECK(berth_call(run, start, NULL, 2, result, 4) == BERTH_USAGE);
  CHECK(berth_call(run, start, given, -2, result, 4) == BERTH_USAGE);
  given[1].type = 77;
  CHECK(berth_call(run, start, given, 2, result, 4) == BERTH_USAGE);
  given[1].type = BERTH_INTEGER;
  CHECK(berth_call(run, start, given, 2, result, 4) == BERTH_POLICY);
  CHECK(says(run, "bad argument #1 to 'start': a job expected, got number"));
  given[1].type = BERTH_HANDLE;
  given[1].as.handle = job + 1; /* of another kind */
  CHECK(berth_call(run, start, given, 2, result, 4) == BERTH_POLICY);
  given[1].as.handle = 16 * 39; /* not submitted */
  CHECK(berth_call(run, start, given, 2, result, 4) == BERTH_POLICY);
  CHECK(says(run, "no such job"));
  given[1].as.handle = UINT64_MAX;
  CHECK(berth_call(run, start, given, 2, result, 4) == BERTH_POLICY);
  CHECK(berth_walk(run, 12345, result, 4) == BERTH_POLICY);
  given[1].type = BERTH_TEXT;
  given[1].as.text = "\xff\xfe";
  given[1].bytes = 2;
  CHECK(berth_call(run, start, given, 2, result, 4) == BERTH_POLICY);
  given[1].bytes = -1;
  CHECK(berth_call(run, start, given, 2, result, 4) == BERTH_USAGE);
  given[0].type = BERTH_HANDLE;
  given[0].as.handle = job;
  CHECK(berth_call(run, state, given, 1, NULL, 0) == 1); /* counted, not written */
  CHECK(berth_call(run, state, given, 1, result, 4) == 1);
  CHECK(result[0].type == BERTH_TEXT && result[0].bytes == 7);
  CHECK(memcmp(result[0].as.text, "waiting", 7) == 0);
  given[0].type = BERTH_NIL;
  given[1].type = BERTH_HANDLE;
  given[1].as.handle = job;
  given[1].bytes = 0;
  CHECK(berth_call(run, start, given, 2, result, 4) == 1);
  CHECK(result[0].type == BERTH_BOOLEAN && result[0].as.integer == 1);
  CHECK(berth_call(run, start, given, 2, result, 4) == BERTH_POLICY); /* twice */
  CHECK(berth_jobs(run, BERTH_RUNNING, NULL, 0, handles, NULL, 64) == 1);
  CHECK(handles[0] == job);
  CHECK(berth_result(run, NULL, 0) > 100); /* as it stands */
  CHECK(berth_column(run, "id", NULL, 0) == BERTH_USAGE); /* not kept */
  /* Every job, first come first served, by walking a selection. */
  {
    const int32_t startable = berth_primitive("queue.startable");
    int32_t code;
    do {
      berth_value selection;
      memset(given, 0, sizeof given);
      CHECK(berth_call(run, startable, given, 1, &selection, 1) == 1);
      CHECK(selection.type == BERTH_SELECTION);
      while ((code = berth_walk(run, selection.as.handle, result, 4)) > 0) {
        given[1] = result[0];
        CHECK(berth_call(run, start, given, 2, NULL, 0) == 1);
      }
      CHECK(code == 0);
      code = berth_next(run);
      /* A selection of an earlier pass. */
      if (code == 1) {
        CHECK(berth_walk(run, selection.as.handle, result, 4) == BERTH_POLICY);
      }
    } while (code == 1);
    CHECK(code == 0);
  }
  CHECK(berth_next(run) == 0);
  CHECK(berth_advance(run, 5) == 0);
  CHECK(berth_call(run, start, given, 2, result, 4) == BERTH_USAGE); /* behind the end */
  CHECK(berth_delegate(run, NULL) == BERTH_USAGE);
  {
    berth_run *fcfs = open_run(scenario, "fcfs", 0);
    CHECK(berth_advance(fcfs, 0.0 / 1.0) == 1);
    while (berth_advance(fcfs, 1e8) == 1) {
    }
    CHECK(berth_hash(run) == berth_hash(fcfs));
    CHECK(berth_hash(run) != 0);
    berth_close(fcfs);
  }
  count = berth_result(run, NULL, 0);
  CHECK(count > 100);
  berth_close(run);
}

static void limits(berth_scenario *scenario, const char *endless) {
  berth_run *run = open_run(scenario, endless, 100000);
  berth_value result;
  CHECK(berth_advance(run, 1e9) == BERTH_LIMIT);
  CHECK(says(run, "work limit"));
  CHECK(berth_next(run) == BERTH_LIMIT);
  CHECK(berth_call(run, 0, NULL, 0, &result, 1) == BERTH_LIMIT);
  CHECK(berth_result(run, NULL, 0) == BERTH_LIMIT);
  CHECK(berth_failure(run, NULL) == BERTH_LIMIT);
  berth_close(run);
}

static int32_t stop(void *context, int64_t done, int64_t of) {
  (void)done;
  (void)of;
  ++*(int *)context;
  return 1;
}

static void studies(void) {
  static const char *const sets[] = {"run.policies=[\"fcfs\", \"easy\"]", "seed=3", NULL};
  static const char *const typo[] = {"workload.lod=1", NULL};
  berth_study_options given;
  berth_error error;
  char *json;
  int calls_of_progress = 0;
  memset(&given, 0, sizeof given);
  CHECK(berth_study(kSmall, strlen(kSmall), NULL, &given, &json, &error) == BERTH_USAGE);
  given.struct_bytes = sizeof given;
  given.sets = typo;
  CHECK(berth_study(kSmall, strlen(kSmall), NULL, &given, &json, &error) == BERTH_USAGE);
  CHECK(json == NULL && strstr(error.text, "workload.load") != NULL);
  given.sets = sets;
  CHECK(berth_study(kSmall, strlen(kSmall), NULL, &given, &json, &error) == BERTH_OK);
  CHECK(json != NULL && strstr(json, "\"policy\": \"easy\"") != NULL);
  CHECK(json != NULL && strstr(json, "\"schedule_hash\"") != NULL);
  berth_free(json);
  given.threads = 1;
  given.progress = stop;
  given.context = &calls_of_progress;
  CHECK(berth_study(kSmall, strlen(kSmall), NULL, &given, &json, &error) ==
        BERTH_INTERRUPTED);
  CHECK(calls_of_progress > 0 && json == NULL);
  berth_free(NULL);
}

int main(int count, char **arguments) {
  berth_scenario *scenario;
  berth_error error;
  if (count != 2) return 2;
  scenarios();
  if (berth_scenario_open(kSmall, strlen(kSmall), "", &scenario, &error) != BERTH_OK) {
    printf("%s\n", error.text);
    return 1;
  }
  columns(scenario);
  options(scenario);
  calls(scenario);
  limits(scenario, arguments[1]);
  studies();
  CHECK(berth_next(NULL) == BERTH_USAGE);
  CHECK(berth_failure(NULL, &error) == BERTH_USAGE);
  CHECK(berth_hash(NULL) == 0);
  berth_close(NULL);
  berth_scenario_close(scenario);
  CHECK(strstr(berth_records(), "\"reach\":\"cluster\"") != NULL);
  CHECK(berth_version()[0] != '\0');
  return wrong;
}
