#if canImport(SwiftUI)
  import Freshet
  import SwiftUI

  extension Observing {
    // snippet
    struct GistList: View {
      let gists: PagedCollection<Gist>

      var body: some View {
        List(gists.items) { gist in
          Text(gist.title).onAppear { gists.itemShown(gist) }
        }
        .refreshable { @MainActor in await gists.refreshed() }
        .task { gists.loadIfNeeded() }
      }
    }
    // end
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
  }
#endif
