import Foundation

extension Data {
  /// Hashes all bytes: `hash(into:)` takes the first 80 alone, so bodies with the same beginning would be
  /// looked up one by one.
  func hashAll(into hasher: inout Hasher) {
    hasher.combine(count)
    withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
