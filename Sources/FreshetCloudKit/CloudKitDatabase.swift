import Freshet

/// The identification of a CloudKit database in CloudKit Web Services.
///
/// ```swift
/// let service = Service(baseURL: CloudKitDatabase.baseURL)
/// service.configure { $0.authorizer = CloudKitCredentials(apiToken: token) }
/// let database = CloudKitDatabase(container: "iCloud.com.example.notes", environment: .production)
/// ```
public struct CloudKitDatabase: Sendable, Hashable {
  /// The environments of a container.
  public enum Environment: String, Sendable, Hashable {
    /// The development environment, not for apps in the App Store.
    case development
    /// The production environment, for all apps.
    case production
  }

  /// The kinds of databases in a container.
  public enum Scope: String, Sendable, Hashable {
    /// The database that is open to all users.
    case `public`
    /// The database of the current user.
    case `private`
    /// The database of data that others share with the current user.
    case shared
  }

  /// The base URL of a service for CloudKit Web Services.
  public static let baseURL = "https://api.apple-cloudkit.com"

  /// The identifier of the container, `iCloud.` and the name of the app.
  public var container: String
  /// The environment of the container.
  public var environment: Environment
  /// The kind of database.
  public var scope: Scope

  /// Creates the identification of a database.
  public init(container: String, environment: Environment, scope: Scope = .public) {
    self.container = container
    self.environment = environment
    self.scope = scope
  }

  /// The path of an operation below the base URL.
  func path(_ operation: String) -> String {
    let container = PercentEncoding.encode(container)
    return "database/1/\(container)/\(environment.rawValue)/\(scope.rawValue)/\(operation)"
  }
}
