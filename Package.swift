// swift-tools-version: 6.2
import PackageDescription

/// What every target is compiled with, beyond language mode 6, which the tools version implies.
///
/// An `async` function stays on its caller's actor unless it says `@concurrent`: a store is not
/// `Sendable`, so that has to be the rule here and leaving the actor the visible exception.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Freshet",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Freshet", targets: ["Freshet"]),
    .library(name: "FreshetCloudKit", targets: ["FreshetCloudKit"]),
    .library(name: "FreshetTesting", targets: ["FreshetTesting"]),
    .executable(name: "pagewalk", targets: ["pagewalk"]),
  ],
  targets: [
    .target(
      name: "Freshet",
      dependencies: [.target(name: "FreshetCurl", condition: .when(platforms: [.linux]))],
      swiftSettings: settings),
    .target(name: "FreshetCurl"),
    .target(name: "FreshetCloudKit", dependencies: ["Freshet"], swiftSettings: settings),
    .target(name: "FreshetTesting", dependencies: ["Freshet"], swiftSettings: settings),
    .executableTarget(
      name: "pagewalk", dependencies: ["Freshet", "FreshetTesting", "PagewalkBrowser"],
      swiftSettings: settings),
    // The browser of pagewalk: a program like any other, with the public interface alone.
    .target(
      name: "PagewalkBrowser", dependencies: ["Freshet", "PagewalkSignals"], packageAccess: false,
      swiftSettings: settings),
    .target(name: "PagewalkSignals"),
    .testTarget(
      name: "FreshetTests", dependencies: ["Freshet", "FreshetTesting"], swiftSettings: settings),
    .testTarget(
      name: "FreshetCloudKitTests",
      dependencies: ["Freshet", "FreshetCloudKit", "FreshetTesting"], swiftSettings: settings),
    .testTarget(
      name: "PagewalkTests",
      dependencies: ["pagewalk", "PagewalkBrowser", "Freshet", "FreshetTesting"],
      swiftSettings: settings),
    // Clients, with default settings and the public interface alone.
    .testTarget(
      name: "ExampleTests", dependencies: ["Freshet", "FreshetTesting"], path: "Tests/Examples",
      exclude: ["MainActorModule"], packageAccess: false),
    .testTarget(
      name: "MainActorExampleTests", dependencies: ["Freshet", "FreshetTesting"],
      path: "Tests/Examples/MainActorModule", packageAccess: false,
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)
