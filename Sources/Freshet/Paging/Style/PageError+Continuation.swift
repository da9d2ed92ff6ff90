extension PageError {
  /// A sign in a response that there are more items.
  public struct Continuation: Sendable, Hashable, CustomStringConvertible {
    /// The place of a sign in a response.
    public enum Place: Sendable, Hashable {
      /// The header field of that name.
      case headerField(String)
      /// The member of the body at that path.
      case member(JSONPath)
    }

    /// What a sign holds.
    package enum Kind: Sendable, Hashable {
      /// A URI reference of the next page.
      case link
      /// A token, a number or the like, which the next request has to send.
      case token
      /// Nothing but that there are more items.
      case flag
      /// The number of items in the whole list, or of those to come.
      case itemCount
      case pageCount
    }

    /// The place of the sign in the response.
    public let place: Place
    package let kind: Kind
    /// The name of the token in the object at the place; nil if the token is at the place itself.
    package var tokenName: String?
    /// The style that counts pages or items as the request and the response do; nil if neither shows how.
    package var counting: PageStyle?
    /// The path of the boolean beside it that is true if there are more items; nil if there is none.
    package var more: JSONPath?
    /// The path of the identity in the last item, if the list may continue after that; nil if it is not known to.
    package var identity: JSONPath?
    /// The variables that a query of GraphQL has for `after`; nil if the request is none of GraphQL.
    package var variables: [String]?

    package init(at place: Place, _ kind: Kind) {
      self.place = place
      self.kind = kind
    }

    /// The name of the header field, or the path of the member as people write it: `@odata.nextLink`.
    public var description: String {
      switch place {
      case .headerField(let name): name
      case .member(let path): path.names.joined(separator: ".")
      }
    }
  }
}
