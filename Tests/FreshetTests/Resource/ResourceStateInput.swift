import Foundation

@testable import Freshet

/// What can happen to a resource, as values: to draw it at random and to print it.
enum ResourceStateInput {
  case load
  case loadIfNeeded(ResourceState.Policy, now: Duration)
  case received(ResourceState.LoadID, LoadOutcome, now: Duration)
  case restored(ResourceState.LoadID, Restored, ResourceState.Policy?, now: Duration)
  case cancelled(ResourceState.LoadID)
  case cancelledAll
  case overridden(AnyEntity, now: Duration)
  case invalidated
  case wiped
  case edited(EditID, ContentEdit)
  case committed(EditID)
  case rolledBack(EditID)
}

/// What a resource state returns for an input.
enum ResourceStateReaction {
  case demand(ResourceState.Demand)
  case action(ResourceState.Action)
}

extension ResourceState {
  mutating func handle(_ input: ResourceStateInput) -> ResourceStateReaction {
    switch input {
    case .load:
      load(as: newestLoad + 1)
      return .demand(.begin(newestLoad))
    case .loadIfNeeded(let policy, let now):
      return .demand(loadIfNeeded(.init(), policy, now: now, as: newestLoad + 1))
    default: return .action(change(input))
    }
  }

  /// As the resource does it.
  private mutating func edited(_ id: EditID, _ change: @escaping ContentEdit) -> Action {
    edit(id, change, making: isNewestEdit(id) ? data.map { change($0.content) } : nil)
  }

  private mutating func change(_ input: ResourceStateInput) -> Action {
    switch input {
    case .load, .loadIfNeeded: .nothing
    case .received(let load, let response, let now): received(response, of: load, now: now)
    case .restored(let load, let entry, let policy, let now):
      restored(entry, for: load, policy, now: now)
    case .cancelled(let load): cancel(load)
    case .cancelledAll: cancelAll()
    case .overridden(let entity, let now): override(entity, now: now, as: newestLoad + 1)
    case .invalidated: invalidate()
    case .wiped: wipe(before: newestLoad + 1)
    case .edited(let id, let change): edited(id, change)
    case .committed(let id): commit(id) ? foldCommitted() : .nothing
    case .rolledBack(let id): rollBack(id)
    }
  }
}

extension NaiveResource.Outcome {
  /// What a reaction does, in the terms of the model.
  init(_ reaction: ResourceStateReaction) {
    switch reaction {
    case .demand(.nothing), .demand(.tooEarly): self.init()
    case .demand(.join(let load)): self.init(joined: load)
    case .demand(.begin(let load)): self.init(begun: load, events: [.requested])
    case .action(let action): self.init(action)
    }
  }

  private init(_ action: ResourceState.Action) {
    switch action {
    case .nothing: self.init()
    case .notify(let event): self.init(events: [event])
    case .notifyDerived: self.init(events: [.notModified])
    case .cancel(let cancellation):
      self.init(
        events: (cancellation.isLast ? [.requestCancelled] : [])
          + (cancellation.event.map { [$0] } ?? []),
        cancelled: cancellation.loads, removesEntry: cancellation.removesEntry)
    }
  }
}
