/// What happens while the hooks of a request of a store are called: which request that is, and which resources adopt
/// its response.
///
/// A class, because a value would be changed while it looks at weak references, and deallocating what such a look
/// releases may re-enter it.
final class HookCalls {
  private struct Adoption {
    weak var resource: AnyObject?
    weak var request: AnyRequest?
  }

  /// The request whose hooks are being called; nil for none.
  private(set) var caller: AnyRequest?
  /// The resources of this store that have adopted the response to a request, which may be of another one.
  private var adoptions: [Adoption] = []

  /// Calls the hooks of a request that has ended, and that the caller holds.
  func callHooks(of request: AnyRequest, _ call: () -> Void) {
    caller = request
    call()
    caller = nil
    if !adoptions.isEmpty { removeEndedAdoptions() }
  }

  /// Notes that a resource adopts the response to a request.
  func noteAdoption(of request: AnyRequest, by resource: AnyObject) {
    let last = adoptions.last
    if last?.request !== request { removeEndedAdoptions() }
    adoptions.append(Adoption(resource: resource, request: request))
  }

  /// Keeps the adoptions of requests whose hooks are being called: perhaps of another store.
  private func removeEndedAdoptions() {
    // Held until the change is made: one may be the last reference, and deallocating it may add to these.
    let requests = adoptions.map(\.request)
    adoptions.removeAll { $0.request?.isCallingHooks != true }
    withExtendedLifetime(requests) {}
  }

  /// The request whose hooks are being called, and whose response a resource has adopted; nil for none.
  ///
  /// - Parameter resource: the resource; nil for any.
  func adoptedRequest(by resource: AnyObject?) -> AnyRequest? {
    let adoptions = adoptions
    return adoptions.lazy.filter { resource == nil || $0.resource === resource }
      .compactMap(\.request).first { $0.isCallingHooks }
  }

  /// Stops the program if an invariant does not hold. For tests; O(1).
  ///
  /// - Parameter isDelivering: whether the event queue delivers something: hooks are called only then.
  func checkInvariants(isDelivering: Bool) {
    precondition(caller == nil || isDelivering, "no hooks are called, and there is a caller")
    precondition(caller?.isCompleted != false, "the hooks of a request are called before its end")
  }
}
