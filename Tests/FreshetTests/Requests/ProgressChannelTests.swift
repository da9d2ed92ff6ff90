import Testing

@testable import Freshet

@Suite("Channel of progress reports")
struct ProgressChannelTests {
  @Test("The newest report is there for who asks late")
  func newest() async {
    let channel = ProgressChannel()
    for received in 1...3 { channel.report(TransferProgress(received: received)) }
    #expect(await channel.next()?.received == 3)
  }

  @Test("A further use hears nothing of what belongs to an earlier one")
  func furtherUse() async {
    let channel = ProgressChannel()
    let reportOfFirst = channel.report
    reportOfFirst(TransferProgress(received: 1))
    channel.beginNextUse()
    let next = channel.next
    async let heard = next()
    reportOfFirst(TransferProgress(received: 2))
    channel.report(TransferProgress(received: 3))
    #expect(await heard?.received == 3)
  }

  @Test("Closing ends the wait for a report")
  func closing() async {
    let channel = ProgressChannel()
    let next = channel.next
    async let heard = next()
    channel.close()
    #expect(await heard == nil)
    #expect(await next() == nil)
  }
}
