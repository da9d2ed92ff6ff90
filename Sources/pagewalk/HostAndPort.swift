import Foundation

/// Host and port of a URL as they are written, RFC 3986 section 3.2: a pure value.
struct HostAndPort {
  /// The host, with the brackets of an IPv6 address.
  let host: Substring
  /// The text after the colon; nil if there is no colon.
  let port: Substring?

  /// Splits the text at the colon after the host.
  ///
  /// - Parameter text: what is between the user name and the path.
  init(_ text: Substring) {
    let searchStart = text.hasPrefix("[") ? text.firstIndex(of: "]") : text.startIndex
    let colon = searchStart.flatMap { text[$0...].firstIndex(of: ":") }
    host = text[..<(colon ?? text.endIndex)]
    port = colon.map { text[text.index(after: $0)...] }
  }

  /// Whether this is the local machine.
  var isLoopback: Bool {
    let name = host.lowercased()
    return name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]"
      || (name.hasPrefix("127.") && HostAndPort.isIPv4(name))
  }

  /// Why this host or port is invalid; nil if it is valid. It shows nothing of the text, which may
  /// be a part of a password.
  var fault: String? {
    if let fault = host.hasPrefix("[") ? literalFault : nameFault { return fault }
    guard let port, !port.isEmpty else { return nil }
    if !host.hasPrefix("["), port.contains(":") {
      return "its host has several colons, and an IPv6 address needs brackets"
    }
    let isNumber = port.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    guard isNumber, let number = UInt16(port), number > 0 else {
      return "its port is not a number from 1 to 65535"
    }
    return nil
  }

  private var literalFault: String? {
    guard let end = host.firstIndex(of: "]") else { return "its IPv6 address lacks the bracket ]" }
    guard host.index(after: end) == host.endIndex else {
      return "between its IPv6 address and the port is no colon"
    }
    // The zone, RFC 6874, is not part of the address.
    let address = host[..<end].dropFirst().prefix { $0 != "%" }
    var bytes = in6_addr()
    guard inet_pton(AF_INET6, String(address), &bytes) == 1 else {
      return "in brackets there has to be an IPv6 address"
    }
    return nil
  }

  /// Names are letters, digits and hyphens, RFC 1123 section 2.1, in labels of 1…63; and underscores, which
  /// the names of containers and services often have.
  private var nameFault: String? {
    if host.isEmpty {
      return port?.contains(":") == true
        ? "its host has several colons, and an IPv6 address needs brackets" : "its host is empty"
    }
    for scalar in host.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": continue
      case " ": return "its host has a space in it"
      case _ where scalar.properties.generalCategory == .control:
        return "its host has a control character in it"
      case _ where !scalar.isASCII:
        return "its host is not ASCII, so it has to be written in its xn-- form"
      default: return "its host has more in it than letters, digits, hyphens, underscores and dots"
      }
    }
    let name = host.hasSuffix(".") ? host.dropLast() : host
    guard name.utf8.count <= 253 else { return "its host has more than 253 characters" }
    for label in name.split(separator: ".", omittingEmptySubsequences: false) {
      guard !label.isEmpty else { return "its host has an empty label" }
      guard label.utf8.count <= 63 else { return "its host has a label of more than 63 characters" }
      guard !label.hasPrefix("-"), !label.hasSuffix("-") else {
        return "its host has a label that begins or ends with a hyphen"
      }
    }
    let last = name.split(separator: ".").last ?? ""
    guard !last.allSatisfy({ ("0"..."9").contains($0) }) || HostAndPort.isIPv4(String(name)) else {
      return "its host is neither a name nor an IPv4 address"
    }
    return nil
  }

  private static func isIPv4(_ text: String) -> Bool {
    var bytes = in_addr()
    return inet_pton(AF_INET, text, &bytes) == 1
  }
}
