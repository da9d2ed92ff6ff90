import Testing

@testable import Freshet

@Suite("The header fields of a response that a 304 confirms")
struct NotModifiedHeadersTests {
  @Test("Those of the 304 replace the stored ones, except what describes the stored body (F38)")
  func merging() {
    let stored: HTTPHeaders = [
      "Content-Type": "text/plain", "Content-Length": "3", "ETag": "\"1\"", "X-Page": "1",
      "x-page": "2", "Link": "</a>; rel=next", "Age": "5", "Date": "1",
    ]
    let notModified: HTTPHeaders = [
      "Content-Type": "text/html", "Content-Length": "0", "Content-Encoding": "gzip",
      "Content-Range": "bytes 0-1/2", "etag": "\"2\"", "X-Page": "3", "Date": "2",
      "Connection": "X-Hop", "X-Hop": "1", "X-New": "1",
    ]
    #expect(
      stored.merging(notModified: notModified.withoutConnectionFields).fields == [
        .init(name: "Content-Type", value: "text/plain"), .init(name: "Content-Length", value: "3"),
        .init(name: "Link", value: "</a>; rel=next"), .init(name: "etag", value: "\"2\""),
        .init(name: "X-Page", value: "3"), .init(name: "Date", value: "2"),
        .init(name: "X-New", value: "1"),
      ])
  }
}
