/// Which token fetches wait for the end of a request: the request must not wait for one of those
/// tokens, or neither would ever end.
///
/// So making and authorizing such a request is part of those fetches, as it is for requests that a
/// fetch begins; a ``TokenAuthorizer`` lets no part of a fetch wait for it.
extension AnyRequest {
  /// Records that these fetches wait for the end of this request.
  final func noteWait(of others: [TokenFetch]) {
    guard !isCompleted, addFetches(others) else { return }
    if let source { passFetches(to: source) }
    guard exchange?.isAuthorized == true, let work, case .restart(let restart) = work.interruption
    else { return }
    self.work = nil
    work.stop()
    restart(self)
  }

  /// The fetches that wait for this request wait for the other one too.
  final func passFetches(to other: AnyRequest) {
    if !fetches.isEmpty { other.noteWait(of: fetches) }
  }

  /// Adds fetches that this request is a part of; returns whether there are new ones.
  @discardableResult
  final func addFetches(_ others: [TokenFetch]) -> Bool {
    let new = others.filter { other in !fetches.contains { $0 === other } }
    fetches += new
    return !new.isEmpty
  }
}
