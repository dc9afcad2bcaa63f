/// An `import`: its module and its line.
struct Import: Equatable {
    let module: String
    let line: Int

    private static let modifiers: Set = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]

    /// All imports of a file: plain ones, with an access level or attributes before them, and of
    /// single declarations.
    static func all(in source: SwiftSource) -> [Import] {
        source.places(of: "import").compactMap { index in
            guard isStatement(index, in: source) else { return nil }
            var next = index + 1
            if let kind = source.token(next), kinds.contains(kind.text), source.token(next + 1)?.kind == .word { next += 1 }
            guard let module = source.token(next), module.kind == .word else { return nil }
            return Import(module: module.text, line: source.tokens[index].line)
        }
    }

    /// Whether only an access level and attributes precede the `import` on its line.
    private static func isStatement(_ index: Int, in source: SwiftSource) -> Bool {
        let line = source.tokens[index].line
        return source.tokens[..<index].reversed().prefix { $0.line == line && $0.text != ";" }.allSatisfy { token in
            modifiers.contains(token.text) || token.text == "@" || attributes.contains(token.text)
        }
    }

    private static let attributes: Set = ["testable", "preconcurrency", "_exported", "_implementationOnly", "_spi"]
}

enum ImportRule {
    /// Imports that the table does not allow.
    static func findings(in source: SwiftSource) -> [Finding] {
        guard let allowed = ImportTable.allowed(in: source.target) else {
            return [Finding(path: source.path, line: 0, message: "no row of the import table names the target \(source.target)")]
        }
        return Import.all(in: source).filter { !allowed.contains($0.module) }.map { found in
            Finding(path: source.path, line: found.line, message: "\(source.target) may not import \(found.module)")
        }
    }
}
