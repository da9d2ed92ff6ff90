#if defined(__linux__)

#include "FreshetCurl.h"

#include <dlfcn.h>
#include <stdlib.h>

// `z_stream`.
struct stream {
  const uint8_t *next_in;
  unsigned int avail_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *(*zalloc)(void *, unsigned int, unsigned int);
  void (*zfree)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
};

enum { NO_FLUSH = 0, OK = 0, STREAM_END = 1, BUF_ERROR = -5, GZIP_OR_ZLIB = 15 + 32 };

struct freshet_zlib {
  int (*inflate_init)(struct stream *, int window_bits, const char *version, int stream_size);
  int (*inflate)(struct stream *, int flush);
  int (*inflate_reset)(struct stream *);
  int (*inflate_end)(struct stream *);
};

// zlib keeps a pointer to the stream, so it must not move: it is allocated with its functions.
struct freshet_inflate {
  const freshet_zlib *zlib;
  struct stream stream;
};

freshet_zlib *freshet_zlib_open(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return NULL;
  freshet_zlib *zlib = calloc(1, sizeof(*zlib));
  if (zlib == NULL) return NULL;
  *(void **)&zlib->inflate_init = dlsym(library, "inflateInit2_");
  *(void **)&zlib->inflate = dlsym(library, "inflate");
  *(void **)&zlib->inflate_reset = dlsym(library, "inflateReset");
  *(void **)&zlib->inflate_end = dlsym(library, "inflateEnd");
  if (zlib->inflate_init == NULL || zlib->inflate == NULL || zlib->inflate_reset == NULL ||
      zlib->inflate_end == NULL) {
    free(zlib);
    return NULL;
  }
  return zlib;
}

freshet_inflate *freshet_inflate_new(const freshet_zlib *zlib) {
  freshet_inflate *inflate = calloc(1, sizeof(*inflate));
  if (inflate == NULL) return NULL;
  inflate->zlib = zlib;
  // zlib compares the first digit of the version and the size of the structure.
  int status =
      zlib->inflate_init(&inflate->stream, GZIP_OR_ZLIB, "1.2.11", (int)sizeof(struct stream));
  if (status != OK) {
    free(inflate);
    return NULL;
  }
  return inflate;
}

void freshet_inflate_free(freshet_inflate *inflate) {
  inflate->zlib->inflate_end(&inflate->stream);
  free(inflate);
}

void freshet_inflate_reset(freshet_inflate *inflate) {
  inflate->zlib->inflate_reset(&inflate->stream);
}

enum freshet_inflate_status freshet_inflate_step(
    freshet_inflate *inflate, const uint8_t *in, uint32_t *input, uint8_t *out, uint32_t *output) {
  struct stream *stream = &inflate->stream;
  stream->next_in = in;
  stream->avail_in = *input;
  stream->next_out = out;
  stream->avail_out = *output;
  int status = inflate->zlib->inflate(stream, NO_FLUSH);
  *input -= stream->avail_in;
  *output -= stream->avail_out;
  // No pointer is kept to bytes that are the caller's.
  stream->next_in = NULL;
  stream->avail_in = 0;
  stream->next_out = NULL;
  stream->avail_out = 0;
  switch (status) {
    case STREAM_END: return FRESHET_INFLATE_END;
    // Without input or room nothing can be done, which is no fault of the data.
    case OK: case BUF_ERROR: return FRESHET_INFLATE_OK;
    default: return FRESHET_INFLATE_CORRUPT;
  }
}

#endif
