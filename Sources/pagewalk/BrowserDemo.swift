import Foundation
import Freshet
import FreshetTesting
import PagewalkBrowser

/// The embedded demo of the browser: a server whose data keys change, and a network that they cut.
@MainActor
final class BrowserDemo {
  let address: Address
  private let api = DemoAPI(perPage: 20)
  private let server: LoopbackServer
  private let isCut = Locked(false)

  /// Starts the server of the demo.
  ///
  /// - Parameter delay: how long each response takes, so that the user sees pages load.
  init(delay: Duration) throws(SocketError) {
    server = try LoopbackServer { [api] request in
      if delay > .zero { try? await Task.sleep(for: delay) }
      return .response(api.respond(to: request))
    }
    let origin = server.url.absoluteString
    address = Address(url: origin + "/items", origin: origin)
  }

  func stop() { server.stop() }

  /// The same transport, with a network that can be cut.
  func cuttable(_ transport: any Transport) -> any Transport {
    CuttableTransport(transport: transport, isCut: isCut)
  }

  /// Changes the server or the network; returns what was done.
  ///
  /// - Parameter selected: the selected item; nil if there is none.
  func perform(_ action: DemoAction, selected: JSONText?) -> String {
    let selected = selected?["id"]?.int
    let index = selected.flatMap { api.ids.firstIndex(of: $0) }
    switch (action, selected) {
    case (.network, _):
      let isCut = isCut.withLock { isCut in
        isCut.toggle()
        return isCut
      }
      return isCut ? "the network is cut" : "the network is back"
    case (.edit, let id?):
      return api.edit(id: id) ? "the server has edited item \(id)" : "item \(id) does not exist"
    case (.delete, let id?):
      return api.delete(id: id) ? "the server has deleted item \(id)" : "item \(id) does not exist"
    case (.insert, _):
      return "the server has inserted item \(api.insert(at: index ?? 0))"
    case (_, nil):
      return "no item is selected"
    }
  }

  /// An item on one line, with the number of its revision if it was edited.
  nonisolated static func text(of item: JSONText) -> String {
    let revision = item["revision"]?.int ?? 1
    return Story.row(item) + (revision > 1 ? " (revision \(revision))" : "")
  }

  private struct CuttableTransport: Transport {
    let transport: any Transport
    let isCut: Locked<Bool>

    @concurrent
    func send(
      _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> HTTPResponse {
      guard !isCut.withLock({ $0 }) else {
        throw TransportError(.unreachable, "the network is cut: N brings it back")
      }
      return try await transport.send(request, progress: progress)
    }
  }
}
