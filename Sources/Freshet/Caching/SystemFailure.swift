/// A failed call of the system.
struct SystemFailure: Error {
  let step: DiskStep
  /// The `errno`.
  let code: Int32
}
