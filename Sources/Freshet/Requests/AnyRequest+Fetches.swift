/// A request for whose end the fetch of a token waits: if it waits for that token, it has to fail, because
/// neither would ever end.
///
/// So what makes and authorizes such a request is a part of that fetch, as it is for requests that the
/// fetch begins; a ``TokenAuthorizer`` lets no part of a fetch wait for it.
extension AnyRequest {
  /// Notes that the current task waits for the end of this request.
  final func noteWait() {
    let fetches = TokenAuthorizer.fetches
    if !fetches.isEmpty { noteWait(of: fetches) }
  }

  private func noteWait(of others: [TokenAuthorizer.Fetch]) {
    guard !isCompleted, addFetches(others) else { return }
    if let source { passFetches(to: source) }
    guard exchange?.isAuthorized == true, let work, case .restart(let restart) = work.interruption
    else { return }
    self.work = nil
    work.stop()
    restart(self)
  }

  /// What waits for this request waits for the other one.
  final func passFetches(to other: AnyRequest) {
    if !fetches.isEmpty { other.noteWait(of: fetches) }
  }

  /// Adds fetches that this request is a part of; returns whether there are new ones.
  @discardableResult
  final func addFetches(_ others: [TokenAuthorizer.Fetch]) -> Bool {
    let new = others.filter { other in !fetches.contains { $0 === other } }
    fetches += new
    return !new.isEmpty
  }
}
