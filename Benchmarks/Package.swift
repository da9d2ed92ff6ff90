// swift-tools-version: 6.2
import PackageDescription

/// What the library itself is compiled with; see the package above.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A client of Freshet like any other: it measures through the public API.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Freshet", path: "..")],
  targets: [
    .systemLibrary(name: "CMalloc"),
    .executableTarget(
      name: "freshet-benchmarks",
      dependencies: [
        "CMalloc",
        .product(name: "Freshet", package: "Freshet"),
        .product(name: "FreshetTesting", package: "Freshet"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
