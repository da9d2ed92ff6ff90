import Foundation
import Freshet
import FreshetTesting

/// The walk along the embedded demo, whose data change before each refresh.
@MainActor
enum Demo {
  /// What a walk along the demo is given beside its options.
  struct Setup {
    /// The story that is shown to a user at a terminal; nil for a script.
    let story: Story?
    /// Changes the data of the server.
    let willRefresh: @MainActor (PagedCollection<JSONText>) -> Void
  }

  /// Walks the list of the demo, and returns the exit status of the program.
  ///
  /// - Parameter delay: how long each response takes if the demo is shown as a story on a terminal.
  static func run(
    _ options: Options, console: Console, interrupts: Interrupts, transport: any Transport,
    delay: Duration
  ) async -> ExitStatus {
    let demo = DemoAPI()
    let isStory = console.isInteractive && options.allowsStory
    let server: LoopbackServer
    do throws(SocketError) {
      server = try LoopbackServer { request in
        if isStory, delay > .zero { try? await Task.sleep(for: delay) }
        return .response(demo.respond(to: request))
      }
    } catch {
      console.report("the demo server cannot be started: \(error); give a URL to walk")
      return .incomplete
    }
    defer { server.stop() }
    let origin = server.url.absoluteString
    let address = Address(url: origin + "/items", origin: origin)

    var options = options
    if !isStory { options.printsEvents = options.printsEvents || !options.isQuiet }
    let story = isStory ? Story(console: console, limit: options.limit) : nil
    if let story {
      story.begin(address.url)
    } else if !options.isQuiet {
      console.report("no URL: walking the demo API at \(address.url) (see pagewalk --help)")
    }
    let walk = Walk(
      address, options, console: console, interrupts: interrupts, transport: transport,
      demo: setup(demo, story: story, options, console))
    return await walk.run()
  }

  /// Returns a set-up that edits an item in the middle of the list before each refresh.
  private static func setup(
    _ demo: DemoAPI, story: Story?, _ options: Options, _ console: Console
  ) -> Setup {
    Setup(story: story) { list in
      story?.walked(list)
      let count = min(list.items.count, options.limit ?? .max)
      guard count > 0 else { return }
      let id = demo.ids[count / 2]
      demo.edit(id: id)
      if let story {
        story.edited(id)
      } else if !options.isQuiet {
        console.report("the server has edited item \(id); refreshing")
      }
    }
  }
}

extension Options {
  /// Whether a walk of the demo may be shown as a story, because no option asks for other output.
  fileprivate var allowsStory: Bool {
    !isQuiet && !printsEvents && refreshes == 0 && watchInterval == nil
  }
}
