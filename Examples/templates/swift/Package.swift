// swift-tools-version: 5.9
import PackageDescription

let package = Package(
  name: "adapter",
  // The package of an SDK can depend on this folder by its path, and contain the adapter in a separate target.
  products: [.library(name: "ConformAdapter", targets: ["ConformAdapter"])],
  targets: [
    .target(name: "ConformAdapter"),
    .executableTarget(name: "Adapter", dependencies: ["ConformAdapter"]),
  ])
