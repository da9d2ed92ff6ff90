// The system's libcurl and zlib, opened at run time, for the transport on Linux.
//
// Every machine that builds Swift has both libraries, because Foundation and the toolchain need them,
// but few have their development files. So prototypes and constants are declared here by hand, after
// curl.h and zlib.h, whose binary interfaces are stable; and variadic calls, which Swift cannot make,
// have a wrapper for each type of argument.

#ifndef FRESHET_CURL_H
#define FRESHET_CURL_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether the process can open so many more files. Without any, Dispatch stops it when it looks at its threads in
/// /proc, about once a second.
bool freshet_has_descriptors(int32_t count);

// MARK: - Opening

/// libcurl, opened. It is never closed.
typedef struct freshet_curl freshet_curl;

/// zlib, opened. It is never closed.
typedef struct freshet_zlib freshet_zlib;

/// Opens libcurl by the name of its shared library and initializes it.
///
/// Returns NULL where it cannot be opened or lacks a function, and then writes why into `reason`.
/// Call it once, before any other use.
freshet_curl *_Nullable freshet_curl_open(
    const char *_Nonnull name, char *_Nonnull reason, size_t reason_size);

/// Opens zlib by the name of its shared library; NULL where it cannot be opened.
freshet_zlib *_Nullable freshet_zlib_open(const char *_Nonnull name);

/// The version of libcurl as `0xMMmmpp`.
uint32_t freshet_curl_version(const freshet_curl *_Nonnull curl);

/// The version of libcurl as text, such as `7.88.1`.
const char *_Nonnull freshet_curl_version_text(const freshet_curl *_Nonnull curl);

// MARK: - Constants of curl.h

enum freshet_curl_option {
  FRESHET_OPT_WRITEDATA = 10001,
  FRESHET_OPT_URL = 10002,
  FRESHET_OPT_PROXY = 10004,
  FRESHET_OPT_READDATA = 10009,
  FRESHET_OPT_ERRORBUFFER = 10010,
  FRESHET_OPT_HTTPHEADER = 10023,
  FRESHET_OPT_SSLCERT = 10025,
  FRESHET_OPT_KEYPASSWD = 10026,
  FRESHET_OPT_HEADERDATA = 10029,
  FRESHET_OPT_CUSTOMREQUEST = 10036,
  FRESHET_OPT_CAINFO = 10065,
  FRESHET_OPT_SSLKEY = 10087,
  FRESHET_OPT_CAPATH = 10097,
  FRESHET_OPT_PROTOCOLS_STR = 10318,
  FRESHET_OPT_WRITEFUNCTION = 20011,
  FRESHET_OPT_READFUNCTION = 20012,
  FRESHET_OPT_HEADERFUNCTION = 20079,
  FRESHET_OPT_INFILESIZE_LARGE = 30115,
  FRESHET_OPT_NOBODY = 44,
  FRESHET_OPT_UPLOAD = 46,
  FRESHET_OPT_NETRC = 51,
  FRESHET_OPT_FOLLOWLOCATION = 52,
  FRESHET_OPT_FRESH_CONNECT = 74,
  FRESHET_OPT_FORBID_REUSE = 75,
  FRESHET_OPT_CONNECTTIMEOUT = 78,
  FRESHET_OPT_HTTP_VERSION = 84,
  FRESHET_OPT_BUFFERSIZE = 98,
  FRESHET_OPT_NOSIGNAL = 99,
  FRESHET_OPT_HTTP_CONTENT_DECODING = 158,
  FRESHET_OPT_PROTOCOLS = 181,
  FRESHET_OPT_PATH_AS_IS = 234,
  FRESHET_OPT_SUPPRESS_CONNECT_HEADERS = 265,
  FRESHET_OPT_DISALLOW_USERNAME_IN_URL = 278,
  FRESHET_OPT_HTTP09_ALLOWED = 285,
  FRESHET_OPT_MAXLIFETIME_CONN = 314,
  FRESHET_OPT_QUICK_EXIT = 322,
};

enum freshet_curl_value {
  FRESHET_HTTP_VERSION_2TLS = 4,
  FRESHET_PROTO_HTTP_AND_HTTPS = 3,
};

enum freshet_curl_multi_option {
  FRESHET_MULTI_MAXCONNECTS = 6,
};

