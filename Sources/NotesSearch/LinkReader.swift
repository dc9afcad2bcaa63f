import NoteText
import NotesModel
import NotesSQL

/// Answers queries about links from the index, in bounded steps.
struct LinkReader {
    /// The number of links that one request for those to a note examines.
    static let linksMax = 10_000
    /// The number of links that one request for missing targets examines. Each link needs several lookups,
    /// and other searches wait.
    static let missingLinksMax = 2_000
    /// The number of notes that one request examines as possible meanings, before it ends its page.
    static let workMax = 200_000
    /// The size of the texts that one request reads for snippets, and of the parts that it searches for
    /// positions, before it ends its page, in bytes.
    static let textBytesMax = 16 << 20
    /// The size of the rows that one request for missing targets reads before it ends its page, in bytes.
    static let rowBytesMax = 8 << 20
    /// The number of notes that a resolved target lists.
    static let candidatesMax = 5
    /// The size of a snippet, in bytes.
    static let snippetMax = 250

    private let database: Database
    private let rowBytesMax: Int
    private var labels: IndexedLabels
    private var meanings: [MeaningKey: LinkedNote?] = [:]
    private var folders: [NoteID: ByteString] = [:]

    private struct MeaningKey: Hashable {
        let target: LinkTarget
        let folder: ByteString
    }

    init(_ database: Database, rowBytesMax: Int = LinkReader.rowBytesMax) {
        self.database = database
        self.rowBytesMax = rowBytesMax
        labels = IndexedLabels(database)
    }

    /// Answers a query.
    mutating func answer(_ query: LinkQuery) throws(SQLFault) -> LinkFindings {
        switch query {
        case .resolve(let query): .resolved(try resolve(query.targets, query.kind, from: query.from))
        case .incoming(let list): try incoming(to: list.id, limit: list.limit, after: list.after)
        case .missing(let list): try missing(limit: list.limit, after: list.after)
        }
    }

    // MARK: - Meanings

    /// The notes that targets can mean: of all targets, or of the first ones if these alone have as many
    /// possible meanings as a request examines. At least one target is resolved.
    private mutating func resolve(
        _ targets: [LinkTarget], _ kind: NoteKind?, from source: NoteID?
    ) throws(SQLFault) -> [LinkFindings.Resolved] {
        let folder = try source.map { id throws(SQLFault) in try self.folder(of: id) } ?? ByteString(validUTF8: [])
        var resolved: [LinkFindings.Resolved] = []
        var known: [LinkTarget: LinkFindings.Resolved] = [:]
        for target in targets {
            if let known = known[target] {
                resolved.append(known)
                continue
            }
            if !resolved.isEmpty, labels.work > Self.workMax { break }
            let candidates =
                target.text.isEmpty
                ? source.map { [LinkedNote(id: $0, name: nil)] } ?? []
                : try target.candidates(in: folder, among: &labels, of: kind)
            var notes: [(id: NoteID, commit: UInt64)] = []
            for note in candidates.prefix(Self.candidatesMax) {
                let number = try database.first("SELECT number FROM doc WHERE note = ?", .blob(note.id.bytes)) { $0.number(0) }
                if let number { notes.append((note.id, SearchNumber(rawValue: number).commit)) }
            }
            let answer = LinkFindings.Resolved(notes: notes, more: max(0, candidates.count - Self.candidatesMax))
            known[target] = answer
            resolved.append(answer)
        }
        return resolved
    }

    private mutating func meaning(of target: LinkTarget, in folder: ByteString) throws(SQLFault) -> LinkedNote? {
        let key = MeaningKey(target: target, folder: folder)
        if let known = meanings[key] { return known }
        let meaning = try target.meaning(in: folder, among: &labels)
        meanings[key] = .some(meaning)
        return meaning
    }

    private mutating func folder(of id: NoteID) throws(SQLFault) -> ByteString {
        if let known = folders[id] { return known }
        let name = try database.first("SELECT name FROM doc WHERE note = ?", .blob(id.bytes)) { $0.blob(0) } ?? []
        let folder = LinkPath.folder(of: try ByteString(indexed: name))
        folders[id] = folder
        return folder
    }

    // MARK: - Links to a note

