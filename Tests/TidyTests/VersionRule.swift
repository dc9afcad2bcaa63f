/// Compares the version constant in the code with the newest heading of `CHANGELOG.md`.
enum VersionRule {
    static func findings(changelog: String, sources: [SwiftSource]) -> [Finding] {
        guard let newest = newest(in: changelog) else {
            return [Finding(path: "CHANGELOG.md", line: 0, message: "has no heading like `## 0.1.0`")]
        }
        let constants = sources.filter { !$0.isTest }.flatMap(constants)
        guard !constants.isEmpty else {
            return [Finding(path: "Sources", line: 0, message: "no constant says the version \(newest)")]
        }
        return constants.filter { $0.version != newest }.map { constant in
            Finding(
                path: constant.path, line: constant.line, message: "says \(constant.version), the changelog's newest is \(newest)"
            )
        }
    }

    /// The first heading that is a version; sections above it are unreleased.
    static func newest(in changelog: String) -> String? {
        changelog.split(separator: "\n").lazy.compactMap { line in
            line.firstMatch(of: /^## \[?([0-9]+\.[0-9]+\.[0-9]+)\b/).map { String($0.output.1) }
        }.first
    }

    /// String constants that are a version, assigned to something whose name ends in "version".
    static func constants(in source: SwiftSource) -> [(path: String, line: Int, version: String)] {
        source.tokens.indices.compactMap { index in
            let token = source.tokens[index]
            guard token.kind == .string, token.text.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil,
                let name = source.tokens[..<index].last(where: { $0.kind == .word && $0.text != "String" }),
                name.text.lowercased().hasSuffix("version")
            else { return nil }
            return (source.path, token.line, token.text)
        }
    }
}
