/// Why a request was not sent: a server asks for fewer. The underlying error of a ``TransportError``.
package struct HeldRequest: Error {
  /// The response to another request that asks for that.
  let response: HTTPResponse
}