/// The result of an exchange, `CURLcode`; named are those that lead to different errors.
enum freshet_curl_code {
  FRESHET_CURL_OK = 0,
  FRESHET_CURL_UNSUPPORTED_PROTOCOL = 1,
  FRESHET_CURL_URL_MALFORMAT = 3,
  FRESHET_CURL_NOT_BUILT_IN = 4,
  FRESHET_CURL_COULDNT_RESOLVE_PROXY = 5,
  FRESHET_CURL_COULDNT_RESOLVE_HOST = 6,
  FRESHET_CURL_COULDNT_CONNECT = 7,
  FRESHET_CURL_HTTP2 = 16,
  FRESHET_CURL_PARTIAL_FILE = 18,
  FRESHET_CURL_OUT_OF_MEMORY = 27,
  FRESHET_CURL_OPERATION_TIMEDOUT = 28,
  FRESHET_CURL_SSL_CONNECT_ERROR = 35,
  FRESHET_CURL_ABORTED_BY_CALLBACK = 42,
  FRESHET_CURL_UNKNOWN_OPTION = 48,
  FRESHET_CURL_GOT_NOTHING = 52,
  FRESHET_CURL_SSL_ENGINE_NOTFOUND = 53,
  FRESHET_CURL_SSL_ENGINE_SETFAILED = 54,
  FRESHET_CURL_SEND_ERROR = 55,
  FRESHET_CURL_RECV_ERROR = 56,
  FRESHET_CURL_SSL_CERTPROBLEM = 58,
  FRESHET_CURL_SSL_CIPHER = 59,
  FRESHET_CURL_PEER_FAILED_VERIFICATION = 60,
  FRESHET_CURL_FILESIZE_EXCEEDED = 63,
  FRESHET_CURL_USE_SSL_FAILED = 64,
  FRESHET_CURL_SEND_FAIL_REWIND = 65,
  FRESHET_CURL_SSL_ENGINE_INITFAILED = 66,
  FRESHET_CURL_SSL_CACERT_BADFILE = 77,
  FRESHET_CURL_SSL_CRL_BADFILE = 82,
  FRESHET_CURL_SSL_ISSUER_ERROR = 83,
  FRESHET_CURL_SSL_PINNEDPUBKEYNOTMATCH = 90,
  FRESHET_CURL_SSL_INVALIDCERTSTATUS = 91,
  FRESHET_CURL_HTTP2_STREAM = 92,
  FRESHET_CURL_PROXY = 97,
  FRESHET_CURL_SSL_CLIENTCERT = 98,
  FRESHET_CURL_TOO_LARGE = 100,
};

// MARK: - Calls of libcurl

/// One exchange: an easy handle.
typedef struct freshet_easy freshet_easy;
/// Connections and the exchanges on them: a multi handle.
typedef struct freshet_multi freshet_multi;
/// A list of header lines.
typedef struct freshet_list freshet_list;

