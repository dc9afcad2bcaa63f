import NoteText
import NotesModel
import NotesWire
import StrictJSON
import TextMerge

/// The unit in which an editor states places in a text.
///
/// A place is the number of code units before it. With lines, it is the number of a line and the number
/// of code units before it in that line, both from 0.
struct EditorPositions: Hashable, Sendable {
    let encoding: PositionEncoding
    let hasLines: Bool

    static let inBytes = EditorPositions(encoding: .utf8, hasLines: false)

    /// Reads `attach.hello`'s `positions`.
    init(reading value: JSONValue) throws(ParamFault) {
        let word = try Param.string(value).description
        let hasLines = word.hasSuffix(Self.suffix)
        guard let encoding = PositionEncoding(rawValue: hasLines ? String(word.dropLast(Self.suffix.count)) : word) else {
            let words = PositionEncoding.allCases.map(\.rawValue).joined(separator: ", ")
            throw ParamFault(path: "", reason: "must be one of \(words), each alone or followed by \" lines\"")
        }
        (self.encoding, self.hasLines) = (encoding, hasLines)
    }

    init(encoding: PositionEncoding, hasLines: Bool) {
        (self.encoding, self.hasLines) = (encoding, hasLines)
    }

    private static let suffix = " lines"

    /// The number of code units of a text.
    func count(_ text: some Collection<UInt8>) -> Int {
        switch encoding {
        case .utf8: text.count
        case .utf16: text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) + ($1 >= 0xF0 ? 1 : 0) }
        case .utf32: text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
        }
    }

    // MARK: From the editor

    /// The places in a text as the editor stated them, which have to ascend, in bytes.
    func bytes(of places: [EditorPlace], in text: [UInt8]) throws(ParamFault) -> [Int] {
        let lines = hasLines ? Lines(text) : nil
        var units: [PositionedEdit] = []
        var starts: [Int] = []
        for (index, place) in places.enumerated() {
            switch (place, lines) {
            case (.unit(let unit), nil):
                units.append(PositionedEdit(start: unit, end: unit, text: []))
                starts.append(0)
            case (.line(let line, let column), let lines?):
                guard line < Self.count(of: lines, in: text) else {
                    throw ParamFault(path: "[\(index)]", reason: "is in line \(line), which the text does not have")
                }
                let start = line < lines.count ? lines.bounds[line] : text.count
                var end = line + 1 < lines.bounds.count ? lines.bounds[line + 1] : text.count
                if end > start, text[end - 1] == newline { end -= 1 }
                let offset = try Self.offset(column, in: text[start..<end], encoding, index)
                starts.append(start + offset)
            default:
                throw ParamFault(path: "[\(index)]", reason: "is not a position in the unit that attach.hello names")
            }
        }
        guard lines == nil else { return starts }
        do {
            return try Positions.bytes(of: units, in: text, encoding: encoding).map(\.start)
        } catch {
            throw ParamFault(path: "[\(error.index)]", reason: Self.reason(error.fault))
        }
    }

    private var newline: UInt8 { UInt8(ascii: "\n") }

    /// The lines of a text, and the empty one after a final line feed.
    private static func count(of lines: Lines, in text: [UInt8]) -> Int {
        text.last.map { $0 == UInt8(ascii: "\n") } ?? true ? lines.count + 1 : lines.count
    }

    private static func offset(
        _ column: Int, in line: ArraySlice<UInt8>, _ encoding: PositionEncoding, _ index: Int
    ) throws(ParamFault) -> Int {
        do {
            let edit = PositionedEdit(start: column, end: column, text: [])
            return try Positions.bytes(of: [edit], in: Array(line), encoding: encoding)[0].start
        } catch {
            throw ParamFault(path: "[\(index)]", reason: reason(error.fault))
        }
    }

    private static func reason(_ fault: InvalidEdit.Fault) -> String {
        switch fault {
        case .startAfterEnd, .overlapsPrevious: "is before the position that precedes it"
        case .negative: "is negative; positions count from 0"
        case .pastEnd(let length): "is past the end of the text, or of its line, which has \(length)"
        case .insideCharacter(let offset): "is inside the character at \(offset)"
        }
    }

    // MARK: To the editor

    /// Writes byte offsets of a text, which have to ascend, as positions of the editor.
    func places(ofBytes offsets: [Int], in text: [UInt8]) -> [EditorPlace] {
        guard hasLines else {
            let edits = offsets.map { Edit(start: $0, end: $0, replacement: []) }
            return Positions.stated(edits, in: text, encoding: encoding).map { .unit($0.start) }
        }
        var (line, start, next) = (0, 0, 0)
        return offsets.map { offset in
            while next < offset {
                if text[next] == newline { (line, start) = (line + 1, next + 1) }
                next += 1
            }
            return .line(line, column: count(text[start..<offset]))
        }
    }
}

/// A place in a text, in the unit of an editor.
enum EditorPlace: Hashable, Sendable {
    case unit(Int)
    case line(Int, column: Int)

    init(reading value: JSONValue) throws(ParamFault) {
        guard value.kind == .array else {
            self = .unit(try Param.offset(value))
            return
        }
        let numbers = try Param.array(Param.offset)(value)
        guard numbers.count == 2 else { throw ParamFault(path: "", reason: "must be a line and a column") }
        self = .line(numbers[0], column: numbers[1])
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .unit(let unit): writer.integer(unit)
        case .line(let line, let column):
            writer.array { pair in
                pair.integer(line)
                pair.integer(column)
            }
        }
    }
}
