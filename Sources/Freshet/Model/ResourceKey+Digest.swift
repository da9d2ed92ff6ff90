import Foundation

extension ResourceKey {
  /// A digest of the key: 64 lower-case hexadecimal digits.
  ///
  /// Equal keys have equal digests, in every process, on every machine and in every version of Freshet,
  /// unlike `hashValue`; and every part of the key changes it: method, URL, body, and the headers that
  /// select content. So it can name the file of a key in a cache:
  ///
  /// ```swift
  /// let file = folder.appending(component: resource.key.digest)
  /// ```
  ///
  /// Two keys with the same digest are not to be expected. A cache that serves more than one person
  /// should still store the key in its file, and compare it. The digest does not show the key, but
  /// anyone who can guess the key can check the guess.
  ///
  /// It is the SHA-256 hash of these fields. Each is preceded by its length in bytes, and numbers
  /// are big-endian integers of 8 bytes, so that different keys have different bytes:
  ///
  /// 1. `freshet key 1`
  /// 2. the method
  /// 3. the URL
  /// 4. the number of ``headers``, and the name and the value of each
  /// 5. the body without white space between its tokens, if there is one
  ///
  /// - Complexity: O(*n*) in the bytes of the key, each time.
  public var digest: String {
    var hash = SHA256()
    func add(count: Int) {
      withUnsafeBytes(of: UInt64(count).bigEndian) { hash.update($0) }
    }
    func add(_ field: String) {
      var field = field
      field.withUTF8 { bytes in
        add(count: bytes.count)
        hash.update(UnsafeRawBufferPointer(bytes))
      }
    }
    add("freshet key 1")
    add(method.rawValue)
    add(url)
    add(count: headers.fields.count)
    for field in headers.fields {
      add(field.name)
      add(field.value)
    }
    if let body {
      let compact = JSONText(valid: body).compact.bytes
      add(count: compact.count)
      compact.withUnsafeBytes { hash.update($0) }
    }
    return hash.hexadecimal
  }
}
