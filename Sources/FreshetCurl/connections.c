#if defined(__linux__)

#define _GNU_SOURCE
#include "connections.h"

#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
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

static bool is_current(struct connection connection) {
  return local_port(connection.socket) == connection.local_port;
}

static bool is_readable(int socket) {
  struct pollfd entry = {.fd = socket, .events = POLLIN};
  return poll(&entry, 1, 0) > 0;
}

// The order of the entries means nothing.
static void remove_at(struct connections *connections, size_t index) {
  connections->entries[index] = connections->entries[--connections->count];
}

static bool make_room(struct connections *connections) {
  if (connections->count < connections->capacity) return true;
  for (size_t index = connections->count; index-- > 0;) {
    if (!is_current(connections->entries[index])) remove_at(connections, index);
  }
  if (connections->count < connections->capacity) return true;
  size_t capacity = connections->capacity == 0 ? 16 : 2 * connections->capacity;
  void *entries = realloc(connections->entries, capacity * sizeof(*connections->entries));
  if (entries == NULL) return false;
  connections->entries = entries;
  connections->capacity = capacity;
  return true;
}

void freshet_connections_remove(struct connections *connections, int socket) {
  for (size_t index = 0; index < connections->count; index++) {
    if (connections->entries[index].socket == socket) return remove_at(connections, index);
  }
}

void freshet_connections_add(struct connections *connections, int socket, int local_port) {
  freshet_connections_remove(connections, socket);
  if (!make_room(connections)) return;
  connections->entries[connections->count++] = (struct connection){socket, local_port};
}

bool freshet_connections_take_readable(struct connections *connections, int local_port) {
  for (size_t index = 0; index < connections->count; index++) {
    struct connection connection = connections->entries[index];
    // Connections to different servers may have the same local port: each of them is looked at.
    if (connection.local_port != local_port || !is_current(connection)) continue;
    if (!is_readable(connection.socket)) continue;
    remove_at(connections, index);
    return true;
  }
  return false;
}

#endif
