import Foundation

/// Stops the program because the library was used against its documentation.
///
/// Unlike `preconditionFailure`, it says why in optimized builds too.
func misuse(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  FileHandle.standardError.write(Data("Freshet: \(message)\n".utf8))
  preconditionFailure(message, file: file, line: line)
}

/// Stops the program if a precondition does not hold, with a message in optimized builds too.
func require(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition { misuse(message(), file: file, line: line) }
}
