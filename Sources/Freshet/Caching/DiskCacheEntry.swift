import Foundation

/// The content of one file of a ``DiskCache``: an entry, and the identity of its resource.
///
/// The file begins with a preamble of fixed length, see ``Preamble``. Then comes the head, and then the
/// body as it is:
///
/// | field of the head | form |
/// | --- | --- |
/// | ``ResourceKey/digest``, method and URL of the key; URL of the response | strings |
/// | date | bits of a `Double`, 8 bytes: seconds since 2001-01-01 00:00:00 UTC |
/// | ``CachedEntry/variant`` | 8 bytes |
/// | status, number of header lines | integers |
/// | name and value of each line | strings |
///
/// Integers are big-endian and have 4 bytes where nothing else is said; a string is its length in
/// bytes and its UTF-8.
///
/// After the body come updates, if there are any: the number of the bytes of the update, their checksum, and
/// then the fields of the head again, from the URL of the response on. The last update counts. So a response
/// that only confirms the body, which most do, costs a few bytes and no waiting for the disk. An update that
/// was cut short is none, and what was written before it holds.
///
/// The request's body and its headers are not stored. They are part of the identity all the same: the
/// digest is of them too.
struct DiskCacheEntry: Sendable {
  /// The identity of a resource, as far as it is stored.
  struct Identity: Sendable, Hashable {
    let digest: String
    let method: String
    let url: String

    init(digest: String, method: String, url: String) {
      self.digest = digest
      self.method = method
      self.url = url
    }

    init(_ key: ResourceKey) {
      self.init(digest: key.digest, method: key.method.rawValue, url: key.url)
    }

    // Over the bytes: equality of strings merges forms that are different names to a server.
    static func == (left: Identity, right: Identity) -> Bool {
      left.digest.hasSameBytes(as: right.digest)
        && left.method.hasSameBytes(as: right.method)
        && left.url.hasSameBytes(as: right.url)
    }
  }

  /// Why a file is not an entry.
  enum Damage: Error, Sendable, Hashable {
    /// The file does not begin as an entry does.
    case notAnEntry
    /// The file was written by a version of Freshet with another format.
    case version(UInt32)
    /// It is shorter than it says it is.
    case length
    /// Its checksum is another one.
    case checksum
    /// A field of the head is not valid.
    case malformed
    /// The file is the entry of another resource.
    case otherIdentity
    /// The file has more bytes than the whole cache may have.
    case tooLarge
    /// The file is a directory, a link, a pipe or a device.
    case notAFile
    /// The file belongs to another user.
    case otherOwner
  }

  let identity: Identity
  let entry: CachedEntry
}

extension CachedEntry {
  /// The entry as a ``DiskCache`` keeps it: without the cookies of the response.
  var withoutCookies: CachedEntry {
    let cookies: HTTPFieldNames = ["Set-Cookie", "Set-Cookie2"]
    guard response.headers.contains(cookies) else { return self }
    var entry = self
    entry.response.headers = response.headers.removing(cookies)
    return entry
  }

  /// Whether the response says that it may not be stored.
  var mayNotBeStored: Bool {
    HTTPFreshness(
      status: response.status, headers: response.headers, responseDate: timestamp,
      responseDelay: .zero
    ).forbidsStoring
  }
}
