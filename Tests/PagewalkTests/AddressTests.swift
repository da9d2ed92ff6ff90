import Freshet
import Testing

@testable import pagewalk

@Suite("The URL argument")
struct AddressTests {
  @Test("The path and the query stay to the letter, the fragment is dropped")
  func letters() throws {
    let address = try Address(parsing: "HTTP://A.test:80/x%2Fy?b=%20&a=1&a=2#part")
    #expect(address.url == "http://a.test/x%2Fy?b=%20&a=1&a=2")
    #expect(address.origin == "http://a.test")
    #expect(try Address(parsing: "http://my_service:8080/x").origin == "http://my_service:8080")
    #expect(address.credentials == nil)
  }

  @Test("What is not ASCII is encoded")
  func encoding() throws {
    #expect(try Address(parsing: "http://a.test/é x").url == "http://a.test/%C3%A9%20x")
  }

  @Test("User name and password become the field that they mean")
  func userInfo() throws {
    let address = try Address(parsing: "http://us%20er:p%40:w@a.test/x@y")
    #expect(address.url == "http://a.test/x@y")
    #expect(address.credentials == "Basic dXMgZXI6cEA6dw==")
    #expect(try Address(parsing: "http://token@a.test").credentials == "Basic dG9rZW46")
  }

  @Test("An Authorization header that is given counts instead")
  func explicitHeader() throws {
    let command = try Command(
      parsing: ["http://a:b@a.test/", "--header", "authorization: Bearer c"])
    guard case .walk(_, let options) = command else { throw UsageError("no walk") }
    #expect(options.headers.values(for: "Authorization") == ["Bearer c"])
  }
}
