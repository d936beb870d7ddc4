#ifndef BERTH_H
#define BERTH_H
/* berth from C99, and from every language that calls C.  docs/c.md has examples.
 *
 * scenario  A machine and its jobs.  It never changes; any thread may use it.
 * run       One policy on a scenario, at some instant.  One thread at a time uses it;
 *           several runs do not depend on each other.
 * Results   >= 0: done.  < 0: a berth_code; the call has changed nothing unless it says
 *           so, and the run keeps code, place and text until its next failure
 *           (berth_failure).  After a limit or a defect (BERTH_LIMIT, BERTH_MEMORY,
 *           BERTH_DEFECT) and after a failed audit every call gives that code again.
 * Memory    Arrays belong to the caller.  What does not fit is not written; the answer
 *           is the number of elements that there are, so NULL and 0 ask for it.
 * Process   Nothing here writes to a stream, exits, or changes locale, environment or
 *           signals; no state is kept outside the handles.  One exception: a run with
 *           time_limit > 0 takes a thread and a real-time signal.
 * Times     Seconds as double, as policies have them.  A handle of a job holds for its
 *           run, every other handle for one pass.
 * Closing   A handle that was closed must not be used: that is undefined. */
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_API __attribute__((visibility("default")))

#define BERTH_ABI 1 /* another one where a layout or the meaning of a call changes */
BERTH_API uint32_t berth_abi(void); /* that of the library */
BERTH_API const char *berth_version(void);
/* All names as JSON: "primitives" (number, reach, name, form, params, returns, brief),
 * "features" (of, name, formula, brief), "metrics", "columns", "keys".  It lives as
 * long as the process. */
BERTH_API const char *berth_records(void);
/* The number of "cluster.start_all" or "job.size" in this library; else BERTH_USAGE. */
BERTH_API int32_t berth_primitive(const char *name);

typedef enum berth_code { /* the exit codes of the program, negated */
  BERTH_OK = 0,
  BERTH_AUDIT = -1,
  BERTH_USAGE = -2,
  BERTH_INPUT = -3,
  BERTH_POLICY = -4,
  BERTH_LIMIT = -5,
  BERTH_MEMORY = -6,
  BERTH_OUTPUT = -8,
  BERTH_DEFECT = -70,
  BERTH_INTERRUPTED = -130
} berth_code;

typedef struct berth_error {
  int32_t code, line, column; /* 0: no place */
  char file[236];             /* as the caller named it */
  char text[1024];            /* the message, UTF-8, cut between characters */
} berth_error;

typedef struct berth_scenario berth_scenario;
/* Reads the text of a scenario of one point (a [sweep] is BERTH_USAGE) and its jobs.
 * Relative paths in it are taken from `folder`, NULL: the current one.  `error` may be
 * NULL.  *out is NULL on failure. */
BERTH_API int32_t berth_scenario_open(const char *toml, size_t bytes, const char *folder,
                                      berth_scenario **out, berth_error *error);
/* Of the jobs, by (submit, id): "id", "submit", "size", "walltime", "length" or "user"
 * (-1: none). */
BERTH_API int64_t berth_scenario_column(const berth_scenario *scenario, const char *name,
                                        double *out, int64_t capacity);
/* Runs keep what they need of it. */
BERTH_API void berth_scenario_close(berth_scenario *scenario);

