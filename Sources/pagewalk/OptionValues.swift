import Foundation
import Freshet

/// Parses a style. Page numbers from which the style cannot count are an error.
func style(_ text: String) throws(UsageError) -> PageStyle {
  let first = text.firstMatch(of: /^page=[^,]*,from ([0-9]+)/).map { Int($0.output.1) ?? .max }
  guard first ?? 0 <= 1_000_000_000 else {
    throw UsageError("--style: expected the number of a first page up to 1000000000")
  }
  do throws(PageStyle.ParsingError) {
    return try PageStyle(parsing: text)
  } catch {
    throw UsageError("--style: \(error)")
  }
}

/// Parses a dotted path, or `.` for the whole value.
func path(_ text: String, of option: String, root: String) throws(UsageError) -> JSONPath {
  let path = text == "." ? JSONPath.root : JSONPath(text)
  guard !text.isEmpty, !path.names.contains("") else {
    throw UsageError(
      "--\(option): expected names with single dots between them, or . for \(root), not '\(text)'")
  }
  return path
}

/// Parses JSON, given directly or in a file. It stays out of errors: it may hold a secret.
func body(_ text: String, files: Files) throws(UsageError) -> JSONText {
  let path = text.hasPrefix("@") ? String(text.dropFirst()) : nil
  let json = try path.map { path throws(UsageError) in try files.text(of: path, for: "body") }
  do throws(JSONText.SyntaxError) {
    return try JSONText(parsing: json ?? text)
  } catch {
    let location = path.map { " in " + Files.name(of: $0) } ?? ""
    throw UsageError("--body: expected JSON\(location); \(error)")
  }
}

/// Checks the file with the certificate authorities, which the transport reads with each connection.
func authoritiesFile(_ path: String, files: Files) throws(UsageError) -> String {
  #if canImport(Darwin)
    throw UsageError("--cacert: this system has its own list: add the certificate to the keychain")
  #else
    let text = path == "-" ? "" : try files.text(of: path, for: "cacert")
    guard text.contains("-----BEGIN ") else {
      throw UsageError(
        "--cacert: expected a file with certificates in PEM format, not \(Files.name(of: path))")
    }
    // A key, for instance, is PEM too.
    guard text.contains(/-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----/) else {
      throw UsageError("--cacert: \(Files.name(of: path)) has no certificate in it")
    }
    return path
  #endif
}

/// Parses an origin: scheme, host and port, and no more.
func origin(_ text: String, else error: UsageError) throws(UsageError) -> String {
  guard let origin = URIReference.origin(of: text), text.split(separator: "/").count == 2,
    !text.contains(where: { "?#@".contains($0) })
  else { throw error }
  let authority = text.split(separator: "/").last ?? ""
  if let fault = HostAndPort(authority).fault {
    throw UsageError("\(error.description): \(fault)")
  }
  return origin
}

func number(
  _ text: String, in range: ClosedRange<Int>, else error: UsageError
) throws(UsageError) -> Int {
  guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
    let number = Int(text), range.contains(number)
  else { throw error }
  return number
}

/// Seconds in decimal notation: a thousandth or more, and no more than a timer can wait.
func seconds(_ text: String) -> Duration? {
  guard text.allSatisfy({ $0 == "." || ("0"..."9").contains($0) }), let seconds = Double(text),
    seconds >= 0.001, seconds <= 1_000_000_000
  else { return nil }
  return .seconds(seconds)
}

extension JSONText {
  static let emptyObject = try? JSONText(parsing: "{}")
}
