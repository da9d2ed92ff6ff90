import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("Arguments as curl takes them")
struct CurlHabitTests {
  private func walk(_ arguments: String...) throws -> (address: Address, options: Options) {
    guard case .walk(let address, let options) = try Command(parsing: arguments) else {
      throw UsageError("a walk was meant")
    }
    return (address, options)
  }

  @Test("Short options stand for long ones, with the value joined or after them")
  func shortOptions() throws {
    let url = "https://a.test/"
    let apart = try walk(url, "-s", "-H", "X: 1", "-X", "put", "-d", #"{"a":1}"#).options
    let joined = try walk(url, "-sHX: 1", "-Xput", #"-d{"a":1}"#).options
    let long = try walk(
      url, "--quiet", "--header=X: 1", "--method=put", "--body", #"{"a":1}"#
    ).options
    #expect(apart == long && joined == long)
    #expect(long.method == .put && long.isQuiet)
  }

  @Test("A body without a method is a POST")
  func post() throws {
    #expect(try walk("https://a.test/", "-d", "{}").options.method == .post)
  }

  @Test("Redirects are followed anyway, so asking for it changes nothing")
  func location() throws {
    let plain = try walk("https://a.test/", "-H", "X: 1").options
    #expect(try walk("https://a.test/", "-L", "-H", "X: 1").options == plain)
    #expect(try walk("https://a.test/", "--location", "-HX: 1").options == plain)
    #expect(try walk("https://a.test/", "-LHX: 1").options == plain)
  }

  @Test(
    "A URL without a scheme is https, and http on the machine itself",
    arguments: [
      ("api.example.com/x?a=http://b.test", "https://api.example.com/x?a=http://b.test"),
      ("a.test", "https://a.test"), ("A.test:8443/x", "https://a.test:8443/x"),
      ("server:8080/x", "https://server:8080/x"), ("10.1.2.3/x", "https://10.1.2.3/x"),
      ("localhost/x", "http://localhost/x"), ("localhost:8080/x", "http://localhost:8080/x"),
      ("LocalHost:8080", "http://localhost:8080"), ("api.localhost/x", "http://api.localhost/x"),
      ("127.0.0.1:81/x", "http://127.0.0.1:81/x"), ("127.9.9.9", "http://127.9.9.9"),
      ("[::1]:8080/x", "http://[::1]:8080/x"), ("[2001:db8::1]/x", "https://[2001:db8::1]/x"),
      ("user:pass@a.test/x", "https://a.test/x"),
    ])
  func schemes(text: String, url: String) throws {
    #expect(try Address(parsing: text).url == url)
  }

  @Test(
    "A word that is no host is an error, not a request", arguments: ["items", "help", "a/b.c", ""])
  func words(text: String) {
    #expect(throws: UsageError.self) { try Address(parsing: text) }
  }
}
