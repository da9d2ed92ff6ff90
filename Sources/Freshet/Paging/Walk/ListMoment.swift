/// The time of a demand.
struct ListMoment {
  /// The clock of the service.
  var clock: any StoreClock
  /// The version of the service's configuration.
  var configuration: Int
  /// The number that the next load gets.
  var nextLoad: ResourceState.LoadID

  /// The monotonic time. Read when needed: for most pages it is not.
  var now: Duration { clock.now }
}
