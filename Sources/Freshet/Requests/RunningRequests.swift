/// The requests of a service that are under way.
///
/// The service holds them, so that a request outlives its handle; when the service is deallocated
/// they are released, and each that is not held otherwise stops its work.
final class RunningRequests {
  private var requests: [AnyRequest?] = []
  /// The places that can be reused.
  private var free: [Int] = []
  /// How many channels are kept at most, however many requests there were at one time.
  private static let mostChannels = 8
  /// Unread channels, in the order in which they were returned.
  private var channels: [ProgressChannel] = []

  func insert(_ request: AnyRequest) {
    if let place = free.popLast() {
      requests[place] = request
      request.place = place
    } else {
      request.place = requests.count
      requests.append(request)
    }
  }

  /// Removes a request that the caller holds, unless its place is in the container of a deallocated
  /// service.
  func remove(_ request: AnyRequest) {
    let place = request.place
    guard requests.indices.contains(place), requests[place] === request else { return }
    requests[place] = nil
    free.append(place)
  }

  /// A channel for the progress reports of one request.
  func makeChannel() -> ProgressChannel {
    guard let place = channels.firstIndex(where: { $0.beginNextUse() }) else {
      return ProgressChannel()
    }
    return channels.remove(at: place)
  }

  /// Takes back an unread channel; it is reused once no transport can report to it.
  func takeBack(_ channel: ProgressChannel) {
    // The oldest one may be one that a transport never releases.
    if channels.count == Self.mostChannels { channels.removeFirst() }
    channels.append(channel)
  }
}
