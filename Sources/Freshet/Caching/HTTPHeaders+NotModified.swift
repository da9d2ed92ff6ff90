extension HTTPHeaders {
  /// The fields of a stored response after a 304 has confirmed it, RFC 9111 section 3.2.
  ///
  /// Fields of the 304 take the place of the stored ones of that name. Two kinds do not: `Content-Length`,
  /// and those that describe the body as it was sent, which has been decoded since. `Age` and `Date` are
  /// about one transfer: those of the stored response go, even if the 304 has none.
  ///
  /// - Parameter notModified: the fields of the 304 ``withoutConnectionFields``, as an exchange receives them.
  /// - Complexity: O(*s* · *n*) in the numbers of stored and of new lines.
  func merging(notModified: HTTPHeaders) -> HTTPHeaders {
    let new = notModified.fields
    // One array, made once.
    var merged: [Field] = []
    merged.reserveCapacity(fields.count + new.count)
    for field in fields where !HTTPHeaders.transferFields.contains(field.name) {
      let isReplaced =
        new.contains { HTTPHeaders.isSameName($0.name, field.name) }
        && !HTTPHeaders.keptFields.contains(field.name)
      if !isReplaced { merged.append(field) }
    }
    for field in new where !HTTPHeaders.keptFields.contains(field.name) { merged.append(field) }
    return HTTPHeaders(merged)
  }

  /// The fields of a 304 that are not as the stored response had them when it was received.
  ///
  /// What transforms have made of the others stays. The fields that are about one transfer are always included.
  ///
  /// - Complexity: O(*s* · *n*) in the numbers of stored and of new lines.
  func changes(since received: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(
      fields.filter { field in
        HTTPHeaders.transferFields.contains(field.name)
          || values(for: field.name) != received.values(for: field.name)
      })
  }

  /// The fields that a 304 does not change.
  private static let keptFields: HTTPFieldNames = [
    "content-encoding", "content-length", "content-range", "content-type",
  ]

  /// The fields that are about one transfer.
  private static let transferFields: HTTPFieldNames = ["age", "date"]
}
