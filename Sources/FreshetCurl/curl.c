#if defined(__linux__)

#define _GNU_SOURCE
#include "FreshetCurl.h"
#include "connections.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

// The beginning of `curl_version_info_data`, which only ever grew at its end.
struct version_info {
  int age;
  const char *version;
  unsigned int version_num;
};

// `CURLMsg`.
struct message {
  int msg;
  void *easy_handle;
  union {
    void *whatever;
    int result;
  } data;
};

enum { GLOBAL_DEFAULT = 3, VERSION_NOW = 0, MESSAGE_DONE = 1 };

struct freshet_multi {
  void *multi;
  struct connections connections;
};

struct freshet_curl {
  int (*global_init)(long flags);
  const struct version_info *(*version_info)(int age);
  freshet_easy *(*easy_init)(void);
  void (*easy_cleanup)(freshet_easy *);
  int (*easy_setopt)(freshet_easy *, int option, ...);
  int (*easy_getinfo)(freshet_easy *, int info, ...);
  const char *(*easy_strerror)(int);
  freshet_list *(*slist_append)(freshet_list *, const char *);
  void (*slist_free_all)(freshet_list *);
  void *(*multi_init)(void);
  int (*multi_cleanup)(void *);
  int (*multi_setopt)(void *, int option, ...);
  int (*multi_add_handle)(void *, freshet_easy *);
  int (*multi_remove_handle)(void *, freshet_easy *);
  int (*multi_perform)(void *, int *running);
  int (*multi_poll)(void *, void *extra, unsigned int count, int timeout, int *ready);
  int (*multi_wakeup)(void *);
  struct message *(*multi_info_read)(void *, int *left);
};

// OpenSSL frees its tables at `exit` while the thread of a transport may still use them. OpenSSL 4
// no longer does; older ones are asked not to, before libcurl initializes them.
static void keep_openssl_until_the_end(void *library) {
  enum { NO_ATEXIT = 0x00080000 };
  int (*initialize)(uint64_t, const void *) =
      (int (*)(uint64_t, const void *))dlsym(library, "OPENSSL_init_crypto");
  if (initialize != NULL) initialize(NO_ATEXIT, NULL);
}

freshet_curl *freshet_curl_open(const char *name, char *reason, size_t reason_size) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *error = dlerror();
    snprintf(reason, reason_size, "%s", error != NULL ? error : "dlopen failed");
    return NULL;
  }
  freshet_curl *curl = calloc(1, sizeof(*curl));
  if (curl == NULL) {
    snprintf(reason, reason_size, "out of memory");
    return NULL;
  }
  const struct {
    const char *name;
    void *place;
  } functions[] = {
      {"curl_global_init", &curl->global_init},
      {"curl_version_info", &curl->version_info},
      {"curl_easy_init", &curl->easy_init},
      {"curl_easy_cleanup", &curl->easy_cleanup},
      {"curl_easy_setopt", &curl->easy_setopt},
      {"curl_easy_getinfo", &curl->easy_getinfo},
      {"curl_easy_strerror", &curl->easy_strerror},
      {"curl_slist_append", &curl->slist_append},
      {"curl_slist_free_all", &curl->slist_free_all},
      {"curl_multi_init", &curl->multi_init},
      {"curl_multi_cleanup", &curl->multi_cleanup},
      {"curl_multi_setopt", &curl->multi_setopt},
      {"curl_multi_add_handle", &curl->multi_add_handle},
      {"curl_multi_remove_handle", &curl->multi_remove_handle},
      {"curl_multi_perform", &curl->multi_perform},
      {"curl_multi_poll", &curl->multi_poll},
      {"curl_multi_wakeup", &curl->multi_wakeup},
      {"curl_multi_info_read", &curl->multi_info_read},
  };
  for (size_t index = 0; index < sizeof(functions) / sizeof(functions[0]); index++) {
    void *function = dlsym(library, functions[index].name);
    if (function == NULL) {
      snprintf(reason, reason_size, "%s has no %s", name, functions[index].name);
      free(curl);
      return NULL;
    }
    *(void **)functions[index].place = function;
  }
  keep_openssl_until_the_end(library);
  if (curl->global_init(GLOBAL_DEFAULT) != 0) {
    snprintf(reason, reason_size, "%s cannot be initialized", name);
    free(curl);
    return NULL;
  }
  return curl;
}

uint32_t freshet_curl_version(const freshet_curl *curl) {
  return curl->version_info(VERSION_NOW)->version_num;
}

const char *freshet_curl_version_text(const freshet_curl *curl) {
  return curl->version_info(VERSION_NOW)->version;
}

freshet_easy *freshet_easy_new(const freshet_curl *curl) { return curl->easy_init(); }

void freshet_easy_free(const freshet_curl *curl, freshet_easy *easy) { curl->easy_cleanup(easy); }

