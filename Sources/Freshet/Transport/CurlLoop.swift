#if os(Linux)
  internal import FreshetCurl
  import Foundation

  /// The thread of a transport: it waits for all sockets and runs all exchanges.
  ///
  /// It starts with the first exchange, and ends when the transport was deallocated and the last
  /// exchange has ended. Other threads only post to its inbox.
  final class CurlLoop: Sendable {
    private enum Order: Sendable {
      case begin(CurlTransfer)
      case cancel(CurlTransfer)
    }

    private struct Inbox: Sendable {
      var orders: [Order] = []
      /// The connections; nil until the thread starts.
      var multi: CurlMulti?
      var isClosed = false
    }

    /// What runs and what waits; used on the thread only.
    private struct Exchanges {
      var running: [OpaquePointer: CurlTransfer] = [:]
      var turns: TurnQueue<String, CurlTransfer>
      var silentOrigins = SilentOrigins()

      /// When the oldest exchange began that runs with an origin; looked for only if that was silent.
      func oldest(_ origin: String) -> ContinuousClock.Instant? {
        guard silentOrigins.contains(origin) else { return nil }
        return running.values.lazy.filter { $0.origin == origin }.map(\.begun).min()
      }

      /// Whether each that runs has its handle and its turn, and no other has a turn. For debug builds; O(*n*).
      var isConsistent: Bool {
        let counts = Dictionary(grouping: running.values) { $0.origin }.mapValues(\.count)
        return counts == turns.runningCounts
          && running.allSatisfy { easy, transfer in transfer.handle == easy }
      }
    }

    private let configuration: TransportConfiguration
    private let inbox = CurlLock(Inbox())

    init(_ configuration: TransportConfiguration) {
      self.configuration = configuration
    }

    /// Begins an exchange; returns false if the system has no thread or memory for it.
    func begin(_ transfer: CurlTransfer) -> Bool {
      inbox.withLock { inbox in
        if inbox.multi == nil { inbox.multi = start(transfer.library) }
        guard let multi = inbox.multi else { return false }
        post(.begin(transfer), to: &inbox, multi)
        return true
      }
    }

    /// Ends an exchange that was begun, down to its socket; one that has ended is left alone.
    func cancel(_ transfer: CurlTransfer) {
      inbox.withLock { inbox in
        if let multi = inbox.multi { post(.cancel(transfer), to: &inbox, multi) }
      }
    }

    /// Lets the thread end after the exchanges that it has; nothing is posted after that.
    func close() {
      inbox.withLock { inbox in
        inbox.isClosed = true
        // While it is locked: the thread cannot free it before this has returned.
        inbox.multi?.wakeup()
      }
    }

    private func post(_ order: Order, to inbox: inout Inbox, _ multi: CurlMulti) {
      inbox.orders.append(order)
      if inbox.orders.count == 1 { multi.wakeup() }
    }

    private func start(_ library: CurlLibrary) -> CurlMulti? {
      guard let multi = CurlMulti(library) else { return nil }
      let context = Unmanaged.passRetained(self)
      let hasStarted = freshet_thread_start(
        "freshet.curl",
        { Unmanaged<CurlLoop>.fromOpaque($0).takeRetainedValue().run() }, context.toOpaque())
      guard hasStarted else {
        context.release()
        multi.free()
        return nil
      }
      return multi
    }

    // MARK: - On the thread

    private func run() {
      // The thread may be faster than `begin`, which has the lock until it has stored this.
      guard let multi = inbox.withLock({ $0.multi }) else { return }
      var exchanges = Exchanges(
        turns: TurnQueue(limit: configuration.maximumConnectionsPerHost))
      while true {
        let isClosed = carryOutOrders(in: multi, &exchanges)
        multi.perform()
        var isAnyDone = false
        while let (easy, code) = multi.nextDone() {
          guard let transfer = exchanges.running[easy] else { continue }
          isAnyDone = true
          if transfer.prepareAgain(after: code) {
            exchanges.running[easy] = nil
            multi.remove(easy)
            transfer.free()
            begin(transfer, in: multi, &exchanges)
          } else {
            end(transfer, by: transfer.finish(code), in: multi, &exchanges)
          }
        }
        var bodyDeadline: ContinuousClock.Instant?
        for transfer in exchanges.running.values {
          transfer.reportProgress()
          guard let deadline = transfer.bodyDeadline else { continue }
          if deadline <= .now {
            isAnyDone = true
            end(transfer, by: transfer.finishOverdue(), in: multi, &exchanges)
          } else {
            bodyDeadline = min(deadline, bodyDeadline ?? deadline)
          }
        }
        // Here, because no test can look at what this thread alone uses.
        assert(exchanges.isConsistent, "an exchange runs without its handle or its turn")
        if isClosed && exchanges.running.isEmpty { break }
        // What has begun in the place of another has to be started.
        if !isAnyDone { multi.wait(until: bodyDeadline) }
      }
      // A cancellation that comes late finds nothing to wake.
      inbox.withLock { $0.multi = nil }
      multi.free()
    }

    /// Carries out what other threads have posted; returns whether nothing more will be.
    ///
    /// A function of its own: the orders, with the bodies of their requests, end before the thread waits.
    private func carryOutOrders(
      in multi: CurlMulti, _ exchanges: inout Exchanges
    ) -> Bool {
      let (orders, isClosed) = inbox.withLock { inbox in
        defer { inbox.orders = [] }
        return (inbox.orders, inbox.isClosed)
      }
      var emptied: Set<String> = []
      for order in orders {
        switch order {
        case .begin(let transfer):
          if exchanges.turns.begin(transfer, of: transfer.origin) {
            begin(transfer, in: multi, &exchanges)
          }
        case .cancel(let transfer):
          if transfer.handle == nil { emptied.insert(transfer.origin) }
          end(transfer, by: nil, in: multi, &exchanges)
        }
      }
      // At once, however many were cancelled: what waits may do so for long, with its body.
      for origin in emptied {
        _ = exchanges.turns.removeWaiting(origin, where: \.mailbox.hasEnded)
      }
      return isClosed
    }

    /// Begins an exchange whose turn it is, or else the next one that can begin.
    private func begin(
      _ transfer: CurlTransfer, in multi: CurlMulti, _ exchanges: inout Exchanges
    ) {
      var next: CurlTransfer? = transfer
      while let transfer = next {
        // One that has been cancelled meanwhile is not sent.
        if !transfer.mailbox.hasEnded {
          let connection =
            transfer.isBegunAgain
            ? .new
            : exchanges.silentOrigins.connection(
              to: transfer.origin, at: .now, oldest: exchanges.oldest(transfer.origin))
          do throws(TransportError) {
            let easy = try transfer.makeHandle(configuration, connection)
            guard multi.add(easy, hasTLS: transfer.hasTLS) else {
              throw .noResources(transfer.request)
            }
            exchanges.running[easy] = transfer
            return
          } catch {
            transfer.free()
            transfer.mailbox.end(.failure(error))
          }
        }
        next = exchanges.turns.end(transfer.origin)
      }
    }

    /// Ends an exchange that runs, and begins the one that has waited longest for that.
    ///
    /// - Parameter response: its response; nil for none. If that asks for fewer requests, those that wait are
    ///   not sent.
    private func end(
      _ transfer: CurlTransfer, by response: HTTPResponse?, in multi: CurlMulti,
      _ exchanges: inout Exchanges
    ) {
      guard let easy = transfer.handle, exchanges.running.removeValue(forKey: easy) != nil else {
        return
      }
      let oldest = exchanges.oldest(transfer.origin)
      exchanges.silentOrigins.noteEnd(
        of: transfer.origin, hasResponse: transfer.hasHead, begun: transfer.begun, at: .now,
        oldest: oldest)
      if let response, transfer.request.holding != .none,
        response.isRateLimit(after: RetryAfter.delay(of: response, now: Date()))
      {
        let held = exchanges.turns.removeWaiting(transfer.origin) { $0.request.holding == .all }
        for other in held { other.withhold(by: response) }
      }
      multi.remove(easy)
      transfer.free()
      if let next = exchanges.turns.end(transfer.origin) {
        begin(next, in: multi, &exchanges)
      }
    }
  }
#endif
