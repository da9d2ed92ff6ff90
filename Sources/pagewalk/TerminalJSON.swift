import Foundation
import Freshet

/// JSON as it may be shown on a line of a terminal: characters that would control that, break the line, or change
/// the direction of the text around them, are written as escape sequences, which is the same JSON.
///
/// They occur in strings only; of the other control characters, JSON has none in them.
func escapedForTerminal(_ json: Data) -> Data {
  let scalars = String(decoding: json, as: UTF8.self).unicodeScalars
  guard scalars.contains(where: \.affectsTerminal) else { return json }
  var escaped = String.UnicodeScalarView()
  for scalar in scalars {
    if scalar.affectsTerminal {
      escaped.append(contentsOf: String(format: "\\u%04x", scalar.value).unicodeScalars)
    } else {
      escaped.append(scalar)
    }
  }
  return Data(String(escaped).utf8)
}

extension Unicode.Scalar {
  fileprivate var affectsTerminal: Bool {
    (0x7F...0x9F).contains(value) || (0x2028...0x2029).contains(value) || changesDirection
  }
}
