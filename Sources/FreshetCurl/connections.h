// The open connections, and whether one of them has bytes that belong to no response.

#ifndef FRESHET_CONNECTIONS_H
#define FRESHET_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct connection {
  int socket;
  /// 0 while it is not known.
  int local_port;
  /// Whether a response of HTTP/1 has come on it.
  bool speaks_http1;
};

/// A table of connections, from the opening of their sockets to the closing. It owns no socket.
struct connections {
  struct connection *entries;
  size_t count;
  size_t capacity;
};

/// Adds the connection of a socket that was opened. Without memory for it, it is not added.
void freshet_connections_add(struct connections *connections, int socket);
/// Removes the connection of a socket that is about to be closed.
void freshet_connections_remove(struct connections *connections, int socket);
/// Notes that a response of HTTP/1 has come on the connection of a socket.
void freshet_connections_note_http1(struct connections *connections, int socket);
/// Whether a connection with that local port has something to read, if only its end: the one that is about to be used
/// or, rarely, one to another server. Bytes on an idle connection of HTTP/2 are frames and mean nothing: with TLS, only
/// connections that are known to be of HTTP/1 count.
bool freshet_connections_has_readable(
    struct connections *connections, int local_port, bool has_tls);

#endif
