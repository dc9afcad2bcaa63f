import NoteText
import NotesModel
import NotesSQL

/// The tables of links and labels, in the file of the search index.
enum LinkSchema {
    /// The kind of a row of `label`.
    enum Label: Int {
        /// The key is `LinkPath.key` of the name.
        case tail = 0
        /// The key is the folded name.
        case name = 1
        /// The key is a folded alias.
        case alias = 2
        /// The key is the folded title.
        case title = 3
        /// The key is the leading id of the name.
        case leadingID = 4
        /// As `tail`, of a file. The others are of texts.
        case fileTail = 5
        /// As `name`, of a file.
        case fileName = 6
    }

    static let statements = [
        """
        CREATE TABLE label (
            kind INTEGER NOT NULL,
            key BLOB NOT NULL,
            note BLOB NOT NULL,
            PRIMARY KEY (kind, key, note)
        ) STRICT, WITHOUT ROWID
        """,
        // A link with a target. Those to the note itself have none.
        """
        CREATE TABLE link (
            note BLOB NOT NULL,
            -- Number of the link in its note, from 0.
            number INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            -- Byte range of the target as written.
            start INTEGER NOT NULL,
            end INTEGER NOT NULL,
            target BLOB NOT NULL,
            -- `Link.targetBeforeQuery` and `Link.fragment`.
            before BLOB,
            fragment BLOB,
            -- `LinkPath.key` of the target, and of the part before the `?`.
            key BLOB NOT NULL,
            short_key BLOB,
            -- `LinkTarget.listed`.
            listed BLOB NOT NULL,
            PRIMARY KEY (note, number)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX link_key ON link (key, note DESC, number)",
        "CREATE INDEX link_short_key ON link (short_key, note DESC, number) WHERE short_key IS NOT NULL",
        "CREATE INDEX link_listed ON link (listed, kind, note, number)",
    ]
}

/// Reads and writes the rows of links and labels.
struct LinkRows {
    let database: Database

    /// Adds the rows of a note that has none.
    func add(_ contents: SearchIndex.Entry.Contents, _ kind: NoteKind, of id: NoteID) throws(SQLFault) {
        for (kind, key) in Self.labels(name: contents.name, text: contents.text, kind) {
            try database.run(
                "INSERT OR IGNORE INTO label (kind, key, note) VALUES (?, ?, ?)", .number(kind.rawValue), .blob(key.utf8),
                .blob(id.bytes))
        }
        for link in Self.links(name: contents.name, text: contents.text) {
            try database.run(
                """
                INSERT INTO link (note, number, kind, start, end, target, before, fragment, key, short_key, listed)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, .blob(id.bytes), .number(link.number), .number(link.kind), .number(link.start), .number(link.end),
                .blob(link.target), .optional(link.before), .optional(link.fragment), .blob(link.key), .optional(link.shortKey),
                .blob(link.listed))
        }
    }

    /// The columns of a row of `link`, except the note.
    private struct LinkRow: Equatable {
        let number, kind, start, end: Int
        let target: [UInt8]
        let before, fragment: [UInt8]?
        let key: [UInt8]
        let shortKey: [UInt8]?
        let listed: [UInt8]
    }

    private static func links(name: NoteName?, text: [UInt8]) -> [LinkRow] {
        let folder = name.map { LinkPath.folder(of: $0.bytes) } ?? ByteString(validUTF8: [])
        return Links.of(text).enumerated().compactMap { number, link in
            if link.target.isEmpty { return nil }
            return LinkRow(
                number: number, kind: Int(link.kind.rawValue), start: link.range.lowerBound, end: link.range.upperBound,
                target: link.target.utf8, before: link.targetBeforeQuery?.utf8, fragment: link.fragment?.utf8,
                key: LinkPath.key(link.target).utf8, shortKey: link.targetBeforeQuery.map { LinkPath.key($0).utf8 },
                listed: LinkTarget(link).listed(in: folder).utf8)
        }
    }

    /// Compares all rows with the texts of `doc`. Returns what is wrong; empty if nothing is.
    ///
    /// - Complexity: O(bytes of all texts).
    func check() throws(SQLFault) -> [String] {
        var expected = (labels: 0, links: 0)
        var damaged = false
        var last: UInt64?
        // One note at a time, because a statement that reads cannot be used by the checks.
        while !damaged, let (number, id, name, text) = try note(after: last) {
            last = number
            let kind = SearchNumber(rawValue: number).kind
            let labels = Set(Self.labels(name: name, text: text, kind).map { Label(kind: $0.0, key: $0.1) })
            for label in labels {
                let row = try database.first(
                    "SELECT 1 FROM label WHERE kind = ? AND key = ? AND note = ?", .number(label.kind.rawValue),
                    .blob(label.key.utf8), .blob(id)
                ) { _ in true }
                if row == nil { damaged = true }
            }
            let links = Self.links(name: name, text: text)
            if try self.links(of: id) != links { damaged = true }
            expected.labels += labels.count
            expected.links += links.count
        }
        let counts = try database.first("SELECT (SELECT count(*) FROM label), (SELECT count(*) FROM link)") {
            (labels: Int($0.integer(0)), links: Int($0.integer(1)))
        }
        damaged = damaged || counts?.labels != expected.labels || counts?.links != expected.links
        return damaged ? ["the rows of links and labels do not match the texts"] : []
    }

    private struct Label: Hashable {
        let kind: LinkSchema.Label
        let key: ByteString
    }

    /// The indexed note that follows a row number; nil at the end.
    private func note(after number: UInt64?) throws(SQLFault) -> (number: UInt64, id: [UInt8], name: NoteName?, text: [UInt8])? {
        try database.first(
            "SELECT number, note, name, body FROM doc WHERE number > ? ORDER BY number LIMIT 1",
            number.map(SQLValue.number) ?? .integer(.min)
        ) { row throws(SQLFault) in
            let (name, text) = (try ByteString(indexed: row.blob(2)), try ByteString(indexed: row.blob(3)))
            return (row.number(0), row.blob(1), try? NoteName(name), text.utf8)
        }
    }

    private func links(of id: [UInt8]) throws(SQLFault) -> [LinkRow] {
        var rows: [LinkRow] = []
        try database.each(
            """
            SELECT number, kind, start, end, target, before, fragment, key, short_key, listed FROM link
            WHERE note = ? ORDER BY number
            """, .blob(id)
        ) { row throws(SQLFault) in
            rows.append(
                LinkRow(
                    number: Int(row.integer(0)), kind: Int(row.integer(1)), start: Int(row.integer(2)), end: Int(row.integer(3)),
                    target: row.blob(4), before: row.optionalBlob(5), fragment: row.optionalBlob(6), key: row.blob(7),
                    shortKey: row.optionalBlob(8), listed: row.blob(9)))
            return true
        }
        return rows
    }

    /// Removes the rows of a note.
    ///
    /// - Parameters:
    ///   - name: the name that `add` was given.
    ///   - text: the text that `add` was given.
    ///   - kind: the kind that `add` was given.
    func remove(_ id: NoteID, name: NoteName?, text: [UInt8], _ kind: NoteKind) throws(SQLFault) {
        for (kind, key) in Self.labels(name: name, text: text, kind) {
            try database.run(
                "DELETE FROM label WHERE kind = ? AND key = ? AND note = ?", .number(kind.rawValue), .blob(key.utf8),
                .blob(id.bytes))
        }
        try database.run("DELETE FROM link WHERE note = ?", .blob(id.bytes))
    }

    private static func labels(name: NoteName?, text: [UInt8], _ kind: NoteKind) -> [(LinkSchema.Label, ByteString)] {
        if kind == .file {
            return name.map { [(.fileTail, LinkPath.key($0.bytes)), (.fileName, NameFolding.fold($0.bytes))] } ?? []
        }
        let labels = NoteLabels(name: name, text: text)
        var rows = labels.aliases.map { (LinkSchema.Label.alias, NameFolding.fold($0)) }
        if !labels.title.isEmpty { rows.append((.title, NameFolding.fold(labels.title))) }
        if let name = labels.name { rows += [(.tail, LinkPath.key(name)), (.name, NameFolding.fold(name))] }
        if let id = labels.leadingID { rows.append((.leadingID, id)) }
        return rows
    }
}