    /// A row of `link`.
    private struct Row {
        let place: LinkPosition
        let target: LinkTarget
        let range: Range<Int>
        let fragment: ByteString?

        static let columns = "note, number, kind, start, end, target, before, fragment"

        init(_ row: SQLRow) throws(SQLFault) {
            guard let note = NoteID(bytes: row.blob(0)),
                let kind = Link.Kind(rawValue: UInt8(truncatingIfNeeded: row.integer(2))),
                0 <= row.integer(3), row.integer(3) <= row.integer(4)
            else { throw .malformed("a link has no note, kind or range") }
            place = LinkPosition(note: note, number: Int(row.integer(1)))
            target = LinkTarget(
                kind: kind, text: try ByteString(indexed: row.blob(5)),
                beforeQuery: try row.optionalBlob(6).map { text throws(SQLFault) in try ByteString(indexed: text) })
            range = Int(row.integer(3))..<Int(row.integer(4))
            fragment = try row.optionalBlob(7).map { text throws(SQLFault) in try ByteString(indexed: text) }
        }

        /// The size of the texts in bytes.
        var bytes: Int { target.text.utf8.count + (target.beforeQuery?.utf8.count ?? 0) + (fragment?.utf8.count ?? 0) }
    }

    /// Whether the first position comes before the second: newest note first, then by number.
    private static func precedes(_ left: LinkPosition, _ right: LinkPosition) -> Bool {
        left.note == right.note ? left.number < right.number : left.note > right.note
    }

    private mutating func incoming(
        to id: NoteID, limit: Int, after: LinkPosition?
    ) throws(SQLFault) -> LinkFindings {
        guard let keys = try keys(of: id) else { return .incoming([], next: nil) }
        // Each list of rows may be cut; only rows up to the end of the shortest cut list are complete.
        let rowsMax = max(1, Self.linksMax / (2 * keys.count))
        var rows: [LinkPosition: Row] = [:]
        var end: LinkPosition?
        for key in keys {
            for column in ["key", "short_key"] {
                let found = try self.rows(
                    column, key, after: after, limit: rowsMax, bytesMax: rowBytesMax / (2 * keys.count))
                for row in found.rows { rows[row.place] = row }
                if found.isCut, let last = found.rows.last?.place, end.map({ Self.precedes(last, $0) }) ?? true { end = last }
            }
        }
        let ordered = rows.values.sorted { Self.precedes($0.place, $1.place) }
        return try examine(ordered, upTo: end, to: id, limit: limit)
    }

    /// The first rows of links with a key, at least one if there is any, and whether there may be more.
    private func rows(
        _ column: String, _ key: ByteString, after: LinkPosition?, limit: Int, bytesMax: Int
    ) throws(SQLFault) -> (rows: [Row], isCut: Bool) {
        var rows: [Row] = []
        var bytes = 0
        let visit = { (row: SQLRow) throws(SQLFault) -> Bool in
            let read = try Row(row)
            rows.append(read)
            bytes += read.bytes
            return bytes <= bytesMax
        }
        if let after {
            try database.each(
                "SELECT \(Row.columns) FROM link WHERE \(column) = ? AND note = ? AND number > ? ORDER BY number LIMIT ?",
                .blob(key.utf8), .blob(after.note.bytes), .number(after.number), .number(limit), visit: visit)
            if rows.count < limit, bytes <= bytesMax {
                try database.each(
                    "SELECT \(Row.columns) FROM link WHERE \(column) = ? AND note < ? ORDER BY note DESC, number LIMIT ?",
                    .blob(key.utf8), .blob(after.note.bytes), .number(limit - rows.count), visit: visit)
            }
        } else {
            try database.each(
                "SELECT \(Row.columns) FROM link WHERE \(column) = ? ORDER BY note DESC, number LIMIT ?", .blob(key.utf8),
                .number(limit), visit: visit)
        }
        return (rows, rows.count == limit || bytes > bytesMax)
    }

