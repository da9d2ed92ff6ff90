#if defined(__linux__)

#define _GNU_SOURCE
#include "FreshetCurl.h"
#include "connections.h"

#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>

// 0 for what is no socket.
static int local_port(int socket) {
  struct sockaddr_storage address;
  socklen_t size = sizeof(address);
  if (getsockname(socket, (struct sockaddr *)&address, &size) != 0) return 0;
  if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
  if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
  return 0;
}

static bool is_readable(int socket) {
  struct pollfd entry = {.fd = socket, .events = POLLIN};
  return poll(&entry, 1, 0) > 0;
}

bool freshet_has_descriptors(int32_t count) {
  enum { BLOCK = 24 };
  struct pollfd block[BLOCK];
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return true;
  int end = limit.rlim_cur < INT_MAX ? (int)limit.rlim_cur : INT_MAX;
  // From the highest number on, because most of those are free. None is taken for it, not even for a moment.
  while (count > 0 && end > 0) {
    int size = end < BLOCK ? end : BLOCK;
    end -= size;
    for (int index = 0; index < size; index++) block[index] = (struct pollfd){.fd = end + index};
    if (poll(block, size, 0) < 0) return true;
    for (int index = 0; index < size; index++) count -= (block[index].revents & POLLNVAL) != 0;
  }
  return count <= 0;
}

static struct connection *find(struct connections *connections, int socket) {
  for (size_t index = 0; index < connections->count; index++) {
    if (connections->entries[index].socket == socket) return &connections->entries[index];
  }
  return NULL;
}

static bool make_room(struct connections *connections) {
  if (connections->count < connections->capacity) return true;
  size_t capacity = connections->capacity == 0 ? 16 : 2 * connections->capacity;
  void *entries = realloc(connections->entries, capacity * sizeof(*connections->entries));
  if (entries == NULL) return false;
  connections->entries = entries;
  connections->capacity = capacity;
  return true;
}

void freshet_connections_remove(struct connections *connections, int socket) {
  struct connection *connection = find(connections, socket);
  // The order of the entries means nothing.
  if (connection != NULL) *connection = connections->entries[--connections->count];
}

void freshet_connections_add(struct connections *connections, int socket) {
  freshet_connections_remove(connections, socket);
  if (!make_room(connections)) return;
  connections->entries[connections->count++] = (struct connection){.socket = socket};
}

void freshet_connections_note_http1(struct connections *connections, int socket) {
  struct connection *connection = find(connections, socket);
  if (connection != NULL) connection->speaks_http1 = true;
}

bool freshet_connections_has_readable(
    struct connections *connections, int port, bool has_tls) {
  for (size_t index = 0; index < connections->count; index++) {
    struct connection *connection = &connections->entries[index];
    if (connection->local_port == 0) connection->local_port = local_port(connection->socket);
    // Connections to different servers may have the same local port: each of them is looked at.
    if (connection->local_port != port || (has_tls && !connection->speaks_http1)) continue;
    if (is_readable(connection->socket)) return true;
  }
  return false;
}

#endif
