/// What a request has to do with responses that ask for fewer requests to an origin, while others wait for a
/// connection there.
///
/// Part of the request, so that a transport around another one passes it on.
enum Holding: Sendable {
  /// Its response is about itself alone, and it is sent whatever the responses to others say.
  case none
  /// Where its response asks for that, others are not sent; it is sent itself.
  case others
  /// Where its response asks for that, others are not sent; and it is not sent either where the response to
  /// another one asks for that.
  case all
}