    /// The notes with a link whose meaning is that of a wiki target at the root. Examines at most about
    /// `linksMax` links, those in the newest notes.
    mutating func notes(linkingTo part: SearchExpression.LinkPart) throws(SQLFault) -> LinkedRows {
        let target = LinkTarget(kind: .wiki, decoded: part.target)
        guard let id = try meaning(of: target, in: ByteString(validUTF8: []))?.id, let keys = try keys(of: id) else {
            return LinkedRows(numbers: [], isRequired: part.isRequired, isCut: false)
        }
        var sources: Set<NoteID> = []
        var isCut = false
        for key in keys {
            for column in ["key", "short_key"] {
                let found = try rows(
                    column, key, after: nil, limit: max(1, Self.linksMax / (2 * keys.count)),
                    bytesMax: rowBytesMax / (2 * keys.count))
                isCut = isCut || found.isCut
                for row in found.rows where !sources.contains(row.place.note) {
                    if try meaning(of: row.target, in: folder(of: row.place.note))?.id == id { sources.insert(row.place.note) }
                }
            }
        }
        var numbers: Set<UInt64> = []
        for source in sources {
            let number = try database.first("SELECT number FROM doc WHERE note = ?", .blob(source.bytes)) { $0.number(0) }
            if let number { numbers.insert(number) }
        }
        return LinkedRows(numbers: numbers, isRequired: part.isRequired, isCut: isCut)
    }

    /// The keys of all links that can mean a note; nil if it is not in the index.
    private func keys(of id: NoteID) throws(SQLFault) -> Set<ByteString>? {
        let labels = try database.first("SELECT name, body, number FROM doc WHERE note = ?", .blob(id.bytes)) {
            row throws(SQLFault) in
            if SearchNumber(rawValue: row.number(2)).kind == .file {
                return NoteLabels(name: try ByteString(indexed: row.blob(0)), aliases: [], title: "")
            }
            let (name, text) = (try ByteString(indexed: row.blob(0)), try ByteString(indexed: row.blob(1)))
            return NoteLabels(name: try? NoteName(name), text: text.utf8)
        }
        return labels.map { Set($0.keys).union([LinkPath.key(ByteString(id.description))]) }
    }

    private mutating func examine(
        _ rows: [Row], upTo end: LinkPosition?, to id: NoteID, limit: Int
    ) throws(SQLFault) -> LinkFindings {
        var links: [LinkFindings.Incoming] = []
        var bytes = 0
        var text: (note: NoteID, commit: UInt64, bytes: [UInt8])?
        // The end of the last link in the text. Links of a note ascend, so that one pass finds all.
        var place = TextPosition(utf8: 0, utf16: 0, utf32: 0)
        for row in rows {
            let isPastEnd = end.map { Self.precedes($0, row.place) } ?? false
            if isPastEnd { break }
            let source = row.place.note
            if source != id, try meaning(of: row.target, in: folder(of: source))?.id == id {
                if text?.note != source {
                    text = try self.text(of: source)
                    bytes += text?.bytes.count ?? 0
                    place = TextPosition(utf8: 0, utf16: 0, utf32: 0)
                }
                if let text {
                    guard row.range.lowerBound >= place.utf8, Self.isRange(row.range, of: text.bytes) else {
                        throw .malformed("a link has a range that its text does not have")
                    }
                    let places = Self.places(of: row.range, in: text.bytes, after: place)
                    place = places.end
                    links.append(Self.link(row, in: text.bytes, commit: text.commit, from: places.start, to: places.end))
                }
            }
            let isFull = links.count == limit || labels.work > Self.workMax || bytes > Self.textBytesMax
            if isFull, row.place != rows.last?.place || end != nil { return .incoming(links, next: row.place) }
        }
        return .incoming(links, next: end)
    }

    private func text(of note: NoteID) throws(SQLFault) -> (note: NoteID, commit: UInt64, bytes: [UInt8])? {
        try database.first("SELECT number, body FROM doc WHERE note = ?", .blob(note.bytes)) { row throws(SQLFault) in
            (note, SearchNumber(rawValue: row.number(0)).commit, try ByteString(indexed: row.blob(1)).utf8)
        }
    }

    /// Whether a range is within a text and does not cut a character.
    private static func isRange(_ range: Range<Int>, of text: [UInt8]) -> Bool {
        [range.lowerBound, range.upperBound].allSatisfy { $0 == text.count || $0 < text.count && text[$0] & 0xC0 != 0x80 }
    }