typedef struct berth_options {
  uint32_t struct_bytes; /* sizeof(berth_options): fields beyond count as 0 */
  uint32_t flags;
  const char *policy;  /* "easy", "sjf:block=false", a path; NULL: the caller decides */
  const char *traits;  /* then a Lua table with passes, promises, orders; may be NULL */
  uint64_t seed;       /* of random numbers, 0: that of the scenario; of the window */
  int64_t window;      /* > 0: an episode has so many consecutive jobs by (submit, id) */
  /* It begins at job first_from + i * stride <= first_to; 0: as far as there are jobs,
   * and 1. */
  int64_t first_from, first_to, stride;
  int64_t warm; /* jobs before those, which are not measured */
  /* What decides before the first of the window is submitted; NULL: fcfs. */
  const char *warm_policy;
  int64_t work_limit;   /* Lua instructions of a decision or call; 0: 50,000,000 */
  double time_limit;    /* seconds of a decision; 0: none */
  int64_t memory_limit; /* MiB of a script; 0: 256 */
} berth_options;
#define BERTH_AUDITED 1u   /* a rule that is broken ends the run with BERTH_AUDIT */
#define BERTH_KEEP_JOBS 2u /* for berth_column */
#define BERTH_IN_TURN 4u   /* i = seed mod the number of windows, else mix(seed) mod it */

typedef struct berth_run berth_run;
/* *out is NULL on failure. */
BERTH_API int32_t berth_open(berth_scenario *scenario, const berth_options *options,
                             berth_run **out, berth_error *error);
/* Closes the open pass and goes on to the next one that is to be made.  1: it is open;
 * 0: the run is over, from then on always. */
BERTH_API int32_t berth_next(berth_run *run);
/* Closes the open pass and lets the policy of the run decide every pass up to `until`
 * (INFINITY: to the end).  1: events are left; 0: the run is over. */
BERTH_API int32_t berth_advance(berth_run *run, double until);
/* In the open pass, which stays open, lets the policy of the run decide (NULL), or
 * another one without orders and hooks, which keeps its state between calls.  Where it
 * fails half-way, what it did before stays done. */
BERTH_API int32_t berth_delegate(berth_run *run, const char *policy);

typedef enum berth_type {
  BERTH_NIL,
  BERTH_BOOLEAN, /* in `integer` */
  BERTH_INTEGER,
  BERTH_NUMBER,
  BERTH_TEXT,
  BERTH_HANDLE,
  BERTH_SELECTION, /* in `handle`, for berth_walk */
  BERTH_TABLE      /* `integer` pairs follow, a key and its value each */
} berth_type;
#define BERTH_THE_QUEUE UINT64_C(2) /* a handle: the queue itself, as an argument */
typedef struct berth_value {
  int32_t type, bytes; /* bytes of a text, which need not end with a 0 */
  union {
    int64_t integer;
    double number;
    uint64_t handle;
    const char *text; /* of a result: until the next call with this run */
  } as;
} berth_value;
/* Calls a primitive, or reads a field: the function that a script calls, under the same
 * checks.  The first argument is what it is called on: a handle, or nil for the queue,
 * the cluster, its book and its parts.  The answer is the number of results, of which
 * the first `capacity` are written; a refusal is two, nil and the reason.  A wrong call
 * is BERTH_POLICY. */
BERTH_API int32_t berth_call(berth_run *run, int32_t primitive,
                             const berth_value *arguments, int32_t count,
                             berth_value *results, int32_t capacity);
/* The next values of a selection, as berth_call; 0: there are no more. */
BERTH_API int32_t berth_walk(berth_run *run, uint64_t selection, berth_value *results,
                             int32_t capacity);
/* Jobs in one call: out[field * capacity + i].  A field is the number of a field of
 * `job`; NaN where a job has no number there.  SUBMITTED and ENDED: since the last open
 * pass.  Either array may be NULL. */
typedef enum berth_set {
  BERTH_QUEUE,
  BERTH_RUNNING,
  BERTH_SUBMITTED,
  BERTH_ENDED
} berth_set;
BERTH_API int64_t berth_jobs(berth_run *run, int32_t set, const int32_t *fields,
                             int32_t count, uint64_t *handles, double *out,
                             int64_t capacity);

/* An environment: an agent decides, one job at a time (docs/environment.md).  The
 * arrays live until berth_close or the next berth_bind; those of several runs may be
 * rows of one array. */
