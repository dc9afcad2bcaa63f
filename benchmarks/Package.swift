// swift-tools-version: 6.2
import PackageDescription

/// The benchmarks, in a separate package so that the product does not depend on them. They use the
/// daemon only through its protocol.
let package = Package(
    name: "benchmarks",
    targets: [
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(name: "bench", dependencies: ["CLinux", "CSQLite"]),
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