/// The lookup of labels in the index. It keeps what it read during one request.
struct IndexedLabels: LinkLookup {
    private let database: Database
    private var read: [Key: [LinkedNote]] = [:]
    /// Whether there are files; nil if it is not known yet.
    private var areFiles: Bool?
    /// The number of notes that were examined as possible meanings.
    private(set) var work = 0

    private struct Key: Hashable {
        let kind: LinkSchema.Label
        let text: ByteString
    }

    init(_ database: Database) {
        self.database = database
    }

    mutating func note(_ id: NoteID, of kind: NoteKind?) throws(SQLFault) -> LinkedNote? {
        work += 1
        let found = try database.first("SELECT name, number FROM doc WHERE note = ?", .blob(id.bytes)) {
            row throws(SQLFault) in
            (note: try Self.note(id, name: row.blob(0)), kind: SearchNumber(rawValue: row.number(1)).kind)
        }
        return found.flatMap { kind == nil || kind == $0.kind ? $0.note : nil }
    }

    mutating func notes(named folded: ByteString, of kind: NoteKind) throws(SQLFault) -> [LinkedNote] {
        try notes(kind == .file ? .fileName : .name, folded)
    }

    mutating func notes(aliased folded: ByteString) throws(SQLFault) -> [LinkedNote] { try notes(.alias, folded) }
    mutating func notes(titled folded: ByteString) throws(SQLFault) -> [LinkedNote] { try notes(.title, folded) }
    mutating func notes(withLeadingID id: ByteString) throws(SQLFault) -> [LinkedNote] { try notes(.leadingID, id) }

