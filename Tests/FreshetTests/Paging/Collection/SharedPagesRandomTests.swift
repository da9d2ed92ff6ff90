import FreshetTesting
import Testing

@Suite("Two lists of the same pages under random treatment", .standardTimeLimit)
struct SharedPagesRandomTests {
  @Test(
    "Once both were refreshed, each is what the server has",
    arguments: StoreActor.allCases)
  func compared(actor: StoreActor) async {
    await ComparedTrial.run(140, listCount: 2, on: actor)
  }
}
