import Foundation
import Freshet
import FreshetTesting
import PagewalkBrowser

/// `pagewalk browse`: the list of a URL, or the demo, in a browser on the terminal.
@MainActor
final class Browse {
  private let meter = Meter()
  private let service: Service
  private let secrets: Secrets
  private let list: PagedCollection<JSONText>
  private let browser: Browser

  /// Shows the list of a URL, or the demo, if there is a terminal.
  static func run(
    _ address: Address?, _ options: Options, console: Console, transport: any Transport,
    delay: Duration
  ) async -> ExitStatus {
    let demo: BrowserDemo?
    do throws(SocketError) {
      demo = address == nil ? try BrowserDemo(delay: delay) : nil
    } catch {
      console.report("the demo server cannot be started: \(error); give a URL to browse")
      return .incomplete
    }
    defer { demo?.stop() }
    let terminal = Terminal { Console.Output.write($0, to: STDOUT_FILENO).failure == nil }
    guard let address = address ?? demo?.address, let terminal else {
      console.report(
        "browse needs a terminal: standard input and output, and a TERM that is not dumb")
      return .usageError
    }
    let browse = Browse(address, options, demo: demo, terminal: terminal, transport: transport)
    let end = await browse.browser.run()
    terminal.leave()
    await browse.finishCache(console)
    return ExitStatus(end)
  }

  /// Creates the browser of a list on a terminal.
  ///
  /// - Parameter demo: the demo, if that is what is browsed.
  private init(
    _ address: Address, _ options: Options, demo: BrowserDemo?, terminal: Terminal,
    transport: any Transport
  ) {
    var options = options
    if demo != nil, options.identity == nil { options.identity = "id" }
    let secrets = Secrets(address, options)
    self.secrets = secrets
    service = Service(
      baseURL: address.origin,
      transport: meter.metering(demo?.cuttable(transport) ?? transport), isolation: #isolation)
    var listOptions = PagedCollection<JSONText>.Options(options)
    // A page that has shifted by one item is never shown without its neighbor.
    listOptions.publication = .whenComplete
    let firstPage = service.resource(
      options.method, absoluteURL: address.url, body: options.body,
      decoder: secrets.pages(options.style))
    list = PagedCollection(firstPage: firstPage, options: listOptions)
    let isDemo = demo != nil
    let texts = Browser.Texts(
      item: { isDemo ? BrowserDemo.text(of: $0) : ItemLine.text($0) },
      explanation: { list in
        let outcome = Outcome(
          of: list.state, refresh: list.refreshState, itemCount: list.items.count,
          origin: address.origin, options: options)
        return outcome == .interrupted ? nil : outcome.explanation
      },
      hidden: secrets.hidden(in:))
    browser = Browser(
      list, identity: options.identity ?? "id", terminal: terminal, texts: texts,
      performInDemo: demo?.perform)
    let settings = WalkSettings(options, secrets: secrets, meter: meter) { [weak self] retry in
      self?.report(retry)
    }
    let cache = options.cacheDirectory.map { PageCache(directory: $0, headers: options.headers) }
    service.configure {
      settings.apply(to: &$0)
      $0.cache = cache
    }
  }

  private func report(_ retry: Retry) {
    browser.log(retry.line(in: list))
  }

  /// Waits for what is still being written, and reports what could not be.
  ///
  /// No load continues: its response would be written while the process ends.
  private func finishCache(_ console: Console) async {
    list.cancelAllLoads()
    await service.flushCache()
    guard let failure = meter.takeCacheFailure() else { return }
    console.report("warning: the cache: \(secrets.hidden(in: failure.message))")
  }
}

extension ExitStatus {
  fileprivate init(_ end: Browser.End) {
    self =
      switch end {
      case .complete: .complete
      case .incomplete: .incomplete
      case .interrupted: .interrupted
      }
  }
}
