import Freshet
import FreshetTesting

extension Browser {
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
    guard let address = address ?? demo?.address, let terminal = Terminal() else {
      console.report(
        "browse needs a terminal: standard input and output, and a TERM that is not dumb")
      return .usageError
    }
    let browser = Browser(address, options, demo: demo, terminal: terminal, transport: transport)
    let status = await browser.run()
    terminal.leave()
    await browser.finishCache(console)
    return status
  }

  /// Waits for what is still being written, and reports what could not be.
  func finishCache(_ console: Console) async {
    await service.flushCache()
    guard let failure = meter.cacheFailure else { return }
    console.report("warning: the cache: \(secrets.hidden(in: failure.message))")
  }
}
