#if canImport(SwiftUI)
  import Freshet
  import SwiftUI

  extension Observing {
    func rows(_ gists: PagedCollection<Gist>) -> some View {
      // snippet
      List(gists.items) { gist in
        Text(gist.title).onAppear { gists.itemShown(gist) }
      }
      .loading(gists)
      // end
    }

    func loaded(_ gists: PagedCollection<Gist>) -> some View {
      // snippet
      List(gists.items) { Text($0.title) }.task { await gists.keepLoaded() }
      // end
    }

    func loaded(_ gist: Resource<Gist>) -> some View {
      // snippet
      Text(gist.content?.title ?? "").task { await gist.keepLoaded() }
      // end
    }

    func refreshed(_ gists: PagedCollection<Gist>) -> some View {
      // snippet
      List(gists.items) { Text($0.title) }
        .refreshable { @MainActor in await gists.refreshAndWait() }
      // end
    }
  }
#endif

#if canImport(Combine)
  import Combine
  import Freshet

  extension Observing {
    @MainActor
    final class GistModel: ObservableObject {
      struct Profile: Decodable, Sendable { let name: String }

      @Published private(set) var name = ""

      init(_ profile: Resource<Profile>) {
        // snippet
        profile.contentPublisher.map { $0?.name ?? "" }.assign(to: &$name)
        // end
      }
    }
  }
#endif

#if canImport(UIKit) && !os(watchOS)
  import Freshet
  import UIKit

  extension Observing {
    // snippet
    final class GistsController: UITableViewController {
      private let gists: PagedCollection<Gist>

      init(_ gists: PagedCollection<Gist>) {
        self.gists = gists
        super.init(style: .plain)
      }

      required init?(coder: NSCoder) { nil }

      override func viewDidLoad() {
        super.viewDidLoad()
        gists.addObserver(owner: self) { [weak self] _, event in
          if case .itemsChanged(let change) = event { self?.tableView.apply(change) }
        }
        gists.loadIfNeeded()
      }

      override func tableView(_ view: UITableView, numberOfRowsInSection section: Int) -> Int {
        gists.items.count
      }

      override func tableView(
        _ view: UITableView, cellForRowAt path: IndexPath
      ) -> UITableViewCell {
        gists.itemShown(at: path.row)
        let cell = UITableViewCell()
        cell.textLabel?.text = gists.items[path.row].title
        return cell
      }
    }
    // end

    final class ReloadingController: UIViewController {
      private let tableView = UITableView()
      private lazy var dataSource = UITableViewDiffableDataSource<Int, Gist.ID>(
        tableView: tableView
      ) { _, _, _ in
        UITableViewCell()
      }
      private var loading: ObservationToken?

      func apply(_ gists: PagedCollection<Gist>) {
        // snippet
        gists.addObserver(owner: self) { [weak self] _, event in
          if case .itemsChanged(let change) = event { self?.tableView.apply(change) }
        }
        // end
      }

      func applySnapshots(of gists: PagedCollection<Gist>) {
        // snippet
        gists.addObserver(owner: self) { [weak self] gists, event in
          self?.dataSource.apply(event, of: gists, inSection: 0)
        }
        // end
      }

      func reload(_ service: Service) {
        // snippet
        loading = service.loadIfNeeded(on: .every(.seconds(60)), .appBecameActive, .networkReturned)
        // end
      }
    }

    // snippet
    @MainActor
    final class GistFeed {
      let gists: PagedCollection<Gist>
      private let loading: ObservationToken

      init(_ service: Service, cache: DiskCache, userID: String) {
        service.configure {
          $0.cache = cache
          $0.userIdentifier = userID
        }
        gists = service.pages("gists", of: Gist.self)
        loading = service.loadIfNeeded(on: .appBecameActive, .networkReturned)
      }

      var status: ResourceStatus {
        ResourceStatus(of: gists, rules: [.firstLoad, .appending, .allContent, .error])
      }
    }
    // end

    // snippet
    final class DiffableGistsController: UITableViewController {
      private let gists: PagedCollection<Gist>
      private lazy var dataSource = UITableViewDiffableDataSource<Int, Gist.ID>(
        tableView: tableView
      ) { [gists] _, _, id in
        let cell = UITableViewCell()
        if let index = gists.index(ofID: id) {
          gists.itemShown(at: index)
          cell.textLabel?.text = gists.items[index].title
        }
        return cell
      }

      init(_ gists: PagedCollection<Gist>) {
        self.gists = gists
        super.init(style: .plain)
      }

      required init?(coder: NSCoder) { nil }

      override func viewDidLoad() {
        super.viewDidLoad()
        gists.addObserver(owner: self) { [weak self] gists, event in
          self?.dataSource.apply(event, of: gists, inSection: 0)
        }
        gists.loadIfNeeded()
      }
    }
    // end
  }
#endif
