/// The requests of a service that are under way.
///
/// The service holds them, so that a request outlives its handle; when the service is deallocated
/// they are released, and each that is not held otherwise stops its work.
final class RunningRequests {
  /// The requests by their positions: one value, so that adding or removing one is one access to it.
  private struct Slots {
    private var requests: [AnyRequest?] = []
    /// The positions that can be reused.
    private var free: [Int] = []

    mutating func insert(_ request: AnyRequest) -> Int {
      guard let position = free.popLast() else {
        requests.append(request)
        return requests.count - 1
      }
      requests[position] = request
      return position
    }

    mutating func remove(_ request: AnyRequest, at position: Int) {
      guard requests.indices.contains(position), requests[position] === request else { return }
      requests[position] = nil
      free.append(position)
    }
  }

  private var slots = Slots()
  /// How many channels are kept at most, however many requests there were at one time.
  private static let mostChannels = 8
  /// Unread channels, in the order in which they were returned.
  private var channels: [ProgressChannel] = []

  func insert(_ request: AnyRequest) { request.position = slots.insert(request) }

  /// Removes a request that the caller holds, unless its position is in the container of a deallocated
  /// service.
  func remove(_ request: AnyRequest) { slots.remove(request, at: request.position) }

  /// A channel for the progress reports of one request.
  func makeChannel() -> ProgressChannel {
    guard let position = channels.firstIndex(where: { $0.beginNextUse() }) else {
      return ProgressChannel()
    }
    return channels.remove(at: position)
  }

  /// Takes back an unread channel; it is reused once no transport can report to it.
  func takeBack(_ channel: ProgressChannel) {
    // The oldest one may be one that a transport never releases.
    if channels.count == Self.mostChannels { channels.removeFirst() }
    channels.append(channel)
  }
}