int32_t freshet_easy_set_long(
    const freshet_curl *curl, freshet_easy *easy, enum freshet_curl_option option, long value) {
  return curl->easy_setopt(easy, (int)option, value);
}

int32_t freshet_easy_set_size(
    const freshet_curl *curl, freshet_easy *easy, enum freshet_curl_option option, int64_t value) {
  return curl->easy_setopt(easy, (int)option, value);
}

int32_t freshet_easy_set_pointer(
    const freshet_curl *curl, freshet_easy *easy, enum freshet_curl_option option,
    const void *value) {
  return curl->easy_setopt(easy, (int)option, value);
}

int32_t freshet_easy_set_function(
    const freshet_curl *curl, freshet_easy *easy, enum freshet_curl_option option,
    freshet_transfer_function value) {
  return curl->easy_setopt(easy, (int)option, value);
}

int32_t freshet_easy_proxy_status(const freshet_curl *curl, freshet_easy *easy) {
  enum { HTTP_CONNECTCODE = 0x200000 + 22 };
  long status = 0;
  return curl->easy_getinfo(easy, (int)HTTP_CONNECTCODE, &status) == 0 ? (int32_t)status : 0;
}

const char *freshet_easy_text(const freshet_curl *curl, int32_t code) {
  return curl->easy_strerror(code);
}

freshet_list *freshet_list_append(
    const freshet_curl *curl, freshet_list *list, const char *line) {
  return curl->slist_append(list, line);
}

void freshet_list_free(const freshet_curl *curl, freshet_list *list) { curl->slist_free_all(list); }

freshet_multi *freshet_multi_new(const freshet_curl *curl) {
  freshet_multi *multi = calloc(1, sizeof(*multi));
  if (multi == NULL) return NULL;
  multi->multi = curl->multi_init();
  // Without descriptors for them libcurl leaves wake-ups out: a thread that waits would not notice what it is to do.
  if (multi->multi != NULL && curl->multi_wakeup(multi->multi) == 0) return multi;
  freshet_multi_free(curl, multi);
  return NULL;
}

void freshet_multi_free(const freshet_curl *curl, freshet_multi *multi) {
  if (multi->multi != NULL) curl->multi_cleanup(multi->multi);
  free(multi->connections.entries);
  free(multi);
}

int32_t freshet_multi_set_long(
    const freshet_curl *curl, freshet_multi *multi, enum freshet_curl_multi_option option,
    long value) {
  return curl->multi_setopt(multi->multi, (int)option, value);
}

// What the callbacks of an exchange need.
struct exchange {
  const freshet_curl *curl;
  struct connections *connections;
  freshet_easy *easy;
  bool has_tls;
  // The `errno` with which the system has last refused a socket; 0 for none.
  int refusal;
};

// `curl_prereq_callback`, which libcurl calls when an exchange has its connection and nothing was sent yet.
static int check_connection(
    void *context, char *address, char *local_address, int port, int local_port) {
  enum { CONTINUE = 0, ABORT = 1 };
  const struct exchange *exchange = context;
  // A server may send something on a new connection before it has a request.
  if (!freshet_easy_has_used_connection(exchange->curl, exchange->easy)) return CONTINUE;
  return freshet_connections_has_readable(exchange->connections, local_port, exchange->has_tls)
      ? ABORT
      : CONTINUE;
}

// The beginning of `curl_sockaddr`.
struct socket_address {
  int family;
  int type;
  int protocol;
};

// `curl_opensocket_callback`.
static int open_socket(void *context, int purpose, struct socket_address *address) {
  struct exchange *exchange = context;
  int opened = socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
  if (opened >= 0 && !freshet_has_descriptors(8)) {
    close(opened);
    opened = -1;
    errno = EMFILE;
  }
  if (opened >= 0) {
    exchange->refusal = 0;
    freshet_connections_add(exchange->connections, opened);
  } else if (errno != EAFNOSUPPORT) {
    // A host may have addresses of a kind that the system has not, beside those that decide.
    exchange->refusal = errno;
  }
  return opened;
}

// `curl_closesocket_callback`. Each connection keeps it, with its context, from the exchange that has made it.
static int close_socket(void *context, int socket) {
  freshet_connections_remove(context, socket);
  return close(socket);
}

