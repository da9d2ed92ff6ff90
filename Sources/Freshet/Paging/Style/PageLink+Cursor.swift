extension PageLink {
  /// The link from the first request of a list straight to the destination of this one.
  ///
  /// A page's own link is relative to the request for that page. This one can be stored and
  /// followed in another run. It has no edit that a later one undoes, and its references are
  /// absolute.
  ///
  /// - Parameters:
  ///   - earlier: the link from the first request to the page that has this link; nil for the first
  ///     page itself.
  ///   - url: the URL of the response that had this link.
  func after(_ earlier: PageLink?, responseURL url: String) -> PageLink {
    var link = earlier ?? PageLink()
    for edit in edits {
      link.edits.removeAll { $0.isUndone(by: edit) }
      if case .follow(let reference) = edit {
        link.edits.append(.follow(PageLink.absolute(reference, against: url) ?? reference))
      } else {
        link.edits.append(edit)
      }
    }
    return link
  }
}

extension PageLink.Edit {
  /// Whether a later edit leaves nothing of this one.
  fileprivate func isUndone(by later: PageLink.Edit) -> Bool {
    switch (self, later) {
    case (.follow, .follow), (.query, .follow): true
    case (.query(let name, _), .query(let other, _)): name.hasSameBytes(as: other)
    case (.body(let path, _), .body(let other, _)):
      path.names.elementsEqual(other.names) { $0.hasSameBytes(as: $1) }
    case (.header(let name, _), .header(let other, _)):
      name.asciiLowercased == other.asciiLowercased
    default: false
    }
  }
}
