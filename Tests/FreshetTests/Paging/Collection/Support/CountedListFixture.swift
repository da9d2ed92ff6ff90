import Foundation
import Freshet
import FreshetTesting

/// A list of a counted server's items, whose responses come in the order that a test chooses.
struct CountedListFixture: HeldListFixture {
  /// How the list is paged.
  enum Style: CaseIterable, Sendable {
    case pageNumber, offset
  }

  let requests: HeldRequests
  let stub: StubTransport
  let clock = ManualClock()
  let service: Service
  let list: PagedCollection<Int>
  let mirror = ListMirror<Int>()
  private let style: Style

  init(
    _ server: CountedServer, _ style: Style, isolation: isolated any Actor = #isolation,
    options: (inout PagedCollection<Int>.Options) -> Void = { _ in }
  ) {
    let requests = HeldRequests { server.respond(to: $0) }
    self.requests = requests
    self.style = style
    stub = StubTransport { try await requests.respond(to: $0) }
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    let pageStyle =
      switch style {
      case .pageNumber: PageStyle.pageNumber("page", totalPageCount: "pages").items(at: "items")
      case .offset: PageStyle.offset("offset").items(at: "items")
      }
    list = service.pages("rows", of: Int.self, style: pageStyle, options: .with(options))
    list.addObserver(mirror)
  }

  /// Lets the server respond for a page, counted from 1, and waits for the effects.
  nonisolated(nonsending) func respond(_ page: Int) async {
    switch (style, page) {
    case (_, 1): await respond(to: "/rows")
    case (.pageNumber, _): await respond(to: "page=\(page)")
    case (.offset, _): await respond(to: "offset=\((page - 1) * 2)")
    }
  }

  /// The pages that were requested since the last `forgetRequests`, counted from 1.
  var asked: [Int] {
    stub.requests.map { request in
      guard let value = request.url.query?.split(separator: "=").last.flatMap({ Int($0) }) else {
        return 1
      }
      return style == .offset ? (value + 1) / 2 + 1 : value
    }
  }
}
