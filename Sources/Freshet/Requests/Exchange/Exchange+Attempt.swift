import Foundation

extension Exchange {
  /// The content that the server may confirm.
  ///
  /// An object for the reason that ``Fetched`` is one, and so that the validators are read from the header fields
  /// once.
  final class KnownContent: Sendable {
    let entity: AnyEntity
    let validators: HTTPValidators

    init(_ entity: AnyEntity) {
      self.entity = entity
      validators = entity.validators
    }

    /// Whether a 304 is about the content, and about its response before transforms: one may have removed the tag,
    /// which distinguishes content of the same date.
    func isConfirmed(by notModified: HTTPHeaders) -> Bool {
      guard validators.areConfirmed(by: notModified) else { return false }
      guard validators.etag == nil, let received = entity.received else { return true }
      return HTTPValidators(received.headers).areConfirmed(by: notModified)
    }

    /// Whether a date alone identifies the content, which varies by one of these fields: with another value, the
    /// same date is that of another representation. A tag is of one alone (RFC 9111 section 4.3.1).
    func isKnownByDate(toVaryBy fields: Set<String>) -> Bool {
      !fields.isEmpty && validators.etag == nil
        && !HTTPVariant.names(in: entity.headers).isDisjoint(with: fields)
    }
  }

  /// One attempt: the known content, and the request as far as it is made.
  struct Attempt: Sendable {
    /// The content whose validators make the request conditional; nil for none.
    let known: KnownContent?
    let freshness: Freshness
    /// The request; nil before it is made of key and configuration.
    let request: PreparedRequest?
    /// How often it has waited because the server has asked that of all requests.
    let pauses: Int

    /// What the request demands of caches on the way.
    enum Freshness: Sendable {
      /// Nothing.
      case any
      /// What the server has now, whatever is known.
      case reload
      /// What the server has now, and not by a confirmation of what is known.
      case unconditional
    }

    /// The first attempt.
    ///
    /// - Parameters:
    ///   - entity: the content whose validators are sent; nil for none.
    ///   - freshness: what caches on the way may respond with.
    init(confirming entity: AnyEntity? = nil, _ freshness: Freshness = .any) {
      known = entity.map { KnownContent($0) }
      self.freshness = freshness
      request = nil
      pauses = 0
    }

    /// An attempt that continues an earlier one.
    init(after earlier: Attempt, _ next: PreparedRequest) {
      self.init(after: earlier, next, pauses: earlier.pauses)
    }

    private init(after earlier: Attempt, _ next: PreparedRequest?, pauses: Int) {
      known = earlier.known
      freshness = earlier.freshness
      request = next
      self.pauses = pauses
    }

    /// The same attempt after a wait that the server has asked for: where the request was authorized, it is
    /// authorized again, for the same user only.
    var afterPause: Attempt {
      Attempt(after: self, request?.again, pauses: pauses + 1)
    }
  }
}
