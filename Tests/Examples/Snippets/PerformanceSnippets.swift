import Foundation
import Freshet

/// Another package's decoder.
struct FastJSONDecoder {
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JSONDecoder().decode(type, from: data)
  }
}

// snippet
extension ContentDecoder where Content: Decodable {
  /// Named, because a service has one resource for each request, content type and name of a decoder.
  static var fast: ContentDecoder {
    ContentDecoder("fast-json", accepting: ["application/json"]) { input in
      try FastJSONDecoder().decode(Content.self, from: input.response.body)
    }
  }
}
// end

/// A line of comma-separated values.
struct Row: Sendable, Equatable {
  let fields: [String]

  static func parse(_ data: Data) throws -> [Row] {
    String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
      Row(fields: line.split(separator: ",").map(String.init))
    }
  }
}

@MainActor
struct Performing {
  struct Station: Decodable, Sendable { let id: Int }

  let service: Service

  func station() -> Resource<Station> {
    // snippet
    let station = service.resource("/stations/17", decoder: ContentDecoder<Station>.fast)
    // end
    return station
  }

  func rows() -> Resource<[Row]> {
    // snippet
    let csv = ContentDecoder<[Row]>("csv", accepting: ["text/csv"]) { input in
      try Row.parse(input.response.body)
    }
    let rows = service.resource("export", decoder: csv)
    // end
    return rows
  }

  // snippet
  func pages<Item: Decodable & Sendable>(
    of type: Item.Type, style: PageStyle
  ) -> ContentDecoder<Page<Item>> {
    ContentDecoder("fast-json \(style)", accepting: ["application/json"]) { input in
      let page = try style.page(from: input.response, to: input.key)
      let items = try page.items.map { try FastJSONDecoder().decode(Item.self, from: $0.bytes) }
      return Page(
        items: items, next: page.next, previous: page.previous, totalCount: page.totalCount,
        style: page.style)
    }
  }
  // end

  func stations() -> PagedCollection<Station> {
    // snippet
    let list = PagedCollection(
      firstPage: service.resource("/stations", decoder: pages(of: Station.self, style: .linkHeader))
    )
    // end
    return list
  }
}
