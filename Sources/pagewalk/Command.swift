import Freshet

/// The parsed arguments: a pure value.
enum Command: Equatable {
  case help
  case version
  /// Walk the embedded demo.
  case demo(Options)
  case walk(Address, Options)
  /// Show a list in the terminal: that of a URL, or the embedded demo.
  case browse(Address?, Options)
}
