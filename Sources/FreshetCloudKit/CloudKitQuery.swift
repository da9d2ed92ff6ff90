import Freshet

/// A query for records: `records/query` of CloudKit Web Services.
///
/// ```swift
/// let query = CloudKitQuery(
///   recordType: "Note",
///   filters: [CloudKitFilter("archived", .equals, .int(0))],
///   sort: [CloudKitSort("changed", ascending: false)],
///   resultsLimit: 100)
/// let notes = service.records(query, in: database)
/// notes.loadIfNeeded()
/// ```
///
/// Records come in pages. Each but the last has a continuation marker, with which the same query is
/// sent again for the next one.
public struct CloudKitQuery: Sendable, Hashable {
  /// The highest possible ``resultsLimit``.
  public static let maximumResultsLimit = 200

  /// The type of the records.
  public var recordType: String
  /// The conditions on a record, all of which have to hold.
  public var filters: [CloudKitFilter]
  /// The sort order; a later element decides where all earlier ones are equal.
  public var sort: [CloudKitSort]
  /// The fields to load; nil for all.
  public var desiredKeys: [String]?
  /// The zone to search; nil for the default one.
  public var zone: CloudKitZone?
  /// Whether to search all zones; not with a ``zone``.
  public var isZoneWide: Bool

  /// The maximum number of records on a page, 1…200; nil to leave that to the server.
  public let resultsLimit: Int?

  /// Creates a query.
  ///
  /// A `resultsLimit` below 1 or above ``maximumResultsLimit`` is a programming error, which stops
  /// the program; check one from outside before.
  public init(
    recordType: String, filters: [CloudKitFilter] = [], sort: [CloudKitSort] = [],
    desiredKeys: [String]? = nil, zone: CloudKitZone? = nil, isZoneWide: Bool = false,
    resultsLimit: Int? = nil
  ) {
    precondition(
      resultsLimit.map { (1...Self.maximumResultsLimit).contains($0) } ?? true,
      "CloudKitQuery(resultsLimit: \(resultsLimit ?? 0)): a page has 1 to 200 records")
    self.recordType = recordType
    self.filters = filters
    self.sort = sort
    self.desiredKeys = desiredKeys
    self.zone = zone
    self.isZoneWide = isZoneWide
    self.resultsLimit = resultsLimit
  }

  /// The body of the request for the first page. Those of later pages also have a
  /// `continuationMarker`.
  public var body: JSONText {
    var query = [(name: "recordType", value: JSONText(string: recordType))]
    if !filters.isEmpty { query.append(("filterBy", .array(filters.map(\.json)))) }
    if !sort.isEmpty { query.append(("sortBy", .array(sort.map(\.json)))) }
    var body = [(name: "query", value: JSONText.object(query))]
    if let resultsLimit { body.append(("resultsLimit", JSONText(int: resultsLimit))) }
    if let desiredKeys {
      body.append(("desiredKeys", .array(desiredKeys.map { JSONText(string: $0) })))
    }
    if let zone { body.append(("zoneID", zone.json)) }
    if isZoneWide { body.append(("zoneWide", JSONText(bool: true))) }
    return .object(body)
  }
}

extension PageStyle {
  /// CloudKit Web Services: a marker in the response that is set in the JSON body of the next
  /// request, which is otherwise the same query.
  ///
  /// Ends if `continuationMarker` is null, absent or `""`. The items are at `records`.
  public static let cloudKit = PageStyle.cursor(
    at: "continuationMarker", bodyKey: "continuationMarker"
  ).items(at: "records").requiringItems()
}
