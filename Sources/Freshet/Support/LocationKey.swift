/// A name in the path to the part of a document that was decoded. It may be shown: it is from a path of the
/// program, or one that was recognized, and no content.
struct LocationKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
