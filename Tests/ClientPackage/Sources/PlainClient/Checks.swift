import Foundation

/// Ends the program in failure where something is not as it should be.
func check(_ condition: Bool, _ message: @autoclosure () -> String, line: Int = #line) {
  guard !condition else { return }
  FileHandle.standardError.write(Data("line \(line): \(message())\n".utf8))
  exit(1)
}
