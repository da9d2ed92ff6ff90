#if defined(__linux__)

#define _GNU_SOURCE
#include "FreshetCurl.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct start {
  void (*body)(void *);
  void *context;
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  start.body(start.context);
  return NULL;
}

bool freshet_thread_start(const char *name, void (*body)(void *), void *context) {
  enum { STACK_SIZE = 512 << 10 };
  struct start *start = malloc(sizeof(*start));
  if (start == NULL) return false;
  start->body = body;
  start->context = context;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, STACK_SIZE);
  // A thread inherits the mask of the one that creates it: no signal reaches the new one, not even
  // before its first instruction. SIGPIPE above all, which a write of TLS to a connection that the
  // server has closed raises.
  sigset_t all, former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  pthread_t thread;
  int status = pthread_create(&thread, &attributes, run, start);
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  pthread_attr_destroy(&attributes);
  if (status != 0) {
    free(start);
    return false;
  }
  pthread_setname_np(thread, name);
  return true;
}

#endif
