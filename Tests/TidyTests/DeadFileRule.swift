/// Finds files that no target builds, and files with no code in them.
enum DeadFileRule {
    static func findings(in sources: [SwiftSource], manifest: Manifest) -> [Finding] {
        let folders = Set(manifest.targets.map(\.path) + ImportTable.apart.map { "verification/\($0)" })
        var findings = sources.compactMap { source -> Finding? in
            if !folders.contains(source.targetFolder) {
                return Finding(path: source.path, line: 0, message: "belongs to no target")
            }
            return isEmpty(source) ? Finding(path: source.path, line: 0, message: "declares nothing") : nil
        }
        let inhabited = Set(sources.map(\.targetFolder))
        findings += manifest.targets.filter { !inhabited.contains($0.path) && !ImportTable.inC.contains($0.name) }.map { target in
            Finding(path: target.path, line: 0, message: "the target \(target.name) has no file")
        }
        return findings
    }

    /// Whether a file contains only imports and comments, or a program that does nothing.
    private static func isEmpty(_ source: SwiftSource) -> Bool {
        let imports = Set(Import.all(in: source).map(\.line))
        let words = source.tokens.filter { !imports.contains($0.line) && !($0.text == "#" || $0.text == "endif") }.map(\.text)
        let idle = ["@", "main", "enum", "Main", "{", "static", "func", "main", "(", ")", "{", "}", "}"]
        return words.isEmpty || words == idle
    }
}
