import Foundation
import Freshet

/// The program: arguments in, an exit status out. Everything between is in ``Walk``.
@main
struct Pagewalk {
  static let version = "0.1.0"

  @MainActor
  static func main() async {
    openStandardStreams()
    // That a reader has left is detected when writing to its pipe.
    signal(SIGPIPE, SIG_IGN)
    resetQuit()
    // Arguments may name a pipe that is read, and is never written.
    Interrupts.endProcess()
    let status = await run(
      Array(CommandLine.arguments.dropFirst()), console: Console(output: .standard),
      interrupts: interruptsOfWalk(), demoDelay: .milliseconds(60))
    exit(status.rawValue)
  }

  /// Lets SIGQUIT end the program: in its handler, the runtime prints a crash report and continues. It stays
  /// ignored where it was at the start.
  private static func resetQuit() {
    var action = sigaction()
    sigaction(SIGQUIT, nil, &action)
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // C functions cannot be compared.
    let isIgnored = unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    if !isIgnored { signal(SIGQUIT, SIG_DFL) }
  }

  /// Opens the standard streams that the process was started without: what is opened later would get their
  /// numbers, and what is printed. For reading only, so that writing to them fails as it would have.
  private static func openStandardStreams() {
    var descriptor: Int32
    repeat {
      descriptor = open("/dev/null", O_RDONLY)
    } while (0...STDERR_FILENO).contains(descriptor)
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// The files that the program has open, and those that it opens for one connection.
  fileprivate static let descriptorCounts = (ofAll: 24, perConnection: 5)

  /// Ends the program if it may open too few files for a walk, with what to do: Dispatch, which runs it, stops a
  /// program that has no descriptor for its events, and no timer of it ends then.
  private static func requireDescriptors() {
    let needed = descriptorCounts.ofAll
    let free = (0..<needed).map { _ in dup(STDERR_FILENO) }.filter { $0 >= 0 }
    for descriptor in free { close(descriptor) }
    guard free.count < needed else { return }
    let text = """
      pagewalk: the system allows only \(free.count) of the \(needed) open files that this process needs; \
      close files, or raise the limit of open files (ulimit -n)

      """
    // Nothing may take it: that is no reason to crash.
    _ = Console.Output.write(Data(text.utf8), to: STDERR_FILENO)
    exit(ExitStatus.incomplete.rawValue)
  }

  /// The interrupts of the process, where it may open enough files for what they interrupt.
  @MainActor
  private static func interruptsOfWalk() -> Interrupts {
    requireDescriptors()
    return .ofProcess()
  }

  /// Runs the command of the arguments.
  ///
  /// - Parameters:
  ///   - interrupts: the interrupts, received once the arguments and the files that they name are read, if there is
  ///     a list to walk or to browse.
  ///   - transport: sends the requests; nil for that of the system, as the options have it.
  ///   - demoDelay: how long each response of the demo takes on a terminal, so that the user can see
  ///     the list grow.
  @MainActor
  static func run(
    _ arguments: [String], console: Console, interrupts: @autoclosure () -> Interrupts,
    transport: (any Transport)? = nil, files: Files = .system,
    demoDelay: Duration = .zero
  ) async -> ExitStatus {
    do throws(UsageError) {
      let command = try Command(parsing: arguments, files: files)
      switch command {
      case .help:
        console.print(Help.text)
        return console.isFailed ? .incomplete : .complete
      case .version:
        console.print("pagewalk \(version)\n")
        return console.isFailed ? .incomplete : .complete
      case .walk(let address, let options):
        let walk = Walk(
          address, options, console: console, interrupts: interrupts(),
          transport: transport ?? options.transport(toDemo: false))
        return await walk.run()
      case .demo(let options):
        return await Demo.run(
          options, console: console, interrupts: interrupts(),
          transport: transport ?? options.transport(toDemo: true), delay: demoDelay)
      case .browse(let address, let options):
        _ = interrupts()
        return await Browse.run(
          address, options, console: console,
          transport: transport ?? options.transport(toDemo: address == nil), delay: demoDelay)
      }
    } catch {
      console.report("\(error); pagewalk --help lists the options")
      return .usageError
    }
  }
}

extension Options {
  /// The transport of the system, with the certificate authorities of the options, and a connection for each
  /// request that may be under way.
  ///
  /// - Parameter toDemo: whether the server is the demo in this process, which no proxy can reach.
  fileprivate func transport(toDemo: Bool) -> SystemTransport {
    var configuration = TransportConfiguration()
    configuration.ignoresProxies = toDemo
    // As many as the limit of open files allows while the name of the host is looked up for all.
    let counts = Pagewalk.descriptorCounts
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    let possible = limit < 0 ? .max : max((limit - counts.ofAll) / counts.perConnection, 1)
    configuration.maximumConnectionsPerHost = min(
      max(configuration.maximumConnectionsPerHost, concurrency), possible)
    #if !canImport(Darwin)
      configuration.certificateAuthoritiesFile = authoritiesFile
    #endif
    return SystemTransport(configuration: configuration)
  }
}

/// The exit status of the program.
enum ExitStatus: Int32 {
  /// The chain was walked to its end, or to the limit.
  case complete = 0
  /// Something stopped the walk.
  case incomplete = 1
  /// The arguments are invalid.
  case usageError = 2
  /// The user stopped the walk.
  case interrupted = 130
}