    /// The positions of a range that begins at or after a known position.
    private static func places(
        of range: Range<Int>, in text: [UInt8], after known: TextPosition
    ) -> (start: TextPosition, end: TextPosition) {
        let rest = Array(text[known.utf8..<range.upperBound])
        let places = Positions.places(ofBytes: [range.lowerBound - known.utf8, range.upperBound - known.utf8], in: rest).map {
            TextPosition(utf8: known.utf8 + $0.utf8, utf16: known.utf16 + $0.utf16, utf32: known.utf32 + $0.utf32)
        }
        return (places[0], places[1])
    }

    private static func link(
        _ row: Row, in text: [UInt8], commit: UInt64, from start: TextPosition, to end: TextPosition
    ) -> LinkFindings.Incoming {
        LinkFindings.Incoming(
            note: row.place.note, commit: commit, kind: row.target.kind, target: row.target.text, fragment: row.fragment,
            start: start, end: end, snippet: snippet(around: row.range, in: text))
    }

    /// The line of the link without white space at its ends; of a longer line the part around the link.
    private static func snippet(around range: Range<Int>, in text: [UInt8]) -> [UInt8] {
        let newline = UInt8(ascii: "\n")
        let least = max(0, range.lowerBound - snippetMax)
        var start = (text[least..<range.lowerBound].lastIndex(of: newline) ?? least - 1) + 1
        let most = min(text.count, range.upperBound + snippetMax)
        var end = text[range.upperBound..<most].firstIndex(of: newline) ?? most
        if end - start > snippetMax {
            start = max(start, range.lowerBound - snippetMax / 4)
            end = min(end, start + snippetMax)
        }
        while start < end, text[start] & 0xC0 == 0x80 { start += 1 }
        while end > start, end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
        let line = text[start..<end].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return Array(
            line.prefix(
                (line.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") } ?? line.startIndex - 1)
                    + 1 - line.startIndex))
    }

    // MARK: - Missing targets

    private mutating func missing(limit: Int, after: MissingLinkPosition?) throws(SQLFault) -> LinkFindings {
        var rows: [(row: Row, listed: ByteString)] = []
        var bytes = 0
        let visit = { (row: SQLRow) throws(SQLFault) -> Bool in
            let (read, listed) = (try Row(row), try ByteString(indexed: row.blob(8)))
            rows.append((read, listed))
            bytes += read.bytes + listed.utf8.count
            return bytes <= rowBytesMax
        }
        let columns = Row.columns + ", listed"
        if let after {
            try database.each(
                """
                SELECT \(columns) FROM link WHERE (listed, kind, note, number) > (?, ?, ?, ?)
                ORDER BY listed, kind, note, number LIMIT ?
                """, .blob(after.target.utf8), .number(Int(after.kind.rawValue)), .blob(after.link.note.bytes),
                .number(after.link.number), .number(Self.missingLinksMax), visit: visit)
        } else {
            try database.each(
                "SELECT \(columns) FROM link ORDER BY listed, kind, note, number LIMIT ?", .number(Self.missingLinksMax),
                visit: visit)
        }
        var targets: [MissingTarget] = []
        var last: MissingLinkPosition?
        for (row, listed) in rows {
            let isSame = targets.last?.target == listed && targets.last?.kind == row.target.kind
            if !isSame, targets.count == limit { return .missing(targets, next: last) }
            if try isMissing(row) {
                if !isSame { targets.append(MissingTarget(kind: row.target.kind, target: listed)) }
                targets[targets.count - 1].links += 1
                let notes = targets[targets.count - 1].notes
                if notes.count < MissingTarget.notesMax, notes.last != row.place.note {
                    targets[targets.count - 1].notes.append(row.place.note)
                }
            }
            last = MissingLinkPosition(target: listed, kind: row.target.kind, link: row.place)
            if labels.work > Self.workMax { return .missing(targets, next: last) }
        }
        return .missing(targets, next: rows.count == Self.missingLinksMax || bytes > rowBytesMax ? last : nil)
    }

    private mutating func isMissing(_ row: Row) throws(SQLFault) -> Bool {
        let folder = try folder(of: row.place.note)
        guard try meaning(of: row.target, in: folder) == nil else { return false }
        return try !row.target.isAttachmentOrFolder(in: folder, among: &labels)
    }
}
