import FreshetTesting
import Testing

@testable import Freshet

@Suite("Channel of progress reports", .standardTimeLimit)
struct ProgressChannelTests {
  @Test("The newest report is delivered to a late reader")
  func newest() async {
    let channel = ProgressChannel()
    for received in 1...3 { channel.report(TransferProgress(bytesReceived: received)) }
    #expect(await channel.next()?.bytesReceived == 3)
  }

  @Test("A further use receives nothing that an earlier one has left")
  func furtherUse() async {
    let channel = ProgressChannel()
    channel.report(TransferProgress(bytesReceived: 1))
    #expect(channel.beginNextUse())
    let next = channel.next
    async let received = next()
    channel.report(TransferProgress(bytesReceived: 2))
    #expect(await received?.bytesReceived == 2)
  }

  @Test("There is no further use while an earlier one can receive reports")
  func earlierUse() async {
    let channel = ProgressChannel()
    var report: (@Sendable (TransferProgress) -> Void)? = channel.report
    #expect(!channel.beginNextUse())
    report?(TransferProgress(bytesReceived: 1))
    #expect(await channel.next()?.bytesReceived == 1)
    report = nil
    #expect(channel.beginNextUse())
  }

  @Test("The store reuses a channel once no transport can report to it")
  func givenAgain() async {
    await StoreActor.plainActor.run { actor in
      var channels = ProgressChannels()
      let channel = channels.make()
      var report: (@Sendable (TransferProgress) -> Void)? = channel.report
      channels.recycle(channel)
      #expect(channels.make() !== channel)
      report?(TransferProgress(bytesReceived: 1))
      report = nil
      #expect(channels.make() === channel)
    }
  }

  @Test("Channels that are never released do not keep others from being used again")
  func heldForEver() async {
    await StoreActor.plainActor.run { actor in
      var channels = ProgressChannels()
      let held = (0..<20).map { _ in channels.make() }
      let reports = held.map(\.report)
      for channel in held { channels.recycle(channel) }
      let channel = ProgressChannel()
      channels.recycle(channel)
      #expect(channels.make() === channel)
      withExtendedLifetime(reports) {}
    }
  }

  @Test(
    "A request whose progress is not observed gives its channel back, others close theirs",
    arguments: StoreActor.allCases)
  func givenBack(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let scope = fixture.service.store.scope
      let channel = ProgressChannel()
      scope.recycle(channel)
      fixture.stub.on(
        .get, "/a",
        .text("one").reporting(TransferProgress(bytesReceived: 1, bytesExpectedToReceive: 2)))
      await fixture.text("a").load().completed()
      // The work may hold it for a moment after the end. Channels that are made meanwhile are not
      // taken back, so that the next request is given this one.
      var again = scope.makeChannel()
      for _ in 0..<10_000 where again !== channel {
        await Task.yield()
        again = scope.makeChannel()
      }
      #expect(again === channel)
      scope.recycle(channel)

      // Reports that the first request has left in it do not belong to the next one.
      let gate = fixture.stub.hold(.get, "/a")
      var progress: [Double] = []
      let request = fixture.text("a").load().onProgress { progress.append($0) }
      await gate.arrived()
      for _ in 0..<20 { await Task.yield() }
      #expect(progress == [])
      gate.release(with: .text("two"))
      await request.completed()
      #expect(progress.last == 1)
      #expect((0..<10).allSatisfy { _ in scope.makeChannel() !== channel }, "it was closed")
    }
  }

  @Test("Closing ends the wait for a report")
  func closing() async {
    let channel = ProgressChannel()
    let next = channel.next
    async let received = next()
    channel.close()
    #expect(await received == nil)
    #expect(await next() == nil)
  }
}
