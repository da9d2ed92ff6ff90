// swift-tools-version: 6.2
import PackageDescription

// A client of Freshet as users write them: a package of its own, default settings, no upcoming
// features. It proves that
//
// - the public API is enough: nothing here is `@testable` and nothing has `package` access;
// - a view model on the main actor and an actor that owns a store build in language mode 6 without a
//   warning, though the library itself is built with upcoming features;
// - the same code then works: the executable checks what it sees, and ends with 1 where that is
//   wrong.
//
// A module whose default isolation is the main actor is among the examples: Tests/Examples.
//
//   swift build --package-path Tests/ClientPackage
//   swift run --package-path Tests/ClientPackage PlainClient
let package = Package(
  name: "ClientPackage",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Freshet", path: "../..")],
  targets: [
    .executableTarget(
      name: "PlainClient",
      dependencies: [
        .product(name: "Freshet", package: "Freshet"),
        .product(name: "FreshetTesting", package: "Freshet"),
      ])
  ]
)