int32_t freshet_multi_add(
    const freshet_curl *curl, freshet_multi *multi, freshet_easy *easy, bool has_tls) {
  enum {
    PRIVATE = 10103,
    OPENSOCKETDATA = 10164,
    CLOSESOCKETDATA = 10209,
    PREREQDATA = 10313,
    OPENSOCKETFUNCTION = 20163,
    CLOSESOCKETFUNCTION = 20208,
    PREREQFUNCTION = 20312,
    OUT_OF_MEMORY = 3,
  };
  struct exchange *exchange = malloc(sizeof(*exchange));
  if (exchange == NULL) return OUT_OF_MEMORY;
  *exchange = (struct exchange){curl, &multi->connections, easy, has_tls, 0};
  curl->easy_setopt(easy, (int)PRIVATE, exchange);
  curl->easy_setopt(easy, (int)OPENSOCKETFUNCTION, open_socket);
  curl->easy_setopt(easy, (int)OPENSOCKETDATA, exchange);
  curl->easy_setopt(easy, (int)CLOSESOCKETFUNCTION, close_socket);
  curl->easy_setopt(easy, (int)CLOSESOCKETDATA, &multi->connections);
  // They came with 7.80.
  curl->easy_setopt(easy, (int)PREREQFUNCTION, check_connection);
  curl->easy_setopt(easy, (int)PREREQDATA, exchange);
  int32_t status = curl->multi_add_handle(multi->multi, easy);
  if (status != 0) free(exchange);
  return status;
}

static struct exchange *exchange_of(const freshet_curl *curl, freshet_easy *easy) {
  enum { PRIVATE = 0x100000 + 21 };
  struct exchange *exchange = NULL;
  return curl->easy_getinfo(easy, (int)PRIVATE, &exchange) == 0 ? exchange : NULL;
}

void freshet_multi_remove(const freshet_curl *curl, freshet_multi *multi, freshet_easy *easy) {
  curl->multi_remove_handle(multi->multi, easy);
  free(exchange_of(curl, easy));
}

int32_t freshet_easy_connect_error(const freshet_curl *curl, freshet_easy *easy) {
  enum { OS_ERRNO = 0x200000 + 25 };
  const struct exchange *exchange = exchange_of(curl, easy);
  if (exchange != NULL && exchange->refusal != 0) return exchange->refusal;
  long code = 0;
  return curl->easy_getinfo(easy, (int)OS_ERRNO, &code) == 0 ? (int32_t)code : 0;
}

bool freshet_easy_may_have_sent(const freshet_curl *curl, freshet_easy *easy) {
  enum { NUM_CONNECTS = 0x200000 + 26, PRIMARY_PORT = 0x200000 + 40, PRETRANSFER_TIME = 0x300000 + 6 };
  double seconds = 0;
  long made = 0, port = 0;
  if (curl->easy_getinfo(easy, (int)PRETRANSFER_TIME, &seconds) != 0 || seconds > 0) return true;
  curl->easy_getinfo(easy, (int)NUM_CONNECTS, &made);
  curl->easy_getinfo(easy, (int)PRIMARY_PORT, &port);
  // It had the connection of an earlier exchange.
  return made == 0 && port > 0;
}

void freshet_multi_perform(const freshet_curl *curl, freshet_multi *multi) {
  int running = 0;
  curl->multi_perform(multi->multi, &running);
}

void freshet_multi_poll(const freshet_curl *curl, freshet_multi *multi, int32_t milliseconds) {
  curl->multi_poll(multi->multi, NULL, 0, milliseconds, NULL);
}

void freshet_multi_wakeup(const freshet_curl *curl, freshet_multi *multi) {
  curl->multi_wakeup(multi->multi);
}

// Notes the connection of an exchange that has ended with a response of HTTP/1, if it is kept. With TLS that is first
// known here: an exchange that has the connection within the same `perform` is not checked then.
static void note_connection(
    const freshet_curl *curl, struct connections *connections, freshet_easy *easy) {
  enum {
    HTTP_VERSION = 0x200000 + 46,
    ACTIVESOCKET = 0x500000 + 44,
    HTTP_1_0 = 1,
    HTTP_1_1 = 2,
  };
  int socket = -1;
  long version = 0;
  if (curl->easy_getinfo(easy, (int)ACTIVESOCKET, &socket) != 0 || socket < 0) return;
  curl->easy_getinfo(easy, (int)HTTP_VERSION, &version);
  if (version == HTTP_1_0 || version == HTTP_1_1) freshet_connections_note_http1(connections, socket);
}

freshet_easy *freshet_multi_next_done(
    const freshet_curl *curl, freshet_multi *multi, int32_t *code) {
  int left = 0;
  struct message *message;
  while ((message = curl->multi_info_read(multi->multi, &left)) != NULL) {
    if (message->msg != MESSAGE_DONE) continue;
    *code = message->data.result;
    freshet_easy *easy = message->easy_handle;
    note_connection(curl, &multi->connections, easy);
    return easy;
  }
  return NULL;
}

bool freshet_easy_has_used_connection(const freshet_curl *curl, freshet_easy *easy) {
  enum { NUM_CONNECTS = 0x200000 + 26 };
  long count = 0;
  return curl->easy_getinfo(easy, (int)NUM_CONNECTS, &count) == 0 && count == 0;
}

#endif