    mutating func notes(endingIn folded: ByteString, of kind: NoteKind) throws(SQLFault) -> [LinkedNote] {
        let key = LinkPath.key(folded)
        guard !key.isEmpty else { return [] }
        let label = kind == .file ? LinkSchema.Label.fileTail : .tail
        let ending = [UInt8(ascii: "/")] + folded.utf8
        return try cached(Key(kind: label, text: folded)) { (database) throws(SQLFault) in
            var notes: [LinkedNote] = []
            try database.each(
                """
                SELECT label.note, doc.name FROM label JOIN doc ON doc.note = label.note
                WHERE label.kind = ? AND label.key >= ? AND label.key < ?
                """, .number(label.rawValue), .blob(key.utf8), .blob(Self.end(ofPrefix: key))
            ) { row throws(SQLFault) in
                let note = try Self.note(row)
                if let name = note.name, NameFolding.fold(name).utf8.suffix(ending.count) == ending[...] { notes.append(note) }
                return true
            }
            return notes
        }
    }

    mutating func isFolder(_ folded: ByteString) throws(SQLFault) -> Bool {
        let start = ByteString(validUTF8: folded.utf8 + [UInt8(ascii: "/")])
        return try database.first(
            "SELECT 1 FROM label WHERE kind IN (?, ?) AND key >= ? AND key < ?", .number(LinkSchema.Label.name.rawValue),
            .number(LinkSchema.Label.fileName.rawValue), .blob(start.utf8), .blob(Self.end(ofPrefix: start))
        ) { _ in true } ?? false
    }

    mutating func hasFiles() throws(SQLFault) -> Bool {
        if let areFiles { return areFiles }
        let found = try database.first("SELECT 1 FROM label WHERE kind = ?", .number(LinkSchema.Label.fileName.rawValue)) {
            _ in true
        }
        areFiles = found != nil
        return found != nil
    }

    private mutating func notes(_ kind: LinkSchema.Label, _ key: ByteString) throws(SQLFault) -> [LinkedNote] {
        try cached(Key(kind: kind, text: key)) { (database) throws(SQLFault) in
            var notes: [LinkedNote] = []
            try database.each(
                """
                SELECT label.note, doc.name FROM label JOIN doc ON doc.note = label.note
                WHERE label.kind = ? AND label.key = ?
                """, .number(kind.rawValue), .blob(key.utf8)
            ) { row throws(SQLFault) in
                notes.append(try Self.note(row))
                return true
            }
            return notes
        }
    }

    private mutating func cached(
        _ key: Key, _ find: (Database) throws(SQLFault) -> [LinkedNote]
    ) throws(SQLFault) -> [LinkedNote] {
        let notes: [LinkedNote]
        if let found = read[key] { notes = found } else { notes = try find(database) }
        read[key] = notes
        work += notes.count + 1
        return notes
    }

    private static func note(_ row: SQLRow) throws(SQLFault) -> LinkedNote {
        guard let id = NoteID(bytes: row.blob(0)) else { throw .malformed("a label has no note") }
        return try note(id, name: row.blob(1))
    }

    private static func note(_ id: NoteID, name: [UInt8]) throws(SQLFault) -> LinkedNote {
        let name = try ByteString(indexed: name)
        return LinkedNote(id: id, name: name.utf8.isEmpty ? nil : name)
    }

    /// The first bytes that follow all texts with a prefix, which ends in `/`.
    private static func end(ofPrefix prefix: ByteString) -> [UInt8] { prefix.utf8.dropLast() + [UInt8(ascii: "/") + 1] }
}
