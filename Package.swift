// swift-tools-version: 6.2
import PackageDescription

/// The targets are listed from the bottom layer to the top; imports point up this list only.
/// `Tests/TidyTests` holds the same table as code and fails on an arrow that is not in it.
let package = Package(
    name: "notesd",
    products: [
        .executable(name: "notesd", targets: ["notesd"]),
        .executable(name: "notesctl", targets: ["notesctl"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-algorithms", from: "1.2.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        .target(
            name: "Causality",
            dependencies: [
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "BitCollections", package: "swift-collections"),
            ]),
        .target(
            name: "TextMerge",
            dependencies: [
                "Causality",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "BitCollections", package: "swift-collections"),
            ]),
        .target(name: "NoteText", dependencies: ["Causality", "TextMerge"]),
        .target(name: "NotesMetrics", dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")]),
        .target(name: "CSHA256"),
        .target(name: "StrictJSON"),
        .target(name: "Suggestions"),
        .target(
            name: "GuaranteeChecker", dependencies: [.product(name: "Algorithms", package: "swift-algorithms")],
            path: "verification/guarantees/Sources/GuaranteeChecker"),
        .target(name: "NotesModel", dependencies: ["Causality", "TextMerge", "NoteText", "CSHA256"]),
        .target(name: "NotesMethods", dependencies: ["Causality", "TextMerge", "NoteText", "NotesModel"]),
        .target(
            name: "NotesWire", dependencies: ["Causality", "TextMerge", "NoteText", "NotesModel", "NotesMethods", "StrictJSON"]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "NotesSQL", dependencies: ["CSQLite"]),
        .target(
            name: "NotesSearch",
            dependencies: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "CSQLite", "NotesSQL",
                .product(name: "BitCollections", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "NotesStore",
            dependencies: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "CSQLite", "NotesSQL",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "Dependents",
            dependencies: [
                "Causality", "TextMerge", "NoteText", "NotesModel",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .target(
            name: "NotesEngine",
            dependencies: [
                "Causality", "TextMerge", "NotesMetrics", "NoteText", "NotesModel", "NotesMethods", "NotesSearch", "NotesStore",
                "Dependents",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "BitCollections", package: "swift-collections"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "NotesServer",
            dependencies: [
                "Causality", "TextMerge", "NotesMetrics", "NoteText", "NotesModel", "NotesMethods", "NotesWire", "Dependents",
                "NotesEngine",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "NotesClient",
            dependencies: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .target(name: "Replication", dependencies: ["Causality", "NoteText", "NotesModel", "NotesMethods", "NotesWire"]),
        .target(name: "Hub", dependencies: ["Causality", "NoteText", "NotesModel", "NotesMethods", "NotesWire"]),
        .target(name: "EditSession", dependencies: ["Causality", "TextMerge", "NoteText", "NotesModel", "NotesWire"]),
        .target(name: "Systemd"),
        .target(name: "Console"),
        .target(
            name: "NoteTasks",
            dependencies: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire", "NotesClient",
                "EditSession",
                "Replication",
                "Console", "Suggestions",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .target(
            name: "EditorHost",
            dependencies: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire", "NotesClient",
                "EditSession",
                "Console",
                "NoteTasks",
            ]),
        .systemLibrary(
            name: "CMarkdown", providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
        .target(name: "PageDevices", dependencies: ["NotesModel", "StrictJSON", "Console"]),
        .target(
            name: "NotesPage",
            dependencies: [
                "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire", "NotesClient", "Console", "EditorHost",
                "PageDevices",
                "CMarkdown",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ], resources: [.embedInCode("Page")]),
        .target(
            name: "FolderSync",
            dependencies: [
                "Causality", "TextMerge", "NotesSQL", "NoteText", "NotesModel", "StrictJSON", "NotesWire", "NotesClient",
                "Console",
                "NoteTasks",
            ]),
        .target(
            name: "LanguageServer",
            dependencies: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire", "NotesClient",
                "Console",
                "NoteTasks", "FolderSync",
            ]),
        .target(
            name: "Agents",
            dependencies: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire", "NotesClient",
                "Console",
                "NoteTasks",
            ]),
        .target(
            name: "Browse",
            dependencies: [
                "Causality", "TextMerge", "NotesSearch", "NoteText", "NotesModel", "NotesMethods", "NotesWire", "NotesClient",
                "EditSession",
                "Console",
                "NoteTasks",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "notesd",
            dependencies: [
                "Causality", "NotesMetrics", "NotesModel", "NotesSearch", "NotesStore", "NotesEngine", "NotesServer", "Systemd",
                "Suggestions",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "TOMLKit", package: "TOMLKit"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "notesctl",
            dependencies: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire", "NotesClient",
                "Replication",
                "Console",
                "NoteTasks", "EditorHost", "PageDevices", "FolderSync", "LanguageServer", "Agents", "Browse", "Suggestions",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "notesd-web",
            dependencies: [
                "NotesModel", "NotesClient", "Console", "NoteTasks", "PageDevices", "NotesPage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "check-guarantees",
            dependencies: [
                "GuaranteeChecker",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "verification/guarantees/Sources/check-guarantees"),

        .target(
            name: "TestKit", dependencies: ["Causality", "TextMerge", "StrictJSON", "NoteText", "NotesModel"],
            path: "Tests/TestKit",
            exclude: ["Fixtures"]),
        .target(
            name: "ClientTestKit",
            dependencies: [
                "Causality", "NoteText", "NotesModel", "NotesMethods", "NotesWire", "NotesClient", "TestKit",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/ClientTestKit"),
        .target(
            name: "StoreTestKit", dependencies: ["Causality", "TextMerge", "NoteText", "NotesModel", "NotesStore"],
            path: "Tests/StoreTestKit"),
        .testTarget(name: "CausalityTests", dependencies: ["Causality", "TestKit"]),
        .testTarget(
            name: "TextMergeTests", dependencies: ["TextMerge", "Causality", "TestKit"], resources: [.copy("Fixtures")]),
        .testTarget(name: "NoteTextTests", dependencies: ["NoteText", "TextMerge", "TestKit"]),
        .testTarget(name: "NotesMetricsTests", dependencies: ["NotesMetrics", "TestKit"]),
        .testTarget(
            name: "NotesModelTests", dependencies: ["NoteText", "NotesModel", "CSHA256", "TextMerge", "Causality", "TestKit"]),
        .testTarget(
            name: "StrictJSONTests", dependencies: ["StrictJSON", "TestKit"]),
        .testTarget(
            name: "NotesWireTests",
            dependencies: [
                "NotesMethods", "NotesWire", "StrictJSON", "NoteText", "NotesModel", "TextMerge", "Causality", "TestKit",
            ]),
        .testTarget(name: "NotesSQLTests", dependencies: ["NotesSQL", "CSQLite", "TestKit"]),
        .testTarget(
            name: "NotesSearchTests",
            dependencies: [
                "NotesSearch", "CSQLite", "NotesSQL", "NoteText", "NotesModel", "TextMerge", "Causality", "TestKit",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "NotesStoreTests",
            dependencies: [
                "NotesStore", "CSQLite", "NotesSQL", "NoteText", "NotesModel", "TextMerge", "Causality", "TestKit",
                "StoreTestKit",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "DependentsTests", dependencies: ["Dependents", "NoteText", "NotesModel", "TextMerge", "Causality", "TestKit"]),
        .testTarget(
            name: "NotesEngineTests",
            dependencies: [
                "NotesEngine", "NotesSearch", "CSQLite", "NotesSQL", "NotesStore", "Dependents", "NoteText", "NotesModel",
                "TextMerge",
                "Causality",
                "NotesMethods", "NotesWire", "Replication", "TestKit", "StoreTestKit",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "NotesServerTests",
            dependencies: [
                "NotesServer", "NotesEngine", "NotesStore", "NotesMethods", "NotesWire", "Dependents", "NoteText", "NotesModel",
                "Causality",
                "TestKit",
                "StoreTestKit",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "SessionTestKit",
            dependencies: ["Causality", "TextMerge", "NoteText", "NotesModel", "NotesWire", "EditSession", "TestKit"],
            path: "Tests/SessionTestKit"),
        .testTarget(
            name: "EditSessionTests",
            dependencies: [
                "EditSession", "SessionTestKit", "NotesWire", "NoteText", "NotesModel", "TextMerge", "Causality", "TestKit",
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "HubTests",
            dependencies: ["Hub", "NotesMethods", "NotesWire", "NoteText", "NotesModel", "TextMerge", "Causality", "TestKit"]),
        .testTarget(
            name: "GuaranteeCheckerTests", dependencies: ["GuaranteeChecker", "TestKit"],
            path: "verification/guarantees/Tests/GuaranteeCheckerTests"),
        .testTarget(name: "SuggestionsTests", dependencies: ["Suggestions", "TestKit"]),
        .testTarget(name: "SystemdTests", dependencies: ["Systemd", "TestKit"]),
        .testTarget(name: "ConsoleTests", dependencies: ["Console", "TestKit"]),
        .testTarget(
            name: "NoteTasksTests",
            dependencies: [
                "NoteTasks", "NotesClient", "EditSession", "NotesMethods", "NotesWire", "StrictJSON", "NoteText", "NotesModel",
                "TextMerge",
                "Causality",
                "Replication", "Console", "TestKit", "ClientTestKit",
            ]),
        .testTarget(
            name: "EditorHostTests",
            dependencies: [
                "EditorHost", "EditSession", "SessionTestKit", "NotesClient", "NotesMethods", "NotesWire", "StrictJSON",
                "NoteText", "NotesModel",
                "TextMerge",
                "Causality",
                "TestKit",
            ]),
        .testTarget(
            name: "FolderSyncTests",
            dependencies: [
                "FolderSync", "NotesClient", "NotesSQL", "NotesMethods", "NotesWire", "StrictJSON", "NoteText", "NotesModel",
                "TextMerge",
                "Causality",
                "Console", "NoteTasks", "TestKit", "ClientTestKit",
            ]),
        .testTarget(
            name: "LanguageServerTests",
            dependencies: [
                "LanguageServer", "NotesWire", "StrictJSON", "NoteText", "NotesModel", "TextMerge", "Causality", "TestKit",
            ]),
        .testTarget(
            name: "AgentsTests",
            dependencies: [
                "Agents", "NotesClient", "NotesWire", "StrictJSON", "NoteText", "NotesModel", "TextMerge", "Causality",
                "Console",
                "NoteTasks", "TestKit", "ClientTestKit",
            ]),
        .testTarget(
            name: "BrowseTests",
            dependencies: [
                "Browse", "NotesClient", "NotesSearch", "EditSession", "NotesWire", "NoteText", "NotesModel", "TextMerge",
                "Causality",
                "Console", "NoteTasks", "TestKit", "ClientTestKit",
            ],
            exclude: ["Tables"]),
        .testTarget(
            name: "notesdTests",
            dependencies: [
                "notesd", "NotesServer", "TestKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(
            name: "NotesClientTests",
            dependencies: [
                "NotesClient", "NotesMethods", "NotesWire", "NoteText", "NotesModel", "Causality", "TestKit", "ClientTestKit",
            ]),
        .testTarget(
            name: "notesctlTests",
            dependencies: [
                "notesctl", "NotesClient", "NotesMethods", "NotesWire", "StrictJSON", "NoteText", "NotesModel", "TextMerge",
                "Causality", "Replication", "Console", "NoteTasks",
                "TestKit",
                "ClientTestKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Help", "Tables"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "NotesClient", "NotesSQL", "NotesMethods", "NotesWire", "StrictJSON", "NoteText", "NotesModel", "TextMerge",
                "Causality",
                "TestKit", "notesd",
                "notesctl", "Console", "NoteTasks", "FolderSync",
            ], resources: [.copy("Fixtures")]),
        .testTarget(
            name: "NotesPageTests",
            dependencies: [
                "NoteText", "NotesModel", "PageDevices", "NotesPage",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        .testTarget(name: "TidyTests"),
    ],
    swiftLanguageModes: [.v6]
)

let hasGateway = Context.environment["NOTESD_POSTGRES"] == "1"

// The page needs cmark-gfm, which the other programs do not. The Makefile leaves the page out where it is missing.
if Context.environment["NOTESD_PAGE"] == "no" {
    let page: Set = ["CMarkdown", "NotesPage", "notesd-web", "NotesPageTests"]
    package.targets.removeAll { page.contains($0.name) }
}

// `make run` needs the two programs and nothing else.
if Context.environment["NOTESD_BUILD"] == "programs" {
    let others: Set = [
        "GuaranteeChecker", "check-guarantees", "CMarkdown", "NotesPage", "notesd-web", "TestKit", "ClientTestKit",
        "StoreTestKit",
        "SessionTestKit",
    ]
    package.targets.removeAll { $0.isTest || others.contains($0.name) || $0.name == "Hub" && !hasGateway }
}

// The gateway to a PostgreSQL database needs libpq, which most machines lack.
if hasGateway {
    package.targets += [
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .executableTarget(
            name: "notesd-postgres",
            dependencies: [
                "Causality", "CPostgres", "NoteText", "NotesModel", "NotesWire", "Replication", "Hub",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ]
}

for target in package.targets where !["CSHA256", "CSQLite", "CPostgres", "CMarkdown"].contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}

// `notesctl` mostly sends one request and ends. With this feature, a nonisolated async function runs on the executor of its
// caller, so such a call starts no other thread.
let ofNotesctl: Set = [
    "NotesClient", "Console", "NoteTasks", "EditorHost", "PageDevices", "NotesPage", "FolderSync", "LanguageServer", "Agents",
    "Browse", "notesctl", "notesd-web",
]
for target in package.targets where ofNotesctl.contains(target.name) {
    target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
}