typedef struct berth_env {
  uint32_t struct_bytes; /* sizeof(berth_env) */
  int32_t jobs;          /* K jobs are shown; action k starts the k-th, K waits */
  int32_t reserved;      /* 0 */
  const char *features;  /* F of a job, by name: "size,walltime,wait" */
  const char *machine;   /* M of the machine: "idle,queue"; may be "" */
  const char *choose;    /* "fitting", "safe" or "any" */
  const char *backfill;  /* "none", or with "any" "easy" */
  const char *reward;    /* "mean_bounded_slowdown", any mean of a metric of jobs */
  const char *credit;    /* "each", or "last": all of it at the end */
  float *seen;           /* K rows of F, then M; a row without a job is 0 */
  uint8_t *mask;         /* K + 1: 1 is allowed */
  int64_t *ids;          /* K; -1: no job */
  double *outcome;       /* 2: the reward, now */
  uint8_t *ended;        /* 2: terminated (all jobs have left), truncated */
  int64_t step_limit;    /* steps until an episode is truncated; 0: none */
} berth_env;
/* Makes an environment of a run in which the caller decides (policy and traits NULL).
 * From then on berth_reset and berth_step alone move it. */
BERTH_API int32_t berth_bind(berth_run *run, const berth_env *env);
/* An episode from its start to its first decision.  The number of jobs shown; 0: there
 * is nothing to be decided, and the episode is over.  A run with a window and without an
 * environment begins anew in the window of the seed: 0.  Random numbers stay those of
 * the seed of its options, so that all see the same jobs. */
BERTH_API int32_t berth_reset(berth_run *run, uint64_t seed);
/* One action, then on to the next decision.  The number of jobs shown, 0 at the end.
 * An action that is masked is BERTH_USAGE, and nothing changes. */
BERTH_API int32_t berth_step(berth_run *run, int32_t action);
/* One step of each run.  An episode that is over: with BERTH_AUTO_RESET a new one, by
 * the mix of its seed, whose first decision is shown with a reward of 0; else nothing.
 * The answer is the number of runs that went on.  The first failure stops: *failed,
 * which may be NULL, is its run, else -1. */
#define BERTH_AUTO_RESET 1u
BERTH_API int32_t berth_step_many(berth_run *const *runs, int32_t count,
                                  const int32_t *actions, uint32_t flags,
                                  int32_t *failed);

/* summary.json as the run stands; the answer is its bytes without the 0 behind it. */
BERTH_API int64_t berth_result(berth_run *run, char *json, int64_t capacity);
/* Of the jobs that ended, in that order: "id", "start", "end" or a metric of jobs, as
 * berth_records() lists them; NaN: undefined.  For runs with BERTH_KEEP_JOBS. */
BERTH_API int64_t berth_column(berth_run *run, const char *name, double *out,
                               int64_t capacity);
BERTH_API uint64_t berth_hash(const berth_run *run); /* the schedule hash, so far */
/* The code of the last failure, 0: there was none.  `error` may be NULL. */
BERTH_API int32_t berth_failure(const berth_run *run, berth_error *error);
BERTH_API void berth_close(berth_run *run);

/* What `berth run` and `berth sweep` do. */
typedef struct berth_study_options {
  uint32_t struct_bytes; /* sizeof(berth_study_options) */
  int32_t threads;       /* 0: one for each processor */
  const char *out;       /* a folder for results; NULL: nothing is written */
  const char *const *sets; /* "key=value", ends with NULL; may be NULL */
  /* Called by the calling thread alone.  A result other than 0 stops the study. */
  int32_t (*progress)(void *context, int64_t done, int64_t of);
  void *context;
} berth_study_options;
/* *json, for berth_free, is the array that --json=runs prints; NULL on failure. */
BERTH_API int32_t berth_study(const char *toml, size_t bytes, const char *folder,
                              const berth_study_options *options, char **json,
                              berth_error *error);
BERTH_API void berth_free(char *json);
#ifdef __cplusplus
}
#endif
#endif
