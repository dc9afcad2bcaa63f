/// Finds targets, types and members that a document or a comment names in backticks, such as `Walk`,
/// `WorkingCopy.apply` or `WorkingCopy.apply(_:)`, and that no source declares.
///
/// The first name must be a target, a folder, a file or a declared name. A member of a type that the
/// sources declare must be declared in a file that declares or extends the type. Names of files, and
/// words that begin with a small letter or consist of capitals, are not checked.
struct NamedTypeRule {
    struct Exception {
        let names: Set<String>
        /// Why others declare the names.
        let reason: String
    }

    static let exceptions = [
        Exception(
            names: [
                "AsyncSequence", "CancellationError", "Double", "Float", "JSONDecoder", "Mutex", "Process", "String", "Task",
                "UInt32", "UInt64",
            ],
            reason: "Swift and Foundation declare them"),
        Exception(names: ["AcceptBackoffHandler"], reason: "SwiftNIO declares it"),
        Exception(names: ["ValidationError"], reason: "ArgumentParser declares it"),
        Exception(names: ["Logger", "MetricsFactory"], reason: "swift-log and swift-metrics declare them"),
        Exception(names: ["NonisolatedNonsendingByDefault"], reason: "it is a feature of the compiler"),
        Exception(names: ["InsertLeave", "TextChanged"], reason: "they are events of Neovim"),
        Exception(
            names: ["NotesdBackupOld", "NotesdCannotWrite", "NotesdDiskNearlyFull", "NotesdDown", "NotesdMetricsOld"],
            reason: "they are alerts of notesd.rules.yml"),
        Exception(
            names: ["ClientA", "ClientB", "ClientC", "Flow", "Telling", "Writers"],
            reason: "they are processes of the models in verification/models"),
        Exception(
            names: ["At", "Enter", "Fl", "Nd", "Tab"],
            reason: "they are a part of names, keys and macros of mdoc"),
    ]

    /// The changelog, which describes the past.
    static let documentsWithOldNames: Set = ["CHANGELOG.md"]

    private static let fileEndings: Set = [
        "c", "el", "h", "json", "lua", "md", "pml", "py", "service", "socket", "svg", "swift", "toml", "txt", "yml",
    ]

    /// Targets, folders, files, and declared or extended names.
    private var known: Set<String> = ["Self"]
    /// The names that the files of each declared type declare.
    private var members: [String: Set<String>] = [:]

    /// - Complexity: linear in the size of the sources.
    init(sources: [SwiftSource]) {
        var types: Set<String> = []
        for source in sources {
            let declared = Self.declared(in: source)
            known.formUnion(declared)
            for folder in source.path.split(separator: "/") {
                known.formUnion(folder.replacing(".swift", with: "").split(separator: "+").map(String.init))
            }
            for keyword in ["struct", "class", "enum", "actor", "protocol", "extension", "typealias"] {
                for place in source.places(of: keyword) {
                    for name in Self.path(at: place + 1, in: source) {
                        known.insert(name)
                        members[name, default: ["allCases", "init", "rawValue", "self"]].formUnion(declared)
                        if keyword != "extension" { types.insert(name) }
                    }
                }
            }
        }
        members = members.filter { types.contains($0.key) }
    }

    /// The violations in lines of text; `used` receives the exceptions that the lines need.
    func findings(in path: String, _ lines: [(number: Int, text: String)], used: inout Set<String>) -> [Finding] {
        guard !Self.documentsWithOldNames.contains(path) else { return [] }
        var findings: [Finding] = []
        for (number, text) in lines where text.utf8.contains(UInt8(ascii: "`")) {
            for match in text.matches(of: /`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*(?:\.[A-Za-z][A-Za-z0-9]*)*)(?:\([^`]*\))?`/) {
                let names = match.output.1.split(separator: ".").map(String.init)
                guard !Self.fileEndings.contains(names.last ?? ""), !isDeclared(names) else { continue }
                if Self.exceptions.contains(where: { $0.names.contains(names[0]) }) {
                    used.insert(names[0])
                } else {
                    findings.append(
                        Finding(path: path, line: number, message: "names \(match.output.1), which is not in the code"))
                }
            }
        }
        return findings
    }

    /// The exceptions that no text needs.
    static func unused(_ used: Set<String>) -> [Finding] {
        exceptions.reduce(into: Set<String>()) { $0.formUnion($1.names) }.subtracting(used).sorted().map { name in
            Finding(path: "Tests/TidyTests/NamedTypeRule.swift", line: 0, message: "needs no exception for \(name)")
        }
    }

    private func isDeclared(_ names: [String]) -> Bool {
        guard known.contains(names[0]) else { return false }
        return zip(names, names.dropFirst()).allSatisfy { type, member in members[type]?.contains(member) ?? true }
    }

    /// The names that a file declares or imports, including those of a tuple.
    private static func declared(in source: SwiftSource) -> Set<String> {
        var names = Set(DeadDeclarationRule.declarations(in: source).map { source.tokens[$0].text })
        for place in source.places(of: "import") { names.formUnion(path(at: place + 1, in: source)) }
        for place in (source.places(of: "let") + source.places(of: "var")) where source.token(place + 1)?.text == "(" {
            var index = place + 2
            while let token = source.token(index), token.text != ")" {
                if token.kind == .word { names.insert(token.text) }
                index += 1
            }
        }
        return names
    }

    /// The words of `A.B.C` at an index.
    private static func path(at start: Int, in source: SwiftSource) -> [String] {
        var names: [String] = []
        var index = start
        while let token = source.token(index), token.kind == .word {
            names.append(token.text)
            guard source.token(index + 1)?.text == ".", source.token(index + 1)?.isSpaced == false else { break }
            index += 2
        }
        return names
    }
}
