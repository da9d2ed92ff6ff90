import Foundation
import Freshet

extension LoopbackServer.Response {
  /// Status line and header fields, as they are sent.
  static func head(_ status: Int, _ headers: HTTPHeaders) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(reason(status))\r\n"
    for field in headers.fields {
      text += field.name
      text += ": "
      text += field.value
      text += "\r\n"
    }
    text += "\r\n"
    return Array(text.utf8)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 103: "Early Hints"
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 410: "Gone"
    case 413: "Content Too Large"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
  }
}

extension HTTPHeaders {
  /// Whether a field that is a comma-separated list of tokens has this one, in lower case.
  func hasToken(_ token: String, in name: String) -> Bool {
    guard let value = self[name] else { return false }
    return value.split(separator: ",").contains {
      $0.trimmingCharacters(in: .whitespaces).lowercased() == token
    }
  }
}
