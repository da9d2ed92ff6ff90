import Testing
@testable import Freshet
@Suite struct PlaceholderTests { @Test func headers() { #expect(HTTPHeaders(["A": "b"].map{.init(name:$0.key,value:$0.value)})["a"] == "b") } }
