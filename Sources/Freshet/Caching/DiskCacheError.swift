import Foundation

/// The error of a ``DiskCache`` that could not read, write or remove an entry.
///
/// No load fails because of it: ``Service/Configuration/log`` receives an entry that quotes it.
public struct DiskCacheError: Error, Sendable, Hashable {
  /// The kind of failure.
  public enum Reason: Sendable, Hashable {
    /// The file is damaged, as the text describes. It was removed, and the next response replaces it.
    case damaged(String)
    /// A system call failed with the given `errno`, such as `ENOSPC` for a full disk.
    case system(operation: String, code: Int32)
    /// The entry is larger than the whole cache may be.
    case tooLarge(byteCount: Int, limit: Int)
    /// Too many bytes are waiting to be written.
    case busy
    /// The response could not be read back, because its status, URL, date or a header field is not valid.
    case notStorable
  }

  /// The kind of failure.
  public let reason: Reason
  /// The path of the file or directory. The name of a file is a digest, and shows no URL.
  public let path: String
  /// Whether the cache has already thrown an error with the same `errno`, and the failing operation has not succeeded
  /// since.
  ///
  /// A full disk or an unusable directory needs one report, not one for each entry. A removal that fails counts as
  /// repeated only after another failed removal, because data that should not be kept has to be reported. It is false
  /// for errors of ``DiskCache/removeAll(where:)``.
  public internal(set) var isRepeated = false
  /// The fault that this is one failure of; nil if the error is about one entry.
  var fault: DiskCacheFault?

  init(_ reason: Reason, _ path: String) {
    self.reason = reason
    self.path = path
  }

  /// Whether reason and path are the same, and both or neither are repeated.
  public static func == (left: DiskCacheError, right: DiskCacheError) -> Bool {
    left.reason == right.reason && left.path == right.path && left.isRepeated == right.isRepeated
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(reason)
    hasher.combine(path)
    hasher.combine(isRepeated)
  }
}

extension DiskCacheError: QuotableError {
  /// What happened, where, and what to do.
  public var description: String {
    switch reason {
    case .damaged(let nature):
      "\(path): \(nature); it was removed, and the next response is stored again"
    case .system(let operation, let code):
      "\(path): \(operation): \(String(cString: strerror(code))); \(Self.advice(code))"
    case .tooLarge(let byteCount, let limit):
      "\(path): an entry of \(byteCount) bytes does not fit into a cache of \(limit): raise "
        + "maximumByteCount"
    case .busy:
      "\(path): the disk is slower than the network, and too much waits to be written: this response "
        + "is not stored"
    case .notStorable:
      "\(path): the response is not stored, because it could not be read back: its status, URL, "
        + "date or a header field is not valid"
    }
  }

  private static func advice(_ code: Int32) -> String {
    switch code {
    case ENOSPC, EDQUOT: "free space; until then responses are not stored"
    case EACCES, EPERM: "check that the directory belongs to this user, with the permissions 0700"
    case EROFS: "choose a directory that can be written to"
    case ENOTDIR, EEXIST: "choose a directory; there is something else with this name"
    case EFBIG: "raise the limit of the size of files"
    case EMFILE, ENFILE: "close files, or raise the limit of open files"
    default: "check the disk and the directory"
    }
  }
}

extension DiskCacheEntry.Damage {
  /// The kind of file or damage, in words.
  var nature: String {
    switch self {
    case .notAnEntry: "the file is not an entry of a cache"
    case .version(let version): "the entry has the format \(version) of another version of Freshet"
    case .length: "the entry is not as long as it was written"
    case .checksum: "the entry has another checksum than it was written with"
    case .malformed: "the entry has a field that is not valid"
    case .otherIdentity: "the entry is of another resource"
    case .tooLarge: "the file is larger than the whole cache may be"
    case .notAFile: "the path is that of something other than a file"
    case .otherOwner: "the file belongs to another user"
    }
  }
}

/// A fault of a disk, from the first failure until what has failed succeeds.
///
/// An object, because each is another one than all others: a service remembers which it has reported.
final class DiskCacheFault: Sendable, Hashable {
  static func == (left: DiskCacheFault, right: DiskCacheFault) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What a cache has failed at since it last succeeded, so that one fault of a disk is reported once.
struct DiskCacheFailures {
  /// What can fail for all entries alike.
  enum Kind {
    case opening, reading, writing, removing
  }

  /// The last failure of each kind, as its `errno`.
  private var faults: [Kind: (code: Int32, fault: DiskCacheFault)] = [:]

  /// The error, which says whether it repeats the one before.
  mutating func noting(_ error: DiskCacheError, of kind: Kind) -> DiskCacheError {
    // Others are about one entry.
    guard case .system(_, let code) = error.reason else { return error }
    let known = faults.first {
      $0.value.code == code && ($0.key == .removing) == (kind == .removing)
    }
    let fault = known?.value.fault ?? DiskCacheFault()
    faults[kind] = (code, fault)
    var error = error
    (error.isRepeated, error.fault) = (known != nil, fault)
    return error
  }

  mutating func succeeded(_ kind: Kind) {
    faults[kind] = nil
  }
}
