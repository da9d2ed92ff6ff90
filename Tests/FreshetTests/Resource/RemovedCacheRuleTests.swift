import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A persistent cache whose rule was removed", .standardTimeLimit)
struct RemovedCacheRuleTests {
  @Test(
    "A cache is flushed and wiped after its rule was removed", arguments: StoreActor.allCases)
  func removedRule(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("hers"))
      let cache = HeldCache()
      let key = fixture.text("a").key
      let rule = fixture.service.configure { $0.cache = cache }
      await cache.hold(.store)
      await fixture.text("a").load().completed()
      rule.remove()
      await cache.begun(.store)
      let release = Task { await cache.release() }
      await fixture.service.flushCache()
      #expect(await cache.text(of: key) == "hers")
      await release.value

      fixture.service.wipe()
      await fixture.service.flushCache()
      #expect(await cache.text(of: key) == nil)
    }
  }

  @Test(
    "A wipe is flushed though no resource had the cache, and its rule was removed",
    arguments: StoreActor.allCases)
  func removedRuleWithoutResource(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let (cache, key) = (HeldCache(), ResourceKey(gettingPlainly: "https://api.test/a"))
      await cache.put(.text("hers", age: 1, fixture.clock), for: key)
      await cache.hold(.removeAll)
      let rule = fixture.service.configure { $0.cache = cache }
      fixture.service.wipe()
      rule.remove()
      await cache.begun(.removeAll)
      let release = Task { await cache.release() }
      await fixture.service.flushCache()
      #expect(await cache.text(of: key) == nil)
      await release.value
    }
  }

  @Test(
    "A resource is wiped from the cache that it had before a rule was removed",
    arguments: StoreActor.allCases, [false, true])
  func removedRuleOfResource(actor: StoreActor, hasOther: Bool) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("hers"))
      let (cache, other) = (HeldCache(), HeldCache())
      let rule = fixture.service.configure { $0.cache = cache }
      let resource = fixture.text("a")
      await resource.load().completed()
      await fixture.service.flushCache()
      rule.remove()
      if hasOther { fixture.service.configure { $0.cache = other } }
      resource.wipe()
      await fixture.service.flushCache()
      #expect(await cache.text(of: resource.key) == nil)
    }
  }
}
