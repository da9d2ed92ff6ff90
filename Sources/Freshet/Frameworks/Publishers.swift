#if canImport(Combine)
  import Combine

  extension AnyResource {
    /// The events of this resource from the subscription on, as a Combine publisher.
    ///
    /// Each subscriber receives them on the actor of the service, and observes until it cancels or is
    /// deallocated. Subscribing loads nothing.
    public final var eventPublisher: AnyPublisher<ResourceEvent, Never> {
      publisher(PassthroughSubject()) { subject in
        self.observe { _, event in if event != .observerAdded { subject.send(event) } }
      }
    }
  }

  extension Resource {
    /// The content, now and after each change, as a Combine publisher; nil if there is none.
    ///
    /// ```swift
    /// profile.contentPublisher.map { $0?.name ?? "" }.assign(to: &$name)
    /// ```
    ///
    /// Each subscriber receives it on the actor of the service, and observes until it cancels or is
    /// deallocated. To subscribe loads nothing.
    public var contentPublisher: AnyPublisher<Content?, Never> {
      publisher(CurrentValueSubject(self.content)) { subject in
        self.observeContent { subject.send($0) }
      }
    }
  }

  extension PagedCollection {
    /// The items, now and after each change, as a Combine publisher.
    ///
    /// Each subscriber receives them on the actor of the service, and observes until it cancels or is
    /// deallocated. To subscribe loads nothing. An array that is held costs one copy of it at the next
    /// change; ``changePublisher`` does not.
    public var itemsPublisher: AnyPublisher<[Item], Never> {
      publisher(CurrentValueSubject(self.items)) { subject in
        self.observe { list, event in
          if case .itemsChanged = event { subject.send(list.items) }
        }
      }
    }

    /// The changes of the items from the subscription on, as a Combine publisher.
    ///
    /// Each subscriber receives them on the actor of the service, and observes until it cancels or is
    /// deallocated. It has to ask for all elements without a limit, as `sink` and `assign` do, or changes
    /// are left out.
    public var changePublisher: AnyPublisher<PagedChange<Item>, Never> {
      publisher(PassthroughSubject()) { subject in
        self.observeChanges { subject.send($0) }
      }
    }
  }

  /// A publisher that observes for each subscriber.
  ///
  /// - Parameters:
  ///   - makeSubject: makes what passes the elements on to one subscriber.
  ///   - observe: begins an observation that ends when its token is released.
  private func publisher<Elements: Subject>(
    _ makeSubject: @escaping @autoclosure () -> Elements,
    _ observe: @escaping (_ subject: Elements) -> ObservationToken
  ) -> AnyPublisher<Elements.Output, Never> where Elements.Failure == Never {
    Deferred {
      let subject = makeSubject()
      let token = observe(subject)
      // Held by the subscription, and released with it, on any thread.
      return subject.handleEvents(receiveCancel: { withExtendedLifetime(token) {} })
    }
    .eraseToAnyPublisher()
  }
#endif
