import Foundation

/// Reads the head of a response line by line, and assembles what follows it: in one piece, or in several.
func fuzzResponseHead(_ input: FuzzInput) {
  var input = input
  let (seed, limit) = (input.byte(), Int(input.byte()))
  let (head, rest) = read(input.bytes)
  guard let head else { return }
  require((200...599).contains(head.status), "a final status \(head.status)")
  for field in head.headers.fields {
    require(HTTPHeaders.isValidName(field.name), "the name \(field.name.debugDescription)")
    require(HTTPHeaders.isOneLine(field.value), "the value \(field.value.debugDescription)")
  }
  require(read(head.printed[...]).head == head, "the head is printed and read as another one")
  let method: HTTPMethod = seed & 64 == 0 ? .get : .head
  let whole = assemble(head, [rest], method, limit)
  require(assemble(head, rest.pieces(seed), method, limit) == whole, "pieces make another response")
  let byteCount = whole.response?.body.count ?? 0
  require(byteCount <= limit, "\(byteCount) bytes of \(limit) allowed")
}

/// The final head, and the bytes after it.
private func read(
  _ bytes: ArraySlice<UInt8>
) -> (head: ResponseAssembly.Head?, rest: ArraySlice<UInt8>) {
  var (reader, rest) = (ResponseHeadReader(), bytes)
  while !rest.isEmpty {
    let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
    let line = rest[..<end]
    rest = rest[end...]
    do throws(ResponseHeadReader.Refusal) {
      guard
        let head = try line.withBytes({ bytes throws(ResponseHeadReader.Refusal) in
          try reader.receive(bytes)
        })
      else { continue }
      require(reader.isComplete, "a head, and it is not complete")
      return (head, rest)
    } catch {
      require(!error.reason.isEmpty, "no reason")
      return (nil, rest)
    }
  }
  return (nil, rest)
}

private struct Assembled: Equatable {
  var response: HTTPResponse?
  var failure: TransportError.Kind?
}

private func assemble(
  _ head: ResponseAssembly.Head, _ pieces: [ArraySlice<UInt8>], _ method: HTTPMethod, _ limit: Int
) -> Assembled {
  let request = HTTPRequest(
    method: method, url: URL(filePath: "/"), maximumResponseSize: limit)
  var assembly = ResponseAssembly(to: request)
  do throws(TransportError) {
    try assembly.receive(head)
    for (index, piece) in pieces.enumerated() {
      if index % 2 == 0 {
        try assembly.receive(Data(piece))
      } else {
        try piece.withBytes { bytes throws(TransportError) in try assembly.receive(bytes) }
      }
    }
    return Assembled(response: try assembly.finish())
  } catch {
    return Assembled(failure: error.kind)
  }
}

extension ResponseAssembly.Head {
  fileprivate var printed: [UInt8] {
    let lines = headers.fields.map { "\($0.name): \($0.value)\r\n" }
    return Array("HTTP/1.1 \(status)\r\n\(lines.joined())\r\n".utf8)
  }
}
