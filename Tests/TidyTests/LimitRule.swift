import Foundation

/// Compares the tables of a document with the constants that their rows name.
///
///     | title | 200 Unicode scalars | [`Title.scalarsMax`](../Sources/NoteText/Markdown/Title.swift) |
///
/// The second cell contains each number of the definition of the constant, except 1.
enum LimitRule {
    /// A constant that a row of a table names.
    struct Constant {
        /// Name with its type, such as `Title.scalarsMax`.
        let name: String
        /// Path of its file, relative to the repository's root.
        let path: String
        /// The numbers in the row's second cell.
        let numbers: Set<Int>
        /// Line of the document, from 1.
        let line: Int
    }

    static func findings(in document: Document, sources: [SwiftSource]) -> [Finding] {
        let byPath = Dictionary(uniqueKeysWithValues: sources.map { ($0.path, $0.text) })
        return constants(in: document).compactMap { constant in
            let words = constant.name.split(separator: ".").map(String.init)
            let definitions = numbers(of: words.last ?? "", in: byPath[constant.path] ?? "")
            func finding(_ message: String) -> Finding {
                Finding(path: document.path, line: constant.line, message: message)
            }
            guard !definitions.isEmpty, byPath[constant.path]?.contains(words[0]) ?? false else {
                return finding("names \(constant.name), which \(constant.path) does not define as a number")
            }
            guard !definitions.contains(where: { $0.isSubset(of: constant.numbers) }) else { return nil }
            let wanted = definitions.flatMap { $0.sorted() }.map(String.init).joined(separator: ", ")
            return finding("lacks the value of \(constant.name): \(wanted)")
        }
    }

    /// Finds constants of a file whose names end in "Max" and that the document does not name.
    static func unnamed(in document: Document, source: SwiftSource) -> [Finding] {
        let named = Set(constants(in: document).compactMap { $0.name.split(separator: ".").last.map(String.init) })
        let declared = source.text.matches(of: /\b(?:let|var) ([a-z][A-Za-z]*Max)\b/).map { String($0.output.1) }
        return Set(declared).subtracting(named).sorted().filter { !numbers(of: $0, in: source.text).isEmpty }.map { name in
            Finding(path: document.path, line: 0, message: "does not name \(name) of \(source.path)")
        }
    }

    /// The constants that link to a file below `Sources`, in rows of tables.
    static func constants(in document: Document) -> [Constant] {
        document.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
            let cells = line.split(separator: "|")
            guard line.hasPrefix("|"), cells.count > 1 else { return [Constant]() }
            return line.matches(of: /\[`([A-Za-z.]+)`\]\(\.\.\/(Sources\/[^()\s]+\.swift)\)/).map { match in
                Constant(
                    name: String(match.output.1), path: String(match.output.2), numbers: numbers(inProse: String(cells[1])),
                    line: index + 1)
            }
        }
    }

    /// The numbers of a cell: `1,024`, `64 KiB`, `256 MB` and `2^53`.
    private static func numbers(inProse text: String) -> Set<Int> {
        let units = ["KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "MB": 1_000_000]
        return Set(
            text.matches(of: /2\^([0-9]+)|([0-9][0-9,]*)(?: (KiB|MiB|GiB|MB))?/).compactMap { match in
                if let power = match.output.1.flatMap({ Int($0) }) { return 1 << power }
                let digits = match.output.2.map { $0.filter { $0 != "," } } ?? ""
                return Int(digits).map { $0 * (match.output.3.flatMap { units[String($0)] } ?? 1) }
            })
    }

    /// The numbers of each definition of a name in a file, except 1: literals, products and shifts. A
    /// definition ends before the next parameter, or at the end of its line.
    private static func numbers(of name: String, in text: String) -> [Set<Int>] {
        guard
            let definition = try? Regex(
                "\\b\(name)(?:[A-Za-z, ]*\\))?(?:: [^=\\n,()]+)? = ([^\\n]+)", as: (Substring, Substring).self)
        else { return [] }
        return text.matches(of: definition).map { match in
            var depth = 0
            let value = match.output.1.prefix { character in
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                return depth >= 0 && (depth > 0 || character != ",")
            }
            return Set(value.matches(of: /\b[0-9][0-9_]*(?: (?:<<|\*) [0-9][0-9_]*)*/).compactMap { result(of: $0.output) })
                .subtracting([1])
        }.filter { !$0.isEmpty }
    }

    /// The value of a product or a shift, from left to right.
    private static func result(of expression: Substring) -> Int? {
        let words = expression.split(separator: " ")
        let values = words.map { Int($0.filter { $0 != "_" }) }
        return stride(from: 1, to: words.count, by: 2).reduce(values[0]) { left, index in
            guard let left, let right = values[index + 1] else { return nil }
            return words[index] == "*" ? left * right : left << right
        }
    }
}
