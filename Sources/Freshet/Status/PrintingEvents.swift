extension AnyResource {
  /// Prints each event of this resource, for debugging, such as `GET https://a.test/gists newData(network)`.
  ///
  /// No secrets are printed: of the URL the origin and the path, and nothing of the content. It observes, and
  /// so keeps the resource in memory, until the token is cancelled; the token can be discarded.
  ///
  /// - Parameter output: called with each line, on the actor of the service; prints it by default.
  @discardableResult
  public final func printEvents(
    to output: @escaping (_ line: String) -> Void = { print($0) }
  ) -> ObservationToken {
    add(owner: self) { notice in
      output("\(notice.subject(AnyResource.self)) \(notice.resourceEvent)")
    }
  }
}

extension PagedCollection {
  /// Prints each event of this list, for debugging, such as `list GET https://a.test/gists +20 at 0, 20
  /// items`.
  ///
  /// No secrets are printed: of the URL the origin and the path, and nothing of the items. It observes until
  /// the list is deallocated or the token is cancelled; the token can be discarded.
  ///
  /// - Parameter output: called with each line, on the actor of the service; prints it by default.
  @discardableResult
  public func printEvents(
    to output: @escaping (_ line: String) -> Void = { print($0) }
  ) -> ObservationToken {
    addObserver(owner: self) { list, event in
      output("list \(list.firstPage) \(list.text(of: event))")
    }
  }

  private func text(of event: Event) -> String {
    switch event {
    case .observerAdded: "observerAdded"
    case .stateChanged(let state): "stateChanged(\(state))"
    case .previousStateChanged(let state): "previousStateChanged(\(state))"
    case .refreshStateChanged(let state): "refreshStateChanged(\(state))"
    case .invalidated: "invalidated"
    case .itemsChanged(let change):
      "\(change.splices.map(\.summary).joined(separator: ", ")), \(shownItems.count) items"
    }
  }
}

extension PagedChange.Splice {
  /// The counts, such as `-2 +3 at 20`.
  fileprivate var summary: String {
    let counts = [(removedItems.count, "-"), (insertedItems.count, "+")].filter { $0.0 > 0 }
    return (counts.map { "\($0.1)\($0.0)" } + ["at \(offset)"]).joined(separator: " ")
  }
}
