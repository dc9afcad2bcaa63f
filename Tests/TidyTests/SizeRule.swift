/// Limits the length of files and functions. A file that a script writes may have any length.
enum SizeRule {
    static let fileLinesMax = 400
    static let functionLinesMax = 70

    static func findings(in source: SwiftSource) -> [Finding] {
        var findings = functions(in: source).filter { $0.lines > functionLinesMax }.map { function in
            Finding(path: source.path, line: function.line, message: "\(function.name) has \(function.lines) lines")
        }
        if source.lineCount > fileLinesMax, !isWritten(source) {
            findings.append(Finding(path: source.path, line: 0, message: "has \(source.lineCount) lines"))
        }
        return findings
    }

    /// Whether the first lines name the script that writes the file.
    private static func isWritten(_ source: SwiftSource) -> Bool {
        source.text.split(separator: "\n").prefix(5).contains { $0.hasPrefix("/// Written by `scripts/") }
    }

    struct Function: Equatable {
        let name: String
        let line: Int
        /// Lines from the opening brace to the closing one, inclusive.
        let lines: Int
        /// The indices of the body's tokens, with both braces.
        let body: ClosedRange<Int>
    }

    /// Functions, initialisers, subscripts and computed properties that have a body.
    static func functions(in source: SwiftSource) -> [Function] {
        ["func", "init", "subscript", "deinit", "var"].flatMap(source.places).sorted().compactMap { index in
            guard let name = name(at: index, in: source), let open = body(after: index, in: source),
                let close = closing(open, in: source)
            else { return nil }
            let (first, last) = (source.tokens[open].line, source.tokens[close].line)
            return Function(name: name, line: source.tokens[index].line, lines: last - first + 1, body: open...close)
        }
    }

    private static func name(at index: Int, in source: SwiftSource) -> String? {
        let token = source.tokens[index]
        guard source.token(index - 1)?.text != ".", let next = source.token(index + 1) else { return nil }
        switch token.text {
        case "func", "var": return next.text
        case "init" where "(?!<".contains(next.text), "subscript" where "(<".contains(next.text): return token.text
        case "deinit": return token.text
        default: return nil
        }
    }

    /// The index of the brace that opens the body; nil if there is none, as in a protocol. The
    /// search ends at the next declaration.
    private static func body(after start: Int, in source: SwiftSource) -> Int? {
        var depth = 0
        for index in (start + 1)..<source.tokens.count {
            let token = source.tokens[index]
            if token.kind == .mark, "([".contains(token.text) { depth += 1 }
            if token.kind == .mark, ")]".contains(token.text) { depth -= 1 }
            guard depth == 0 else {
                if depth < 0 { return nil }
                continue
            }
            if token.kind == .mark, token.text == "{" { return index }
            let isVariable = source.tokens[start].text == "var"
            if isVariable, token.line != source.tokens[start].line { return nil }
            if token.kind == .mark, token.text == "}" || token.text == "@" && token.line != source.tokens[start].line {
                return nil
            }
            if index > start + 1, token.kind == .word, declarations.contains(token.text) { return nil }
        }
        return nil
    }

    private static let declarations: Set = [
        "func", "var", "let", "init", "deinit", "subscript", "case", "struct", "class", "enum", "extension", "typealias",
        "static",
        "mutating", "package", "private", "fileprivate", "associatedtype",
    ]

    private static func closing(_ open: Int, in source: SwiftSource) -> Int? {
        var depth = 0
        for index in open..<source.tokens.count where source.tokens[index].kind == .mark {
            if source.tokens[index].text == "{" { depth += 1 }
            if source.tokens[index].text == "}" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
