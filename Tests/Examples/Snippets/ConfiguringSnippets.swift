import Foundation
import Freshet

/// What the pages on defaults, freshness, caching, and on errors in the interface configure.
@MainActor
struct Configuring {
  let service: Service

  func defaults() {
    // snippet
    service.configure { $0.retryPolicy = .standard }
    service.configure("search/**") { $0.freshnessLifetime = .seconds(5) }
    service.configure { $0.json.keyDecodingStrategy = .convertFromSnakeCase }
    // end
  }

  func json() {
    // snippet
    service.configure {
      $0.json.keyDecodingStrategy = .convertFromSnakeCase
      $0.json.keyEncodingStrategy = .convertToSnakeCase
    }
    // end
  }

  func retries() {
    // snippet
    service.configure { $0.retryPolicy = .standard }
    // end
  }

  func freshness() {
    // snippet
    service.configure { $0.freshnessLifetime = .seconds(60) }
    service.configure("feed/**") {
      $0.responseFreshness = .init(minimum: .seconds(5), maximum: .seconds(3600))
    }
    // end
  }

  func key(_ key: String) {
    // snippet
    service.configure { $0.headers["X-API-Key"] = key }
    // end
  }

  func problems() {
    // snippet
    nonisolated struct Problem: Decodable, LocalizedError {
      let detail: String
      var errorDescription: String? { detail }
    }

    service.configure { $0.decodeErrors(as: Problem.self) }
    // end
  }

  func advice() {
    // snippet
    nonisolated struct Problem: Decodable, RetryAdvice {
      var waitSeconds: Int?
      var retryAfter: Duration? { waitSeconds.map { .seconds($0) } }
    }
    service.configure { $0.decodeErrors(as: Problem.self) }
    // end
  }

  func responseFreshness() {
    // snippet
    service.configure {
      $0.responseFreshness = .init(minimum: .seconds(5), maximum: .seconds(3600))
    }
    // end
  }

  // MARK: Caching

  func cache(in folder: URL) -> DiskCache {
    // snippet
    let cache = DiskCache(directory: folder.appending(path: "api.example.com"))
    service.configure { $0.cache = cache }
    // end
    return cache
  }

  struct Item: Decodable, Sendable, Identifiable { let id: Int }

  static func cached() throws -> (DiskCache, Service) {
    // snippet
    let caches = try FileManager.default.url(
      for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    let cache = DiskCache(directory: caches.appending(path: "api.example.com"))
    let service = Service(baseURL: "https://api.example.com")
    service.configure { $0.cache = cache }
    // end
    return (cache, service)
  }

  func showsCacheFirst() -> PagedCollection<Item> {
    // snippet
    let list = service.pages("/items", of: Item.self, style: .linkHeader)
    list.loadAll()  // from the cache; then asks for each page that is stale, with validators
    // end
    return list
  }

  func cacheForUser(_ tokens: TokenAuthorizer, _ userID: String, _ cache: DiskCache) {
    // snippet
    service.configure {
      $0.authorizer = tokens
      $0.userIdentifier = userID
      $0.cache = cache
    }
    // end
  }

  func signOut() async {
    // snippet
    service.wipe()
    await service.flushCache()
    // end
  }
}
