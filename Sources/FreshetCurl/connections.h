// The connections of HTTP/1 that have had a response, and whether one of them has bytes that belong to none.

#ifndef FRESHET_CONNECTIONS_H
#define FRESHET_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct connection {
  int socket;
  int local_port;
};

/// A table of connections, known by their local ports. It owns no socket: an entry may be older than the connection
/// that has the descriptor now, and counts as long as that has the same port.
struct connections {
  struct connection *entries;
  size_t count;
  size_t capacity;
};

/// Adds the connection of a socket, in the place of an earlier one. Without memory for it, it is not added.
void freshet_connections_add(struct connections *connections, int socket, int local_port);
/// Removes the connection of a socket.
void freshet_connections_remove(struct connections *connections, int socket);
/// Whether a connection has something to read, if only its end. It is removed then.
bool freshet_connections_take_readable(struct connections *connections, int local_port);

#endif
