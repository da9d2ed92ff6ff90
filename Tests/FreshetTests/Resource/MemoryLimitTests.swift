#if os(Linux)
  import Foundation
  import FreshetTesting
  import Testing

  @testable import Freshet

  /// Each test runs in a process of its own.
  @Suite("The memory that a service uses", .standardTimeLimit)
  struct MemoryLimitTests {
    @Test(
      "F71: where the system limits it, unobserved content is dropped, and observed content stays"
    )
    func limited() async {
      await #expect(processExitsWith: .success) { @MainActor in
        let fixture = ServiceFixture()
        let size = 1 << 20
        fixture.stub.on(where: { _ in true }) { _ in .response(body: Data(count: size)) }
        let service = fixture.service
        let observed = Weak(service.resource("observed", of: Data.self))
        let token = observed.object?.observe { _, _ in }
        // A fraction of what is loaded.
        try ProcessResources.limitMemory(to: 500 << 20)
        for name in ["observed"] + (0..<2_000).map(String.init) {
          let resource = service.resource(name, of: Data.self)
          #expect(try await resource.load().value().count == size)
        }
        #expect(observed.object?.content?.count == size)
        // What a program calls where the system warns it.
        service.evictUnused()
        #expect(service.resources.map { $0 === observed.object } == [true])
        #expect(observed.object?.content?.count == size)
        withExtendedLifetime(token) {}
      }
    }

    @Test("F72: 300,000 resources that come and go leave the memory of those that are kept")
    func bounded() async {
      await #expect(processExitsWith: .success) { @MainActor in
        let service = ServiceFixture().service
        func use(_ numbers: Range<Int>) {
          for number in numbers { _ = service.resource("\(number)", of: Data.self) }
        }
        use(0..<20_000)
        let before = try ProcessResources.resident()
        use(20_000..<trialCount(320_000))
        #expect(try ProcessResources.resident() - before < 4_000_000)
        #expect(service.resources.count <= 2_048)
      }
    }
  }
#endif
