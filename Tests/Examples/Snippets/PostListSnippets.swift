import Foundation
import Freshet

/// What the documentation shows of resources and lists by POST.
@MainActor
enum PostLists {
  struct Issue: Codable, Identifiable, Equatable, Sendable {
    let id: String
    let title: String
  }

  struct Hit: Decodable, Identifiable, Sendable { let id: Int }
  struct ViewerResponse: Decodable, Sendable {
    struct Content: Decodable, Sendable { let viewer: Viewer }
    struct Viewer: Decodable, Sendable { let login: String }
    let data: Content
  }

  static func viewer(_ service: Service) throws -> Resource<ViewerResponse> {
    // snippet
    let body = try JSONText(encoding: ["query": "{ viewer { login } }"])
    let viewer = service.resource(.post, "graphql", body: body, of: ViewerResponse.self)
    // end
    return viewer
  }

  static func found(_ service: Service) throws -> PagedCollection<Hit> {
    // snippet
    let body = try JSONText(encoding: ["filter": ["status": "open"]])
    let found = service.pages(.post, "issues/search", body: body, of: Hit.self)
    // end
    return found
  }

  static func issues(_ service: Service) throws -> PagedCollection<Issue> {
    // snippet
    struct IssuesQuery: Encodable {
      let query = """
        query($after: String) {
          viewer {
            issues(first: 50, after: $after) {
              nodes { id title }
              pageInfo { hasNextPage endCursor }
            }
          }
        }
        """
    }

    let body = try JSONText(encoding: IssuesQuery())
    let issues = service.pages(.post, "graphql", body: body, of: Issue.self)
    issues.loadIfNeeded()
    // end
    return issues
  }

  static func namedStyle() -> PageStyle {
    // snippet
    let style = PageStyle.cursor(
      at: "data.viewer.issues.pageInfo.endCursor", bodyKey: "variables.after",
      more: "data.viewer.issues.pageInfo.hasNextPage"
    ).items(at: "data.viewer.issues.nodes")
    // end
    return style
  }

  static func allowRetries(_ service: Service) {
    // snippet
    service.configure("issues/search", methods: [.post]) {
      $0.retryPolicy = .standard
      $0.addIdempotencyKeys()
    }
    // end
  }
}
