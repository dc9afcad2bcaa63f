// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, so that the product never depends on what measuring needs. It knows the daemon only by its protocol.
let package = Package(
    name: "benchmarks",
    targets: [
        .systemLibrary(name: "CLinux"),
        .executableTarget(name: "bench", dependencies: ["CLinux"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type == .executable {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}
