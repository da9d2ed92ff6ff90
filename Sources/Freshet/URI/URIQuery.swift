/// The query of a URL as name and value pairs that can be read and edited one by one.
///
/// What is not edited stays as it is, byte for byte: percent-encoding, `+`, repeated names, order,
/// empty pairs. Names are compared decoded, so `page%5Bsize%5D` is the parameter `page[size]`.
package struct URIQuery: Hashable, Sendable {
  /// One pair, as it is written.
  package struct Parameter: Hashable, Sendable {
    /// The text between two `&`.
    package var text: String

    /// The name, decoded as forms are: percent-encoding undone and `+` read as a space.
    package var name: String { URIQuery.decode(writtenName) }

    /// The value, decoded as the name is; nil if there is no `=`.
    package var value: String? {
      let rest = text[writtenName.endIndex...]
      return rest.isEmpty ? nil : URIQuery.decode(rest.dropFirst())
    }

    /// The name, as it is written.
    var writtenName: Substring {
      text[..<(text.utf8.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex)]
    }
  }

  /// All pairs, in order.
  package private(set) var parameters: [Parameter]
  private let beforeQuery: String
  private let fragment: String

  /// Splits a URL at its query.
  package init(url: String) {
    let end = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
    fragment = String(url[end...])
    guard let mark = url[..<end].utf8.firstIndex(of: UInt8(ascii: "?")) else {
      beforeQuery = String(url[..<end])
      parameters = []
      return
    }
    beforeQuery = String(url[..<mark])
    parameters = url[url.utf8.index(after: mark)..<end].utf8
      .split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .map { Parameter(text: String(Substring($0))) }
  }

  /// The URL with the query as it is now; without parameters there is no `?`.
  package var url: String {
    parameters.isEmpty ? beforeQuery + fragment : beforeQuery + "?" + query + fragment
  }

  /// The pairs joined with `&`.
  package var query: String {
    parameters.map(\.text).joined(separator: "&")
  }

  /// The decoded value of the first parameter of that name; empty if it is written without `=`.
  package func value(of name: String) -> String? {
    parameters.first { $0.name.hasSameBytes(as: name) }.map { $0.value ?? "" }
  }

  /// Sets a parameter: the first of that name gets the value and the others go, or it is added last.
  ///
  /// - Parameters:
  ///   - name: the name, not encoded.
  ///   - value: the value, not encoded; everything but letters, digits and `-._~` will be. Nil removes
  ///     every parameter of that name.
  /// - Complexity: O(*n*) in the bytes of the query.
  package mutating func set(_ name: String, to value: String?) {
    set(name, to: value.map { [$0] } ?? [])
  }

  /// Sets a parameter that may repeat: the values stand where its first one stood, or last.
  package mutating func set(_ name: String, to values: [String]) {
    let index = parameters.firstIndex { $0.name.hasSameBytes(as: name) }
    parameters.removeAll { $0.name.hasSameBytes(as: name) }
    guard !values.isEmpty else { return }
    if parameters.map(\.text) == [""] { parameters = [] }  // a bare "?" holds one empty pair
    let pairs = values.map { value in
      Parameter(text: PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value))
    }
    parameters.insert(contentsOf: pairs, at: min(index ?? .max, parameters.count))
  }

  /// Sets parameters, each to any number of values, and sorts all by name; none removes a
  /// parameter.
  mutating func set(_ parameters: [String: [String]]) {
    for (name, values) in parameters { set(name, to: values) }
    sortByName()
  }

  /// A URL with parameters set, and all sorted by name; nil removes a parameter. Without any to
  /// set, the URL as it is.
  static func setting(_ parameters: [String: String?], in url: String) -> String {
    guard !parameters.isEmpty else { return url }
    var query = URIQuery(url: url)
    query.set(parameters.mapValues { $0.map { [$0] } ?? [] })
    return query.url
  }

  /// A URL in which each parameter that was added or changed is as it was before.
  ///
  /// - Parameters:
  ///   - original: the URL before the change.
  ///   - changed: the URL after it.
  ///   - url: a URL with some of the parameters of the latter, as one to which a redirect leads.
  static func undoing(from original: String, to changed: String, in url: String) -> String {
    let (original, changed) = (URIQuery(url: original), URIQuery(url: changed))
    var query = URIQuery(url: url)
    for name in Set(changed.parameters.map(\.name)) {
      let older = original.parameters.filter { $0.name.hasSameBytes(as: name) }
      guard older != changed.parameters.filter({ $0.name.hasSameBytes(as: name) }),
        let index = query.parameters.firstIndex(where: { $0.name.hasSameBytes(as: name) })
      else { continue }
      query.parameters.removeAll { $0.name.hasSameBytes(as: name) }
      query.parameters.insert(contentsOf: older, at: index)
    }
    return query.url
  }

  /// Puts the parameters in the order of their names as written; parameters of one name keep theirs.
  package mutating func sortByName() {
    parameters = parameters.enumerated()
      .sorted { left, right in
        let names = (left.element.writtenName.utf8, right.element.writtenName.utf8)
        guard !names.0.elementsEqual(names.1) else { return left.offset < right.offset }
        return names.0.lexicographicallyPrecedes(names.1)
      }
      .map(\.element)
  }

  private static func decode(_ text: Substring) -> String {
    let spaced = String(
      decoding: text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
    return PercentEncoding.decode(spaced).map { String(decoding: $0, as: UTF8.self) } ?? spaced
  }
}
