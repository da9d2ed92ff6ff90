#if canImport(SwiftUI)
  import Foundation
  // snippet
  import Freshet
  import SwiftUI
  // end

  extension GettingStarted {
    // snippet
    struct GistList: View {
      let gitHub: GitHub

      var body: some View {
        let gists = gitHub.gists
        let status = ResourceStatus(of: gists)
        List {
          ForEach(gists.items) { gist in
            NavigationLink(gist.description ?? gist.id) { GistDetail(gist: gitHub.gist(gist.id)) }
              .onAppear { gists.itemShown(gist) }
          }
          if !status.replacesContent { ListFooter(gists: gists, status: status) }
        }
        .showing(status)
        .loading(gists)
      }
    }
    // end

    // snippet
    struct GistDetail: View {
      let gist: Resource<Gist>

      var body: some View {
        Text(gist.content?.description ?? "")
          .showing(ResourceStatus(of: gist))
          .task { await gist.keepLoaded() }
      }
    }
    // end

    // snippet
    struct StatusView: View {
      let status: ResourceStatus

      var body: some View {
        switch status.phase {
        case .loading:
          ProgressView()
        case .empty:
          Text("Nothing here yet")
        case .failed(let error), .offline(let error):
          VStack {
            Text(error.userMessage)
            Button("Load again") { status.retry() }
          }
        case .rateLimited(let date):
          Text("Too many requests until \(date.formatted(date: .omitted, time: .shortened))")
        case .idle, .content, .appending:
          EmptyView()
        }
      }
    }
    // end

    // snippet
    struct ListFooter: View {
      let gists: PagedCollection<Gist>
      let status: ResourceStatus

      var body: some View {
        if status.phase == .appending {
          ProgressView()
        } else if status.isAppendFailure {
          StatusView(status: status)
        } else if gists.isEnded {
          Text("That was all")
        } else {
          Button("Load more") { gists.loadMore() }
        }
      }
    }
    // end

    // snippet
    struct GistApp: App {
      @State private var gitHub = GitHub()

      var body: some Scene {
        WindowGroup {
          NavigationStack { GistList(gitHub: gitHub) }
        }
      }
    }
    // end
  }

  private typealias StatusView = GettingStarted.StatusView

  // snippet
  extension ResourceStatus {
    /// Whether there is no content, or nothing in it.
    var replacesContent: Bool { !hasContent || phase == .empty }
  }

  extension View {
    /// Shows a status in place of the content, or above it.
    func showing(_ status: ResourceStatus) -> some View {
      overlay {
        if status.replacesContent { StatusView(status: status) }
      }
      .safeAreaInset(edge: .top) {
        if !status.replacesContent && !status.isAppendFailure { StatusView(status: status) }
      }
    }
  }
// end
#endif
