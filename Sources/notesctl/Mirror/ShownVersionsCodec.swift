import Causality

/// The form of `ShownVersions` in the record of files: numbers of eight bytes, least significant first,
/// and versions as text after their length.
enum ShownVersionsCodec {
    static func bytes(_ shown: ShownVersions) -> [UInt8] {
        var writer = Writer()
        writer.list(shown.levels) { writer, level in
            writer.version(level.version)
            writer.list(level.telling) { $0.number($1.bits) }
            writer.list(level.own) { $0.number($1.bits) }
        }
        writer.list(shown.written.lines) { $0.number($1.bits) }
        writer.list(shown.showings) { writer, showing in
            writer.version(showing.version)
            writer.number(UInt64(bitPattern: showing.time))
            writer.number(showing.isAnswer ? 1 : 0)
            writer.list(showing.text.lines) { $0.number($1.bits) }
        }
        writer.list(shown.putBack) { writer, line in
            writer.number(line.key.bits)
            writer.number(UInt64(line.value))
        }
        writer.number(shown.isAnswerDue ? 1 : 0)
        return writer.bytes
    }

    /// Nil for anything that `bytes` cannot have written.
    static func shown(_ bytes: [UInt8]) -> ShownVersions? {
        var reader = Reader(rest: bytes[...])
        guard
            let levels = reader.list({ reader -> ShownVersions.Level? in
                guard let version = reader.version(), let telling = reader.lines(), let own = reader.lines() else { return nil }
                return ShownVersions.Level(version: version, telling: Set(telling), own: Set(own))
            }), !levels.isEmpty, let written = reader.lines(),
            let showings = reader.list({ reader -> ShownVersions.Showing? in
                guard let version = reader.version(), let time = reader.number(), let isAnswer = reader.number(),
                    let lines = reader.lines()
                else { return nil }
                return ShownVersions.Showing(
                    version: version, text: LineMarks(lines: lines), time: Int64(bitPattern: time), isAnswer: isAnswer == 1)
            }),
            let putBack = reader.list({ reader -> (LineMarks.Line, Int)? in
                guard let bits = reader.number(), let count = reader.number() else { return nil }
                return (LineMarks.Line(bits: bits), Int(clamping: count))
            }), let isAnswerDue = reader.number(), reader.rest.isEmpty
        else { return nil }
        return ShownVersions(
            levels: levels, written: LineMarks(lines: written), showings: showings,
            putBack: Dictionary(putBack) { one, _ in one }, isAnswerDue: isAnswerDue == 1)
    }

    private struct Writer {
        var bytes: [UInt8] = []

        mutating func number(_ number: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }

        mutating func version(_ version: Version) {
            let text = Array(version.description.utf8)
            number(UInt64(text.count))
            bytes += text
        }

        mutating func list<Elements: Collection>(_ elements: Elements, _ write: (inout Writer, Elements.Element) -> Void) {
            number(UInt64(elements.count))
            for element in elements { write(&self, element) }
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func number() -> UInt64? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }

        mutating func version() -> Version? {
            guard let count = number(), count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return Version(parsing: rest.prefix(Int(count)))
        }

        mutating func lines() -> [LineMarks.Line]? {
            list { reader in reader.number().map { LineMarks.Line(bits: $0) } }
        }

        mutating func list<Element>(_ read: (inout Reader) -> Element?) -> [Element]? {
            // Each element has at least eight bytes.
            guard let count = number(), count <= rest.count / 8 else { return nil }
            var elements: [Element] = []
            for _ in 0..<count {
                guard let element = read(&self) else { return nil }
                elements.append(element)
            }
            return elements
        }
    }
}
