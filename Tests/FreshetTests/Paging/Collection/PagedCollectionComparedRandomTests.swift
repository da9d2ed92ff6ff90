import FreshetTesting
import Testing

@Suite(
  "A list of pages under random treatment, compared before it is reset and after",
  .standardTimeLimit)
struct PagedCollectionComparedRandomTests {
  @Test(
    "What is left of anything is what the server has, once a refresh has completed",
    arguments: StoreActor.allCases)
  func compared(actor: StoreActor) async {
    await ComparedTrial.run(150, listCount: 1, on: actor)
  }
}
