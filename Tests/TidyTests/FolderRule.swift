/// Finds circles among the folders of a target. The folders are layers: a reader can read a lower one without the others.
///
/// A folder points at another one of its target if a file in it names a type that the other declares outside all types and
/// that is not private. The files directly in the target's folder count as one more folder. A name after a dot counts for
/// what stands before the dot, and a name that the folder itself declares, also within a type, means that type.
struct FolderRule {
    /// For each folder, the names of the types for which it points at each other folder.
    private(set) var arrows: [String: [String: Set<String>]] = [:]

    private static let keywords = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    private static let modifiers: Set = [
        "public", "package", "internal", "fileprivate", "private", "final", "indirect", "open", "nonisolated",
    ]

    /// - Parameter sources: files of one target.
    init(sources: [SwiftSource]) {
        // The folders that declare a type for others, and the names that each folder keeps to itself.
        var declared: [String: Set<String>] = [:]
        var own: [String: Set<String>] = [:]
        for source in sources {
            let folder = Self.folder(of: source)
            for (name, isForOthers) in Self.types(in: source) {
                if isForOthers { declared[name, default: []].insert(folder) } else { own[folder, default: []].insert(name) }
            }
        }
        for source in sources {
            let folder = Self.folder(of: source)
            for name in Self.names(in: source).subtracting(own[folder] ?? []) {
                for other in declared[name] ?? [] where other != folder {
                    arrows[folder, default: [:]][other, default: []].insert(name)
                }
            }
        }
    }

    static func findings(in sources: [SwiftSource]) -> [Finding] {
        let targets = Dictionary(grouping: sources.filter { !$0.isTest }, by: \.targetFolder)
        return targets.sorted { $0.key < $1.key }.flatMap { path, sources in
            let rule = FolderRule(sources: sources)
            return rule.circles().map { Finding(path: path, line: 0, message: rule.message(about: $0)) }
        }
    }

    /// The groups of folders in which each folder leads to each other one.
    private func circles() -> [[String]] {
        let reached = arrows.keys.reduce(into: [:]) { $0[$1] = folders(from: $1) }
        var circles: [[String]] = []
        for folder in arrows.keys.sorted() where reached[folder]?.contains(folder) == true {
            guard !circles.contains(where: { $0.contains(folder) }) else { continue }
            circles.append((reached[folder] ?? []).filter { reached[$0]?.contains(folder) == true }.sorted())
        }
        return circles
    }

    /// The folders to which the arrows from a folder lead, directly or through others.
    private func folders(from start: String) -> Set<String> {
        var found: Set<String> = []
        var rest = [start]
        while let folder = rest.popLast() {
            for next in (arrows[folder] ?? [:]).keys where found.insert(next).inserted { rest.append(next) }
        }
        return found
    }

    /// Names the folders of a circle, and its arrow with the fewest names, which is probably the wrong one.
    private func message(about circle: [String]) -> String {
        let inner = circle.flatMap { folder in
            (arrows[folder] ?? [:]).filter { circle.contains($0.key) }.map {
                (from: folder, to: $0.key, names: $0.value.sorted())
            }
        }
        let weakest = inner.min { ($0.names.count, $0.from, $0.to) < ($1.names.count, $1.from, $1.to) }
        let reason = weakest.map { "; \($0.from) points at \($0.to) by naming \($0.names.joined(separator: ", "))" } ?? ""
        return "the folders \(circle.joined(separator: ", ")) form a circle\(reason)"
    }

    /// The folder below the target's, or the target itself.
    private static func folder(of source: SwiftSource) -> String {
        let parts = source.path.split(separator: "/")
        return String(parts.count > 3 ? parts[2] : parts[1])
    }

    /// The types that a file declares, and whether other files of the target can name them without a type before them.
    private static func types(in source: SwiftSource) -> [(name: String, isForOthers: Bool)] {
        var depths: [Int] = []
        var depth = 0
        for token in source.tokens {
            if token.kind == .mark, token.text == "}" { depth -= 1 }
            depths.append(depth)
            if token.kind == .mark, token.text == "{" { depth += 1 }
        }
        return keywords.flatMap { source.places(of: $0) }.compactMap { place in
            guard let name = source.token(place + 1), isType(name), source.token(place - 1)?.text != "import" else { return nil }
            let before = source.tokens[..<place].reversed().prefix { modifiers.contains($0.text) }.map(\.text)
            return (name.text, depths[place] == 0 && !before.contains("private") && !before.contains("fileprivate"))
        }
    }

    /// The names of types in a file, without those after a dot.
    private static func names(in source: SwiftSource) -> Set<String> {
        Set(
            source.tokens.indices.filter { isType(source.tokens[$0]) && source.token($0 - 1)?.text != "." }
                .map { source.tokens[$0].text })
    }

    private static func isType(_ token: Token) -> Bool {
        token.kind == .word && token.text.first.map { $0.isASCII && $0.isUppercase } == true
    }
}
