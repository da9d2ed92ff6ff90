import Foundation

extension ContiguousBytes {
  /// Calls a closure with the bytes; what it throws keeps its type.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = withUnsafeBytes { bytes -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
