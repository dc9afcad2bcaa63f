/// The modules that each target may import. This is the only definition: `docs/architecture.md`
/// shows it, and `Package.swift` must agree with it.
enum ImportTable {
    struct Row {
        let layer: Int
        let target: String
        /// Targets of this package.
        let own: [String]
        /// Modules of other packages. Each has the name of the product that contains it.
        var others: [String] = []
        /// Modules of the toolchain.
        var system: [String] = []
    }

    /// The C library of the system.
    private static let libc = ["Glibc"]

    /// Every target that is no test, from the lowest layer up. A row names only targets of lower
    /// layers.
    static let rows = [
        Row(layer: 0, target: "CSHA256", own: []),
        Row(layer: 0, target: "StrictJSON", own: []),
        Row(layer: 0, target: "Suggestions", own: []),
        Row(layer: 0, target: "GuaranteeChecker", own: [], others: ["Algorithms"], system: libc),
        Row(layer: 0, target: "Causality", own: [], others: ["Algorithms", "BitCollections"]),
        Row(layer: 0, target: "TextMerge", own: ["Causality"], others: ["Algorithms", "BitCollections"], system: libc),
        Row(layer: 0, target: "NoteText", own: ["Causality", "TextMerge"]),
        Row(layer: 0, target: "NotesMetrics", own: [], others: ["CoreMetrics"], system: ["Synchronization"]),
        Row(layer: 0, target: "CSQLite", own: []),
        Row(layer: 0, target: "CPostgres", own: []),
        Row(layer: 0, target: "CMarkdown", own: []),
        Row(layer: 1, target: "NotesSQL", own: ["CSQLite"], system: ["Synchronization"] + libc),
        Row(layer: 1, target: "NotesModel", own: ["Causality", "TextMerge", "NoteText", "CSHA256"]),
        Row(layer: 2, target: "NotesMethods", own: ["Causality", "TextMerge", "NoteText", "NotesModel"]),
        Row(
            layer: 3, target: "NotesWire",
            own: ["Causality", "TextMerge", "NoteText", "NotesModel", "NotesMethods", "StrictJSON"]),
        Row(
            layer: 2, target: "NotesSearch", own: ["Causality", "TextMerge", "NoteText", "NotesModel", "CSQLite", "NotesSQL"],
            others: ["BitCollections", "Logging"], system: libc),
        Row(
            layer: 2, target: "NotesStore", own: ["Causality", "TextMerge", "NoteText", "NotesModel", "CSQLite", "NotesSQL"],
            others: ["Algorithms", "Logging"], system: libc),
        Row(
            layer: 2, target: "Dependents", own: ["Causality", "TextMerge", "NoteText", "NotesModel"],
            others: ["Algorithms", "DequeModule"]),
        Row(
            layer: 3, target: "NotesEngine",
            own: [
                "Causality", "TextMerge", "NotesMetrics", "NoteText", "NotesModel", "NotesMethods", "NotesSearch", "NotesStore",
                "Dependents",
            ],
            others: ["Algorithms", "BitCollections", "CoreMetrics", "DequeModule", "HeapModule", "Logging"],
            system: ["Dispatch", "Synchronization"]),
        Row(
            layer: 4, target: "NotesServer",
            own: [
                "Causality", "TextMerge", "NotesMetrics", "NoteText", "NotesModel", "NotesMethods", "NotesWire", "Dependents",
                "NotesEngine",
            ],
            others: ["CoreMetrics", "NIOCore", "NIOPosix", "Logging"],
            system: ["Dispatch", "Synchronization"] + libc),
        Row(
            layer: 4, target: "NotesClient",
            own: ["Causality", "TextMerge", "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire"],
            others: ["NIOCore", "NIOPosix"], system: ["Synchronization"] + libc),
        Row(layer: 4, target: "EditSession", own: ["Causality", "TextMerge", "NoteText", "NotesModel", "NotesWire"]),
        Row(
            layer: 4, target: "Replication", own: ["Causality", "NoteText", "NotesModel", "NotesMethods", "NotesWire"],
            system: ["Synchronization"]),
        Row(layer: 4, target: "Hub", own: ["Causality", "NoteText", "NotesModel", "NotesMethods", "NotesWire"]),
        Row(layer: 4, target: "Systemd", own: [], system: libc),
        Row(layer: 4, target: "Console", own: [], system: ["Dispatch", "Synchronization"] + libc),
        Row(
            layer: 5, target: "NoteTasks",
            own: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire", "NotesClient",
                "EditSession",
                "Replication",
                "Console", "Suggestions",
            ],
            others: ["ArgumentParser"], system: ["Dispatch", "Synchronization"] + libc),
        Row(layer: 5, target: "PageDevices", own: ["NotesModel", "StrictJSON", "Console"], system: libc),
        Row(
            layer: 6, target: "FolderSync",
            own: [
                "Causality", "TextMerge", "NotesSQL", "NoteText", "NotesModel", "StrictJSON", "NotesWire", "NotesClient",
                "Console",
                "NoteTasks",
            ],
            system: ["Dispatch", "Synchronization"] + libc),
        Row(
            layer: 7, target: "LanguageServer",
            own: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire", "NotesClient",
                "Console",
                "NoteTasks", "FolderSync",
            ],
            system: ["Dispatch", "Synchronization"] + libc),
        Row(
            layer: 6, target: "Agents",
            own: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire", "NotesClient",
                "Console",
                "NoteTasks",
            ],
            system: libc),
        Row(
            layer: 6, target: "EditorHost",
            own: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire", "NotesClient",
                "EditSession",
                "Console",
                "NoteTasks",
            ],
            system: ["Dispatch", "Synchronization"] + libc),
        Row(
            layer: 7, target: "NotesPage",
            own: [
                "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire", "NotesClient", "Console", "EditorHost",
                "PageDevices",
                "CMarkdown",
            ],
            others: ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket"], system: ["Synchronization"] + libc),
        Row(
            layer: 6, target: "Browse",
            own: [
                "Causality", "TextMerge", "NotesSearch", "NoteText", "NotesModel", "NotesMethods", "NotesWire", "NotesClient",
                "EditSession",
                "Console",
                "NoteTasks",
            ],
            others: ["ArgumentParser"], system: ["Dispatch", "Synchronization"] + libc),
        Row(
            layer: 8, target: "notesd",
            own: [
                "Causality", "NotesMetrics", "NotesModel", "NotesSearch", "NotesStore", "NotesEngine", "NotesServer", "Systemd",
                "Suggestions",
            ],
            others: ["ArgumentParser", "TOMLKit", "Logging"],
            system: ["Dispatch", "Synchronization"] + libc),
        Row(
            layer: 8, target: "notesctl",
            own: [
                "Causality", "TextMerge", "NoteText", "NotesModel", "StrictJSON", "NotesMethods", "NotesWire", "NotesClient",
                "Replication",
                "Console",
                "NoteTasks", "EditorHost", "PageDevices", "FolderSync", "LanguageServer", "Agents", "Browse", "Suggestions",
            ],
            others: ["ArgumentParser"], system: ["Dispatch"] + libc),
        Row(
            layer: 8, target: "notesd-web",
            own: ["NotesModel", "NotesClient", "Console", "NoteTasks", "PageDevices", "NotesPage"],
            others: ["ArgumentParser"], system: ["Dispatch"] + libc),
        Row(
            layer: 8, target: "check-guarantees", own: ["GuaranteeChecker"],
            others: ["ArgumentParser"], system: libc + ["Foundation"]),
        Row(
            layer: 8, target: "notesd-postgres",
            own: ["Causality", "CPostgres", "NoteText", "NotesModel", "NotesWire", "Replication", "Hub"],
            others: ["ArgumentParser"],
            system: libc),
    ]

    /// Targets without Swift files.
    static let inC: Set = ["CSHA256", "CSQLite", "CPostgres", "CMarkdown"]

    /// What tests share.
    static let testKits = [
        Row(
            layer: 0, target: "TestKit", own: ["Causality", "TextMerge", "StrictJSON", "NoteText", "NotesModel"],
            system: libc + ["Foundation"]),
        Row(
            layer: 5, target: "SessionTestKit",
            own: ["Causality", "TextMerge", "NoteText", "NotesModel", "NotesWire", "EditSession", "TestKit"]),
        Row(layer: 2, target: "StoreTestKit", own: ["Causality", "TextMerge", "NoteText", "NotesModel", "NotesStore"]),
        Row(
            layer: 4, target: "ClientTestKit",
            own: ["Causality", "NoteText", "NotesModel", "NotesMethods", "NotesWire", "NotesClient", "TestKit"],
            others: ["NIOCore", "NIOPosix"], system: libc + ["Synchronization"]),
    ]

    /// A test target tests one target. It may import what that target may, and what every test may.
    struct TestRow {
        let target: String
        /// The target under test; nil for tests of the source tree.
        let subject: String?
        var own: [String] = []
        var others: [String] = []
        /// Executables that the tests start: built before them, never imported.
        var starts: [String] = []
    }

    static let testRows = [
        TestRow(target: "CausalityTests", subject: "Causality"),
        TestRow(target: "TextMergeTests", subject: "TextMerge"),
        TestRow(target: "NoteTextTests", subject: "NoteText"),
        TestRow(target: "NotesMetricsTests", subject: "NotesMetrics"),
        TestRow(target: "NotesModelTests", subject: "NotesModel"),
        TestRow(target: "StrictJSONTests", subject: "StrictJSON"),
        TestRow(target: "SuggestionsTests", subject: "Suggestions"),
        TestRow(target: "NotesWireTests", subject: "NotesWire"),
        TestRow(target: "NotesSQLTests", subject: "NotesSQL"),
        TestRow(target: "NotesSearchTests", subject: "NotesSearch"),
        TestRow(target: "NotesStoreTests", subject: "NotesStore", own: ["StoreTestKit"]),
        TestRow(target: "DependentsTests", subject: "Dependents"),
        TestRow(
            target: "NotesEngineTests", subject: "NotesEngine",
            own: ["CSQLite", "NotesSQL", "NotesMethods", "NotesWire", "Replication", "StoreTestKit"]),
        // The server's tests run it with an engine and a journal in memory.
        TestRow(
            target: "NotesServerTests", subject: "NotesServer", own: ["NotesStore", "StoreTestKit"], others: ["NIOEmbedded"]),
        TestRow(target: "NotesClientTests", subject: "NotesClient", own: ["ClientTestKit"]),
        TestRow(target: "notesctlTests", subject: "notesctl", own: ["ClientTestKit"]),
        TestRow(target: "EditSessionTests", subject: "EditSession", own: ["SessionTestKit"]),
        TestRow(target: "EditorHostTests", subject: "EditorHost", own: ["SessionTestKit"]),
        TestRow(target: "HubTests", subject: "Hub", own: ["TextMerge"]),
        TestRow(target: "GuaranteeCheckerTests", subject: "GuaranteeChecker"),
        TestRow(target: "SystemdTests", subject: "Systemd"),
        TestRow(target: "ConsoleTests", subject: "Console"),
        TestRow(target: "NoteTasksTests", subject: "NoteTasks", own: ["ClientTestKit"]),
        TestRow(target: "FolderSyncTests", subject: "FolderSync", own: ["NotesMethods", "ClientTestKit"]),
        TestRow(target: "NotesPageTests", subject: "NotesPage", own: ["PageDevices"]),
        TestRow(target: "LanguageServerTests", subject: "LanguageServer"),
        TestRow(target: "AgentsTests", subject: "Agents", own: ["ClientTestKit"]),
        TestRow(target: "BrowseTests", subject: "Browse", own: ["ClientTestKit"]),
        TestRow(target: "notesdTests", subject: "notesd"),
        TestRow(
            target: "EndToEndTests", subject: "NotesClient",
            own: ["NotesClient", "NotesSQL", "Console", "NoteTasks", "FolderSync", "notesctl"],
            starts: ["notesd"]),
        TestRow(target: "TidyTests", subject: nil),
    ]

    /// Modules that any test may import.
    static let everyTest = ["Testing", "TestKit", "Foundation", "Dispatch", "Synchronization"] + libc

    /// The folders of `verification` whose Swift files a script compiles together with the sources that they need. They belong to no
    /// target, and import nothing of ours.
    static let apart = ["fuzz", "mutation", "races"]
    private static let ofApart = ["races": ["Dispatch", "Synchronization"] as Set<String>]

    static func row(of target: String) -> Row? {
        (rows + testKits).first { $0.target == target }
    }

    static func testRow(of target: String) -> TestRow? {
        testRows.first { $0.target == target }
    }

    /// The modules that a file of this target may import; nil if no row names the target.
    static func allowed(in target: String) -> Set<String>? {
        if let row = row(of: target) { return Set(row.own + row.others + row.system) }
        if apart.contains(target) { return ofApart[target] ?? [] }
        guard let test = testRow(of: target) else { return nil }
        var allowed = Set(everyTest + test.own + test.others)
        if let subject = test.subject, let row = row(of: subject) {
            allowed.formUnion(row.own + row.others + row.system + [subject])
        }
        return allowed
    }

    /// The table in the form that `docs/architecture.md` shows: a line of code for each target.
    static var markdown: String {
        let lines = rows.map { row in
            let lists = [("", row.own), (" packages:", row.others), (" toolchain:", row.system)]
            let texts = lists.filter { !$0.1.isEmpty }.map { label, names in "\(label) \(names.joined(separator: " "))" }
            return "\(row.layer) \(row.target):\(texts.joined(separator: ";"))"
        }
        return (["```"] + lines + ["```"]).joined(separator: "\n")
    }
}
