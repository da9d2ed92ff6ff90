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
  /// Prints each event of this list, for debugging, such as `collection GET https://a.test/gists
  /// itemsChanged(+20 at 0)`.
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
      output("collection \(list.firstPage) \(event)")
    }
  }
}

extension Paginator {
  /// Prints each event of this paginator, for debugging, such as `paginator gists loaded(2)`.
  ///
  /// No secrets are printed: of the pattern the path, and nothing of the items. It observes until the
  /// paginator is deallocated or the token is cancelled; the token can be discarded.
  ///
  /// - Parameter output: called with each line, on the actor of the service; prints it by default.
  @discardableResult
  public func printEvents(
    to output: @escaping (_ line: String) -> Void = { print($0) }
  ) -> ObservationToken {
    addObserver(owner: self) { paginator, event in
      output("paginator \(paginator.shownPath) \(event)")
    }
  }
}
