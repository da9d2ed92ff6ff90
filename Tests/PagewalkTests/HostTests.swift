import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("A URL whose host cannot be one")
struct HostTests {
  @Test(
    "It is a usage error that says why",
    arguments: [
      ("http://exa mple/", "space"), ("http://-", "hyphen"), ("http://a-.test", "hyphen"),
      ("http://[::zz]", "IPv6"), ("http://[::1", "IPv6"), ("http://::1/", "brackets"),
      ("http://", "empty"), ("http:///x", "empty"), ("http://:80/", "empty"),
      ("http://user@/", "empty"), ("http://a\u{7}b.test/", "control"),
      ("http://a\u{85}b.test/", "control"), ("http://a+b.test/", "letters"),
      ("http://a%20b/", "letters"), ("http://b\u{FC}cher.test/", "xn--"),
      ("http://a..test/", "empty label"), ("http://.a/", "empty label"),
      ("http://256.1.1.1/", "IPv4"), ("http://1.2.3/", "IPv4"),
      ("http://a.test:0/", "port"), ("http://a.test:65536/", "port"),
      ("http://a.test:99999999999999999999/", "port"), ("http://a.test:-1", "port"),
      ("http://a.test:x/", "port"), ("http://[::1]x/", "port"), ("https://a b.test:80", "space"),
      ("http://" + String(repeating: "a", count: 64) + ".test", "63"),
      ("http://" + String(repeating: "a.", count: 130) + "test", "253"),
    ])
  func unusable(url: String, reason: String) {
    let error = #expect(throws: UsageError.self) { try Command(parsing: [url]) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test(
    "What can be one is none",
    arguments: [
      "http://a", "http://a.", "http://xn--bcher-kva.test", "http://1a.2b", "http://1.2.3.4:1",
      "http://[::1]:65535", "http://[fe80::1%25eth0]/", "http://a.test:", "https://a--b.c-d/",
    ])
  func usable(url: String) throws {
    _ = try Address(parsing: url)
  }

  @Test("An origin to allow is held to the same")
  func allowedOrigin() {
    let error = #expect(throws: UsageError.self) {
      try Command(parsing: ["--allow-origin", "https://exa mple"])
    }
    #expect(error?.description.contains("space") == true)
  }

  @Test("A password in it is not shown")
  func secrets() {
    for url in ["http://user:hid/den@a.test", "http://u:hidden@a b/", "u:hidden@a+b.test"] {
      let error = #expect(throws: UsageError.self) { try Command(parsing: [url]) }
      #expect(error?.description.contains("hid") == false)
    }
  }
}
