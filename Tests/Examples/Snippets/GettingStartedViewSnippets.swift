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
        let status = ResourceStatus(of: gitHub.gists)
        List(gitHub.gists.items) { gist in
          NavigationLink(gist.description ?? gist.id) { GistDetail(gist: gitHub.gist(gist.id)) }
            .onAppear { gitHub.gists.itemShown(gist) }
        }
        .overlay(alignment: status.isAppendFailure ? .bottom : .center) {
          StatusView(status: status)
        }
        .refreshable { @MainActor in await gitHub.gists.refreshed() }
        .task { await gitHub.gists.keepLoaded() }
      }
    }
    // end

    // snippet
    struct GistDetail: View {
      let gist: Resource<Gist>

      var body: some View {
        Text(gist.content?.description ?? "")
          .overlay { StatusView(status: ResourceStatus(of: gist)) }
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
#endif
