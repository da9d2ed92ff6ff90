import Testing

@testable import Freshet

@Suite("Redaction")
struct RedactionTests {
  @Test(
    "Names of secrets are known in any spelling",
    arguments: [
      "Authorization", "X-Amz-Security-Token", "X-Amz-Signature", "api_key", "apiKey", "key", "sig",
      "PASSWORD",
      "client-secret", "PHPSESSIONID", "X-Auth", "code", "page_token",
      "hmac", "X-HMAC-SHA256", "sid", "SID",
      "appid", "assertion", "client_assertion", "SAMLResponse", "oauth_verifier", "otp", "pat",
      "creds",
    ])
  func secretNames(name: String) {
    #expect(Redaction.isSecretName(name))
  }

  @Test(
    "Other names are shown",
    arguments: [
      "Accept", "author", "page", "per_page", "q", "ETag", "encode", "", "Keyword", "side",
      "path", "pattern", "pin", "ticket", "license",
    ])
  func otherNames(name: String) {
    #expect(!Redaction.isSecretName(name))
  }

  @Test(
    "URLs lose what is secret and nothing else",
    arguments: [
      (
        "https://me:pw@a:8443/b?page=%32&api_key=x&api%5Fkey=y&key&q=1#t",
        "https://***@a:8443/b?page=%32&api_key=***&api%5Fkey=***&key&q=1"
      ),
      ("https://a/b", "https://a/b"), ("/b?token=x", "/b?token=***"),
      ("https://x@y@a/", "https://***@a/"),
      ("https://a/?", "https://a/?"), ("https://me:pw@[::1]:80/b", "https://***@[::1]:80/b"),
      ("https://a:80/@me/b:c?d=@", "https://a:80/@me/b:c?d=@"), ("/@me?a=b", "/@me?a=b"),
      ("https://a/?a=1;token=x&b=1;c=2", "https://a/?a=***&b=1;c=2"),
      ("https://a/?a=1?token=x", "https://a/?a=***"), ("/?a;pwd=x", "/?a;pwd=***"),
      ("/?a=%2Fb%3Fc%26token%3Dx&token%3Dx", "/?a=***&***"),
      ("https://a/b%3Ftoken%3Dx/c?q=1", "https://a/b%3F***?q=1"), ("/b%3fx", "/b%3f***"),
      ("/b%23token=x", "/b%23***"), ("/50%25%20off", "/50%25%20off"),
    ])
  func urls(url: String, expected: String) {
    #expect(Redaction.url(url) == expected)
    #expect(ResourceKey(url: url).redactedURL == expected)
  }

  @Test(
    "Of a malformed URL all is hidden that may be a user name or password",
    arguments: [
      ("https://me:p/w@a/b?c", "https://***@a/b"), ("https://me:pw?x@a/", "https://***"),
      ("https:/me:pw@a/b?c", "***@a/b"), ("me:pw@a/b", "***@a/b"), ("/me:pw@a", "***@a"),
      ("https://me:pw", "https://***"), ("https://me@you:pw", "https://***"),
      ("https:///me:pw@a/b?c", "https://***@a/b"), ("https://:80/me:pw@a", "https://***@a"),
      ("https://x@/me:pw@a", "https://***@a"), ("///me:pw@a", "//***@a"),
    ])
  func malformed(url: String, expected: String) {
    #expect(Redaction.url(url) == expected)
  }

  @Test("Messages name a URL by origin and path")
  func originAndPath() {
    #expect(Redaction.originAndPath(of: "https://me@a:8443/b/c?d=e#f") == "https://***@a:8443/b/c")
    #expect(Redaction.originAndPath(of: "/b?c") == "/b")
  }
}