/// Called with bytes received, or to be filled with bytes to send.
typedef size_t (*freshet_transfer_function)(
    char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

freshet_easy *_Nullable freshet_easy_new(const freshet_curl *_Nonnull curl);
void freshet_easy_free(const freshet_curl *_Nonnull curl, freshet_easy *_Nonnull easy);
int32_t freshet_easy_set_long(
    const freshet_curl *_Nonnull curl, freshet_easy *_Nonnull easy,
    enum freshet_curl_option option, long value);
int32_t freshet_easy_set_size(
    const freshet_curl *_Nonnull curl, freshet_easy *_Nonnull easy,
    enum freshet_curl_option option, int64_t value);
int32_t freshet_easy_set_pointer(
    const freshet_curl *_Nonnull curl, freshet_easy *_Nonnull easy,
    enum freshet_curl_option option, const void *_Nullable value);
int32_t freshet_easy_set_function(
    const freshet_curl *_Nonnull curl, freshet_easy *_Nonnull easy,
    enum freshet_curl_option option, freshet_transfer_function _Nullable value);
/// The status of a proxy's last response to CONNECT; 0 for none.
int32_t freshet_easy_proxy_status(
    const freshet_curl *_Nonnull curl, freshet_easy *_Nonnull easy);
/// Whether an exchange that has ended made no connection: it had one of an earlier exchange, or none.
bool freshet_easy_has_used_connection(
    const freshet_curl *_Nonnull curl, freshet_easy *_Nonnull easy);
/// Whether a request, or a part of it, may have been sent by an exchange that has ended: not where it had no connection,
/// or has made one and failed before that could be used.
bool freshet_easy_may_have_sent(const freshet_curl *_Nonnull curl, freshet_easy *_Nonnull easy);
/// The `errno` with which the system has refused a socket to an exchange that was added, or its last attempt to connect
/// has failed; 0 for none.
int32_t freshet_easy_connect_error(
    const freshet_curl *_Nonnull curl, freshet_easy *_Nonnull easy);
/// What a result means, without anything about the exchange.
const char *_Nonnull freshet_easy_text(const freshet_curl *_Nonnull curl, int32_t code);

/// The list with a copy of the line at its end; NULL where there is no memory, with the list as it was.
freshet_list *_Nullable freshet_list_append(
    const freshet_curl *_Nonnull curl, freshet_list *_Nullable list, const char *_Nonnull line);
void freshet_list_free(const freshet_curl *_Nonnull curl, freshet_list *_Nullable list);

freshet_multi *_Nullable freshet_multi_new(const freshet_curl *_Nonnull curl);
void freshet_multi_free(const freshet_curl *_Nonnull curl, freshet_multi *_Nonnull multi);
int32_t freshet_multi_set_long(
    const freshet_curl *_Nonnull curl, freshet_multi *_Nonnull multi,
    enum freshet_curl_multi_option option, long value);
/// Adds an exchange, with TLS or without. It ends with `FRESHET_CURL_ABORTED_BY_CALLBACK`, and nothing was sent, where its
/// connection was used before with HTTP/1 and has bytes to read: they are not the response to this one, RFC 9112 section
/// 6.3. libcurl closes that connection. Before 7.80 libcurl cannot be asked for it. Some versions look by themselves;
/// 7.88 does not.
int32_t freshet_multi_add(
    const freshet_curl *_Nonnull curl, freshet_multi *_Nonnull multi, freshet_easy *_Nonnull easy,
    bool has_tls);
/// Removes an exchange that was added.
void freshet_multi_remove(
    const freshet_curl *_Nonnull curl, freshet_multi *_Nonnull multi, freshet_easy *_Nonnull easy);
/// Does what can be done without waiting.
void freshet_multi_perform(const freshet_curl *_Nonnull curl, freshet_multi *_Nonnull multi);
/// Waits for a socket, a timer or a wake-up.
void freshet_multi_poll(
    const freshet_curl *_Nonnull curl, freshet_multi *_Nonnull multi, int32_t milliseconds);
/// Ends the wait of another thread, now or next time.
void freshet_multi_wakeup(const freshet_curl *_Nonnull curl, freshet_multi *_Nonnull multi);
/// The next exchange that has ended and its result; NULL for none.
freshet_easy *_Nullable freshet_multi_next_done(
    const freshet_curl *_Nonnull curl, freshet_multi *_Nonnull multi, int32_t *_Nonnull code);

// MARK: - Threads

/// Starts a detached thread on which all signals are blocked; false where the system has none left.
bool freshet_thread_start(
    const char *_Nonnull name, void (*_Nonnull body)(void *_Nonnull context),
    void *_Nonnull context);

// MARK: - zlib

/// A decoder of gzip and zlib data.
typedef struct freshet_inflate freshet_inflate;

enum freshet_inflate_status {
  /// There is no more output for this input, or no more room.
  FRESHET_INFLATE_OK,
  /// A member has ended, its checksum and size right.
  FRESHET_INFLATE_END,
  /// The data is not what it should be.
  FRESHET_INFLATE_CORRUPT,
};

freshet_inflate *_Nullable freshet_inflate_new(const freshet_zlib *_Nonnull zlib);
void freshet_inflate_free(freshet_inflate *_Nonnull stream);
/// Begins another member.
void freshet_inflate_reset(freshet_inflate *_Nonnull stream);
/// Decodes what fits; `input` and `output` are set to the bytes consumed and written.
enum freshet_inflate_status freshet_inflate_step(
    freshet_inflate *_Nonnull stream, const uint8_t *_Nullable in, uint32_t *_Nonnull input,
    uint8_t *_Nonnull out, uint32_t *_Nonnull output);

#endif
#endif
