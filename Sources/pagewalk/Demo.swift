import Foundation
import Freshet
import FreshetTesting

/// The walk along an API of the program's own, whose data change before each refresh.
@MainActor
enum Demo {
  static func run(
    _ options: Options, console: Console, interrupts: Interrupts, transport: any Transport
  ) async -> ExitStatus {
    let demo = DemoAPI()
    let server: LoopbackServer
    do throws(SocketError) {
      server = try demo.start()
    } catch {
      console.report("the demo server cannot be started: \(error); give a URL to walk")
      return .incomplete
    }
    defer { server.stop() }
    let origin = server.url.absoluteString
    var options = options
    let showsItemsFirst = options.refreshes == 0
    if showsItemsFirst, options.watchInterval == nil { options.refreshes = 1 }
    options.printsEvents = options.printsEvents || !options.isQuiet
    if !options.isQuiet {
      console.report("no URL: walking the demo API at \(origin)/items (pagewalk --help tells more)")
    }

    let walk = Walk(
      Address(url: origin + "/items", origin: origin), options, console: console,
      interrupts: interrupts, transport: transport)
    walk.printsAtOnce = showsItemsFirst
    walk.willRefresh = { itemCount in
      guard itemCount > 0 else { return }
      let id = demo.ids[itemCount / 2]
      demo.edit(id: id)
      guard !options.isQuiet else { return }
      console.report("the server has edited item \(id); refreshing")
    }
    return await walk.run()
  }
}
