import Causality
import TextMerge

/// The form of `ShownTexts` in the record of files: numbers of eight bytes, least significant first, and
/// versions as text after their length.
///
/// The number of the form comes first. The form before this one begins with a small number, the length of
/// a list, and its reader refuses this form, because no list is so long.
///
/// The newest text is whole. Each older one is the line edits that make it of the next newer one, since
/// texts of one file differ in few lines: 64 texts take little more space than one.
enum ShownTextsCodec {
    static let form: UInt64 = 0xFFFF_FFFF_0000_0002

    static func bytes(_ shown: ShownTexts) -> [UInt8] {
        var writer = Writer()
        writer.number(form)
        writer.number(UInt64(shown.firstNumber))
        writer.number(shown.isAnswerDue ? 1 : 0)
        writer.list(shown.putBack) { writer, line in
            writer.number(line.key.bits)
            writer.number(UInt64(line.value))
        }
        writer.list(shown.entries) { $0.head($1) }
        writer.lines(shown.text.lines)
        for index in shown.entries.indices.dropLast().reversed() {
            let (newer, older) = (shown.entries[index + 1].text.lines, shown.entries[index].text.lines)
            writer.list(LineHunks.between(newer, older)) { writer, hunk in
                writer.number(UInt64(hunk.old.lowerBound))
                writer.number(UInt64(hunk.old.upperBound))
                writer.lines(older[hunk.new])
            }
        }
        return writer.bytes
    }

    /// Nil for anything that `bytes` cannot have written, and for older forms.
    static func shown(_ bytes: [UInt8]) -> ShownTexts? {
        var reader = Reader(rest: bytes[...])
        guard reader.number() == form, let firstNumber = reader.int(), let isAnswerDue = reader.flag(),
            let putBack = reader.list({ reader -> (LineMarks.Line, Int)? in
                guard let line = reader.line(), let count = reader.int() else { return nil }
                return (line, count)
            }),
            let heads = reader.list({ $0.head() }), isList(heads, firstNumber),
            let texts = reader.texts(heads.count), reader.rest.isEmpty
        else { return nil }
        let entries = zip(heads, texts).map { head, text in
            ShownTexts.Entry(
                version: head.version, joined: head.joined, text: LineMarks(lines: text), kind: head.kind, time: head.time,
                isAnswer: head.isAnswer, base: head.base)
        }
        guard entries[0].kind != .noFile || texts[0].isEmpty else { return nil }
        return ShownTexts(
            entries: entries, firstNumber: firstNumber, putBack: Dictionary(putBack) { one, _ in one }, isAnswerDue: isAnswerDue)
    }

    /// Whether entries without their texts can be a list.
    private static func isList(_ heads: [Head], _ firstNumber: Int) -> Bool {
        (1...ShownTexts.textsMax).contains(heads.count) && !heads.dropFirst().contains { $0.kind == .noFile }
            && heads.enumerated().allSatisfy { index, head in
                guard let base = head.base else { return head.kind != .program || firstNumber + index == 0 }
                return head.kind == .program && base < firstNumber + index
            }
    }

    /// An entry without its text.
    private struct Head {
        let version: Version?
        let joined: Version?
        let kind: ShownTexts.Kind
        let time: Int64
        let isAnswer: Bool
        let base: Int?
    }

    private struct Writer {
        var bytes: [UInt8] = []

        mutating func number(_ number: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }

        /// No version has the length 0.
        mutating func version(_ version: Version?) {
            let text = Array((version?.description ?? "").utf8)
            number(UInt64(text.count))
            bytes += text
        }

        mutating func head(_ entry: ShownTexts.Entry) {
            version(entry.version)
            version(entry.joined)
            number(entry.kind.rawValue)
            number(UInt64(bitPattern: entry.time))
            number(entry.isAnswer ? 1 : 0)
            number(entry.base.map { UInt64($0) + 1 } ?? 0)
        }

        mutating func lines(_ lines: some Collection<LineMarks.Line>) {
            list(lines) { $0.number($1.bits) }
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

        /// A number with which sums cannot overflow.
        mutating func int() -> Int? { number().flatMap { $0 < 1 << 48 ? Int($0) : nil } }

        /// A time so near that differences of times cannot overflow.
        mutating func time() -> Int64? {
            number().map { Int64(bitPattern: $0) }.flatMap { $0.magnitude < 1 << 60 ? $0 : nil }
        }

        mutating func flag() -> Bool? { number().flatMap { $0 < 2 ? $0 == 1 : nil } }

        mutating func line() -> LineMarks.Line? { number().map { LineMarks.Line(bits: $0) } }

        mutating func version() -> Version?? {
            guard let count = number(), count <= rest.count else { return nil }
            if count == 0 { return .some(nil) }
            defer { rest = rest.dropFirst(Int(count)) }
            return Version(parsing: rest.prefix(Int(count))).map { .some($0) }
        }

        mutating func head() -> Head? {
            guard let version = self.version(), let joined = self.version(),
                let kind = number().flatMap(ShownTexts.Kind.init(rawValue:)), let time = self.time(), let isAnswer = flag(),
                let base = int()
            else { return nil }
            return Head(
                version: version, joined: joined, kind: kind, time: time, isAnswer: isAnswer,
                base: base == 0 ? nil : base - 1)
        }

        /// The texts of as many entries, oldest first. Edits can repeat lines of other texts, so the
        /// number of all lines is limited.
        mutating func texts(_ count: Int) -> [[LineMarks.Line]]? {
            guard var text = list({ $0.line() }) else { return nil }
            var (texts, remaining) = ([text], ShownTexts.linesMax)
            for _ in 1..<count {
                guard let older = edited(text), older.count <= remaining else { return nil }
                remaining -= older.count
                texts.append(older)
                text = older
            }
            return texts.reversed()
        }

        /// A text with the edits that come next; nil if these do not follow each other within the text.
        private mutating func edited(_ text: [LineMarks.Line]) -> [LineMarks.Line]? {
            var (result, position): ([LineMarks.Line], Int) = ([], 0)
            let edits = list { reader -> Bool? in
                guard let start = reader.int(), let end = reader.int(), position <= start, start <= end, end <= text.count,
                    let lines = reader.list({ $0.line() })
                else { return nil }
                result += text[position..<start] + lines
                position = end
                return true
            }
            return edits == nil ? nil : result + text[position...]
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
