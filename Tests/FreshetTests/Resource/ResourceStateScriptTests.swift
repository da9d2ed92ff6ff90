import Foundation
import Testing

@testable import Freshet

/// Each line of a script is an input, what the state returns, and the loads in flight after it. Content is
/// fresh for 10 s, and a failed load is not repeated for 2 s.
///
/// | input | is |
/// | --- | --- |
/// | `load`, `need` | a load is asked for, in any case or where it is needed |
/// | `new 1 a`, `same 1`, `fail 1` | load 1 ends: with the content `a`, a 304 about what is shown, an error |
/// | `busy 1 3` | load 1 fails, and the server asks to wait 3 s |
/// | `cache 1 a 3`, `fresh 1 a 3` | the persistent cache has `a` for load 1, 3 s old; `fresh` ends the load if it may |
/// | `drop 1`, `drop` | load 1, or every load, is cancelled |
/// | `write a`, `invalidate`, `wipe` | local changes |
/// | `edit 1 x`, `commit 1`, `undo 1` | an optimistic edit, which appends `x` |
/// | `wait 3` | 3 s pass |
@Suite("The state of a resource, script by script")
struct ResourceStateScriptTests {
  struct Script: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let lines: [String]

    init(_ name: String, _ text: String) {
      testDescription = name
      lines = text.split(separator: "\n").map(String.init)
    }
  }

  static let scripts = [
    Script(
      "A response ends its load and the older ones, and never replaces a newer one",
      """
      load        begin 1             1
      load        begin 2             1 2
      load        begin 3             1 2 3
      new 2 a     newData(network)    3
      new 1 b     nothing             3       shows a
      new 3 c     newData(network)    -       shows c
      """),
    Script(
      "What is needed is loaded once, joined, and not repeated while it is fresh",
      """
      need        begin 1             1
      need        join 1              1
      new 1 a     newData(network)    -       shows a
      wait 9      nothing             -
      need        nothing             -
      wait 1      nothing             -
      need        begin 2             2
      same 2      notModified         -       shows a
      need        nothing             -
      load        begin 3             3
      """),
    Script(
      "A failure keeps the content, and is not repeated at once",
      """
      load        begin 1             1
      new 1 a     newData(network)    -
      wait 10     nothing             -
      load        begin 2             2
      fail 2      error               -       shows a
      need        nothing             -
      wait 2      nothing             -
      need        begin 3             3
      new 3 b     newData(network)    -       shows b
      """),
    Script(
      "Cancelling one of several loads has no event, the last one has",
      """
      load        begin 1             1
      load        begin 2             1 2
      load        begin 3             1 2 3
      drop 2      cancel 2            1 3
      drop 2      nothing             1 3
      drop 1      cancel 1            3
      drop 3      cancel 3 requestCancelled  -
      drop        nothing             -
      """),
    Script(
      "Cancelling all has one event, and late responses change nothing",
      """
      load        begin 1             1
      load        begin 2             1 2
      drop        cancel 1 2 requestCancelled  -
      new 2 a     nothing             -       shows nothing
      need        begin 3             3
      """),
    Script(
      "An invalidation outlives the loads that began before it",
      """
      load        begin 1             1
      invalidate  invalidated         1
      new 1 a     newData(network)    -       shows a
      need        begin 2             2
      new 2 b     newData(network)    -       shows b
      need        nothing             -
      invalidate  invalidated         -       shows b
      need        begin 3             3
      """),
    Script(
      "After an invalidation only a time that the server has named delays a retry",
      """
      load        begin 1             1
      busy 1 1    error               -
      wait 1      nothing             -
      need        nothing             -
      invalidate  invalidated         -
      need        begin 2             2
      busy 2 1    error               -
      invalidate  invalidated         -
      need        nothing             -
      wait 1      nothing             -
      need        begin 3             3
      """),
    Script(
      "A local write cancels the loads in flight",
      """
      load        begin 1             1
      write a     cancel 1 requestCancelled newData(localOverride)  -  shows a
      new 1 b     nothing             -       shows a
      need        nothing             -
      write c     newData(localOverride)      -       shows c
      """),
    Script(
      "A wipe forgets all, and removes the entry, also where there is nothing",
      """
      wipe        cancel entry newData(wipe)  -
      load        begin 1             1
      new 1 a     newData(network)    -
      load        begin 2             2
      wipe        cancel 2 entry requestCancelled newData(wipe)  -  shows nothing
      new 2 b     nothing             -       shows nothing
      need        begin 3             3
      """),
    Script(
      "A fresh entry of the persistent cache ends a load that is only needed",
      """
      need        begin 1             1
      fresh 1 a 3  newData(cache)      -       shows a
      wait 6      nothing             -
      need        nothing             -
      wait 1      nothing             -
      need        begin 2             2
      """),
    Script(
      "An old entry, or one for a load in any case, is shown while the load continues",
      """
      need        begin 1             1
      fresh 1 a 10  newData(cache)    1       shows a
      fresh 1 b 3  nothing            1       shows a
      new 1 c     newData(network)    -       shows c
      wipe        cancel entry newData(wipe)  -
      load        begin 2             2
      cache 2 d 3  newData(cache)      2       shows d
      drop        cancel 2 requestCancelled   -       shows d
      """),
    Script(
      "An edit goes with what loads bring, until it is committed or undone",
      """
      edit 1 x    nothing             -       shows nothing
      write a     newData(localOverride)      -
      load        begin 1             1
      edit 2 x    newData(localOverride)      1       shows ax
      edit 3 y    newData(localOverride)      1       shows axy
      new 1 b     newData(network)    -       shows bxy
      undo 2      newData(localOverride)      -       shows by
      commit 3    nothing             -       shows by
      undo 3      nothing             -       shows by
      load        begin 2             2
      new 2 c     newData(network)    -       shows c
      """),
  ]

  /// The state, and what the inputs are made of.
  private struct Run {
    var state = ResourceState()
    var now = Duration.zero
    private let policy = ResourceState.Policy(
      freshnessLifetime: .seconds(10), failureCooldown: .seconds(2))

    private func entity(_ text: String) -> AnyEntity {
      let date = Date(timeIntervalSince1970: now / .seconds(1))
      return ResourceEntity(text, headers: ["ETag": "\"\(text)\""], timestamp: date).erased
    }

    private func confirming(_ known: AnyEntity) -> LoadOutcome {
      .success(Fetched(entity: known, confirming: KnownContent(known), lifetime: nil))
    }

    /// The input of those words; nil where it is none, because only time passes.
    mutating func input(_ words: [String]) throws -> ResourceStateInput? {
      let number = words.count > 1 ? Int(words[1]) : nil
      let load = number ?? 0
      switch words[0] {
      case "load": return .load
      case "need": return .loadIfNeeded(policy, now: now)
      case "new":
        let fetched = Fetched(entity: entity(words[2]), lifetime: nil)
        return .received(load, .success(fetched), now: now)
      case "same": return .received(load, confirming(try #require(state.data)), now: now)
      case "fail": return .received(load, .failure(ResourceError(.http, "")), now: now)
      case "busy":
        let wait = Duration.seconds(try #require(Int(words[2])))
        return .received(load, .failure(ResourceError(.http, "", retryAfter: wait)), now: now)
      case "cache", "fresh":
        let age = Duration.seconds(try #require(Int(words[3])))
        return .restored(
          load, Restored(entity: entity(words[2]), age: age, lifetime: nil),
          words[0] == "fresh" ? policy : nil, now: now)
      case "drop": return number.map { .cancelled($0) } ?? .cancelledAll
      case "write": return .overridden(entity(words[1]), now: now)
      case "invalidate": return .invalidated
      case "wipe": return .wiped
      case "edit":
        let suffix = words[2]
        return .edited(load, ContentBox<String>.edit { $0 += suffix })
      case "commit": return .committed(load)
      case "undo": return .rolledBack(load)
      default:
        try #require(words[0] == "wait", "\(words) is no input")
        now += .seconds(load)
        return nil
      }
    }

    /// A reaction, in the words of a script.
    func words(_ reaction: ResourceStateReaction) -> String {
      switch reaction {
      case .demand(.nothing), .demand(.tooEarly): "nothing"
      case .demand(.join(let load)): "join \(load)"
      case .demand(.begin(let load)): "begin \(load)"
      case .action(let action): words(action)
      }
    }

    private func words(_ action: ResourceState.Action) -> String {
      switch action {
      case .nothing: return "nothing"
      case .notify(let event): return "\(event)"
      case .notifyDerived: return "notModified, derived"
      case .cancel(let cancelled):
        let words =
          ["cancel"] + cancelled.loads.map { "\($0)" }
          + (cancelled.removesEntry ? ["entry"] : [])
          + (cancelled.isLast ? ["requestCancelled"] : [])
          + (cancelled.event.map { ["\($0)"] } ?? [])
        return words.joined(separator: " ")
      }
    }

    var loads: String {
      state.loads.isEmpty ? "-" : state.loads.map { "\($0)" }.joined(separator: " ")
    }
  }

  @Test(arguments: scripts)
  func script(_ script: Script) throws {
    var run = Run()
    for line in script.lines {
      // Columns are separated by two spaces at least.
      let columns = line.replacing(#/ {2,}/#, with: "\t").split(separator: "\t").map(String.init)
      let words = columns[0].split(separator: " ").map(String.init)
      let input = try run.input(words)
      let reaction = input.map { run.state.handle($0) } ?? .action(.nothing)
      run.state.checkInvariants()
      #expect(run.words(reaction) == columns[1], "\(line)")
      #expect(run.loads == columns[2], "\(line)")
      if columns.count > 3 {
        #expect("shows \(run.state.data?.text ?? "nothing")" == columns[3], "\(line)")
      }
    }
  }
}
