/// The requests of a service that are under way.
///
/// The service holds them, so that a request outlives its handle; when the service is deallocated
/// they are released, and each that is not held otherwise stops its work.
final class RunningRequests {
  private var requests: [AnyRequest?] = []
  /// The positions that can be reused.
  private var free: [Int] = []
  /// How many channels are kept at most, however many requests there were at one time.
  private static let mostChannels = 8
  /// Unread channels, in the order in which they were returned.
  private var channels: [ProgressChannel] = []

  func insert(_ request: AnyRequest) {
    if let position = free.popLast() {
      requests[position] = request
      request.position = position
    } else {
      request.position = requests.count
      requests.append(request)
    }
  }

  /// Removes a request that the caller holds, unless its position is in the container of a deallocated
  /// service.
  func remove(_ request: AnyRequest) {
    let position = request.position
    guard requests.indices.contains(position), requests[position] === request else { return }
    requests[position] = nil
    free.append(position)
  }

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
