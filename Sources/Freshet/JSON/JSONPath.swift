/// The path to a value inside another one: the names to follow, with dots between them.
///
/// ```swift
/// let next: JSONPath = "links.next"
/// let cursor: JSONPath = "hits.hits.-1.sort"   // -1 is the last element of an array
/// let link: JSONPath = "@odata.nextLink"       // a name with a dot in it needs no quoting
/// ```
///
/// At an object, the longest run of the remaining names that is, with its dots, the name of a
/// member is followed: `@odata.nextLink` finds the member of that name if there is one and
/// otherwise `nextLink` inside `@odata`. `\.` is a dot that separates nothing, `\\` is a backslash;
/// before any other character a backslash stands for itself. At an array, a name must be an index;
/// negative ones count from the end. The empty path is the value itself.
public struct JSONPath: Sendable, Hashable {
  /// The names between the dots, outermost first.
  public let names: [String]

  /// Creates a path of names that are not split any further.
  public init(names: [String]) {
    self.names = names
  }

  /// The path to the value itself.
  public static let root = JSONPath(names: [])

  /// Returns the path to a member of the value at this path.
  public func appending(_ name: String) -> JSONPath {
    JSONPath(names: names + [name])
  }
}

extension JSONPath: LosslessStringConvertible {
  /// Creates a path from its dotted form. Every string is one.
  public init(_ description: String) {
    var names: [String] = []
    var name = String.UnicodeScalarView()
    var scalars = description.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      if scalar == "\\", let escaped = scalars.first, escaped == "." || escaped == "\\" {
        name.append(scalars.removeFirst())
      } else if scalar == "." {
        names.append(String(name))
        name = String.UnicodeScalarView()
      } else {
        name.append(scalar)
      }
    }
    names.append(String(name))
    self.init(names: description.isEmpty ? [] : names)
  }

  /// The dotted form.
  public var description: String {
    names.map { name in
      name.unicodeScalars.reduce(into: "") { escaped, scalar in
        if scalar == "." || scalar == "\\" { escaped.unicodeScalars.append("\\") }
        escaped.unicodeScalars.append(scalar)
      }
    }.joined(separator: ".")
  }
}

extension JSONPath: ExpressibleByStringLiteral {
  /// Creates a path from its dotted form.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}
