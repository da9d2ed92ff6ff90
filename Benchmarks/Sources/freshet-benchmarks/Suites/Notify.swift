import Freshet
import Observation

/// One event of a resource to many observers, compared to a loop over weak references.
func notify(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  for kind in ["notify.objects", "notify.closures"] where run.wants(kind) {
    var comparisons: [Comparison] = []
    for count in run.sizes(1, 10, 100, 1_000, 10_000, quick: 1_000) {
      let service = Service(instant: InstantTransport())
      let resource = service.resource("/item", of: String.self)
      let listeners = (0..<count).map { _ in Listener() }
      for listener in listeners {
        if kind == "notify.objects" {
          resource.addObserver(listener)
        } else {
          let counter = Listener()
          resource.addObserver(owner: listener) { counter.resourceChanged($0, event: $1) }
        }
      }
      let references = listeners.map { WeakListener(listener: $0) }
      comparisons.append(
        Comparison(
          kind, n: count, unit: .nsPerDelivery, per: count,
          ours: repeating { resource.invalidate() },
          floor: .init(
            name: "weak references",
            work: repeating {
              for index in references.indices {
                references[index].listener?.resourceChanged(resource, event: .invalidated)
              }
              withExtendedLifetime(listeners) {}
            })))
    }
    await run.compare(comparisons)
  }
}

/// The same event where a view tracks a property that it changes, compared to one that nothing tracks.
func notifyTracked(in run: BenchmarkRun, on actor: isolated StoreActor) async {
  guard run.wants("notify.tracked") else { return }
  var comparisons: [Comparison] = []
  for count in run.sizes(1, 100, 1_000, quick: 1_000) {
    let service = Service(instant: InstantTransport())
    let (tracked, untracked) = (
      service.resource("/tracked", of: String.self), service.resource("/untracked", of: String.self)
    )
    let listeners = (0..<count).map { _ in Listener() }
    for listener in listeners {
      tracked.addObserver(listener)
      untracked.addObserver(listener)
    }
    comparisons.append(
      Comparison(
        "notify.tracked", n: count, unit: .nsPerDelivery, per: count,
        ours: repeating {
          withObservationTracking {
            _ = tracked.isUpToDate
          } onChange: {
          }
          tracked.invalidate()
        },
        floor: .init(
          name: "untracked",
          work: repeating {
            untracked.invalidate()
            withExtendedLifetime(listeners) {}
          })))
  }
  await run.compare(comparisons)
}

/// An observer that does almost nothing.
private final class Listener: ResourceObserver {
  private var count = 0

  func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
    count += 1
  }
}

/// An element of a hand-written list of observers.
private struct WeakListener {
  weak var listener: (any ResourceObserver)?
}
