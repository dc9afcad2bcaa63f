import Causality
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// A message of an editor.
enum EditorMessage {
    case hello(EditorHello)
    case ping
    case open(OpenBuffer)
    case change(BufferChange)
    case accept(buffer: Int, edit: UInt64, changes: UInt64)
    case decline(buffer: Int, edit: UInt64, changes: UInt64, isBusy: Bool)
    case ready(buffer: Int)
    case select(buffer: Int, changes: UInt64, SelectedPlaces?)
    case step(buffer: Int, isUndo: Bool)
    case save(buffer: Int)
    case close(buffer: Int)
    case rename(buffer: Int, name: ByteString?)
    case delete(buffer: Int)
    case restore(buffer: Int)
    case revert(buffer: Int, Version)
    case resolve(buffer: Int, conflict: ByteString, ConflictTake)
    /// A method of the daemon that goes through, with its params.
    case forward(method: ByteString, params: [UInt8])
    /// To be notified of each change of any note of a kind; nil for both kinds.
    case watch(NoteKind?)
}

/// `attach.hello`.
struct EditorHello {
    let client: (name: ByteString, version: ByteString)
    let label: ByteString
    let positions: EditorPositions
    /// The writer of an earlier host of this editor; nil for a new one.
    let writer: String?
}

/// `buffer.open`.
struct OpenBuffer {
    let buffer: Int
    let subject: NoteOpening.Subject
    let resume: ResumedText?
}

/// How a conflict is resolved.
enum ConflictTake: Hashable {
    /// With what the note shows.
    case shown
    case side(ByteString)
    case text([UInt8])

    init(reading value: JSONValue) throws(ParamFault) {
        guard value.kind == .object else {
            let word = try Param.string(value)
            self = word == "shown" ? .shown : .side(word)
            return
        }
        var take = try ParamReader(value)
        self = .text(try take.required("text", Param.text))
        try take.finish()
    }
}

/// `buffer.change`, whose places have not been compared with the text.
struct BufferChange {
    enum Content {
        case edits([(start: EditorPlace, end: EditorPlace, text: [UInt8])])
        case text([UInt8])
    }

    let buffer: Int
    let number: UInt64
    let content: Content
    let length: Int
    let selection: SelectedPlaces?
    /// Whether the change belongs to the undo step before it.
    let joins: Bool
    /// Where the caret was before the change.
    let before: EditorPlace?
}

/// A caret, or a selection with the end that moves.
struct SelectedPlaces {
    let anchor: EditorPlace
    let head: EditorPlace

    init(reading value: JSONValue) throws(ParamFault) {
        let places = try Param.array(EditorPlace.init(reading:))(value)
        guard places.count == 2 else { throw ParamFault(path: "", reason: "must be an anchor and a head") }
        (anchor, head) = (places[0], places[1])
    }
}

extension EditorMessage {
    /// Methods that need no id and get no response.
    static let notifications: Set<ByteString> = [
        "buffer.change", "buffer.accept", "buffer.decline", "buffer.ready", "buffer.select",
    ]

    /// Methods of the daemon that an editor may call.
    static let forwarded: Set<ByteString> = [
        "note.list", "note.search", "note.get", "note.history", "tags.list", "links.to", "links.missing", "links.resolve",
        "revisions.list", "dependents.list", "daemon.status", "file.begin", "file.put",
    ]

    init(_ envelope: Envelope) throws(WireError) {
        if let fault = envelope.nullFault { throw .invalidParams(fault) }
        if Self.forwarded.contains(envelope.method) {
            self = .forward(method: envelope.method, params: Array(envelope.params.source))
            return
        }
        do {
            var params = try ParamReader(envelope.params)
            guard let message = try Self.read(envelope.method, &params) else { throw WireError.methodNotFound(envelope.method) }
            try params.finish()
            self = message
        } catch let fault as ParamFault {
            throw .invalidParams(fault.inside("params"))
        } catch {
            throw error as? WireError ?? .methodNotFound(envelope.method)
        }
    }

    private static func read(_ method: ByteString, _ params: inout ParamReader) throws(ParamFault) -> EditorMessage? {
        switch method {
        case "attach.hello": .hello(try EditorHello(reading: &params))
        case "attach.ping": .ping
        case "attach.watch": .watch(try params.optional("kind", Param.kind) ?? .text)
        case "attach.file": .forward(method: "note.create", params: try file(&params))
        case "buffer.open": .open(try OpenBuffer(reading: &params))
        case "buffer.change": .change(try BufferChange(reading: &params))
        case "buffer.accept":
            .accept(
                buffer: try buffer(&params), edit: try params.required("k", Param.number),
                changes: try params.required("n", Param.number))
        case "buffer.decline":
            .decline(
                buffer: try buffer(&params), edit: try params.required("k", Param.number),
                changes: try params.required("n", Param.number), isBusy: try params.optional("busy", Param.bool) ?? false)
        case "buffer.ready": .ready(buffer: try buffer(&params))
        case "buffer.select":
            .select(
                buffer: try buffer(&params), changes: try params.required("n", Param.number),
                try params.required("selection", Param.nullable(SelectedPlaces.init(reading:))))
        case "buffer.undo": .step(buffer: try buffer(&params), isUndo: true)
        case "buffer.redo": .step(buffer: try buffer(&params), isUndo: false)
        case "buffer.save": .save(buffer: try buffer(&params))
        case "buffer.close": .close(buffer: try buffer(&params))
        case "buffer.rename":
            .rename(buffer: try buffer(&params), name: try params.required("name", Param.nullable(Param.string)))
        case "buffer.delete": .delete(buffer: try buffer(&params))
        case "buffer.restore": .restore(buffer: try buffer(&params))
        case "buffer.revert": .revert(buffer: try buffer(&params), try params.required("version", Param.version))
        case "buffer.resolve":
            .resolve(
                buffer: try buffer(&params), conflict: try params.required("conflict", Param.string),
                try params.required("take", ConflictTake.init(reading:)))
        default: nil
        }
    }

    /// The `note.create` that `attach.file` sends. `buffer.open` creates texts.
    private static func file(_ params: inout ParamReader) throws(ParamFault) -> [UInt8] {
        let (id, name) = (try params.required("id", Param.noteID), try params.required("name", Param.string))
        let content = try FileContent(&params)
        var writer = JSONWriter()
        writer.object { note in
            note.member("id", "\(id)")
            note.member("name", text: name.utf8)
            note.name("file")
            note.object { file in
                file.member("sha256", "\(content.hash)")
                file.member("bytes", content.bytes)
            }
        }
        return writer.bytes
    }

    fileprivate static func buffer(_ params: inout ParamReader) throws(ParamFault) -> Int {
        try params.required("buffer", Param.offset)
    }
}

extension EditorHello {
    init(reading params: inout ParamReader) throws(ParamFault) {
        let protocols = try params.required("protocol", Param.array(Param.integer))
        guard protocols.contains(Int64(AttachProtocol.version)) else {
            throw ParamFault(path: "protocol", reason: "must contain \(AttachProtocol.version), the only version there is")
        }
        client = try params.required("client") { (value) throws(ParamFault) in
            var client = try ParamReader(value)
            let named = (
                name: try client.required("name", Param.label), version: try client.required("version", Param.label)
            )
            try client.finish()
            return named
        }
        label = try params.optional("label", Param.label) ?? client.name
        positions = try params.required("positions", EditorPositions.init(reading:))
        writer = try params.optional("writer", Self.writer)
    }
}

extension EditorHello {
    /// Reads a writer: 8 hexadecimal digits.
    fileprivate static func writer(_ value: JSONValue) throws(ParamFault) -> String {
        try Param.parsed(value, "a writer: 8 lower-case hexadecimal digits") { text in
            let isWriter = text.utf8.count == 8 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
            return isWriter ? text.description : nil
        }
    }
}

extension OpenBuffer {
    init(reading params: inout ParamReader) throws(ParamFault) {
        buffer = try EditorMessage.buffer(&params)
        let id = try params.optional("id", Param.noteID)
        let name = try params.optional("name", Param.string)
        let create = try params.optional("create") { (value) throws(ParamFault) -> NoteOpening.Subject in
            var create = try ParamReader(value)
            let subject = NoteOpening.Subject.create(
                try create.required("id", Param.noteID), name: try create.optional("name", Param.string),
                text: try create.optional("text", Param.text) ?? [])
            try create.finish()
            return subject
        }
        let subjects = [id.map { NoteOpening.Subject.id($0) }, name.map { NoteOpening.Subject.name($0) }, create].compactMap {
            $0
        }
        guard subjects.count == 1 else { throw ParamFault(path: "", reason: "must have one of id, name and create") }
        subject = subjects[0]
        resume = try params.optional("resume", ResumedText.init(reading:))
    }
}

extension ResumedText {
    init(reading value: JSONValue) throws(ParamFault) {
        var resume = try ParamReader(value)
        let dots = try resume.required("versions") { (value) throws(ParamFault) in
            try Param.parsed(value, "one or two versions, joined by a space") { text in
                let dots = text.utf8.split(separator: UInt8(ascii: " ")).map { Dot(parsing: $0) }
                return dots.contains(nil) ? nil : Set(dots.compactMap { $0 })
            }
        }
        let writer = try resume.required("writer", EditorHello.writer)
        let text = try resume.required("text", Param.text)
        let age = try resume.optional("age", Param.offset) ?? 0
        try resume.finish()
        self.init(dots: dots, writer: writer, text: text, age: age)
    }
}

extension BufferChange {
    init(reading params: inout ParamReader) throws(ParamFault) {
        buffer = try EditorMessage.buffer(&params)
        number = try params.required("n", Param.number)
        let edits = try params.optional("edits", Param.array(Self.edit))
        let text = try params.optional("text", Param.text)
        switch (edits, text) {
        case (let edits?, nil): content = .edits(edits)
        case (nil, let text?): content = .text(text)
        default: throw ParamFault(path: "", reason: "must have either edits or text")
        }
        length = try params.required("length", Param.offset)
        selection = try params.optional("selection", SelectedPlaces.init(reading:))
        joins = try params.optional("joins", Param.bool) ?? false
        before = try params.optional("before", EditorPlace.init(reading:))
    }

    private static func edit(_ value: JSONValue) throws(ParamFault) -> (start: EditorPlace, end: EditorPlace, text: [UInt8]) {
        let parts = Array(value.elements)
        guard parts.count == 3 else { throw ParamFault(path: "", reason: "must be a start, an end and a text") }
        return (try EditorPlace(reading: parts[0]), try EditorPlace(reading: parts[1]), try Param.text(parts[2]))
    }
}

/// Constants of the attach protocol.
enum AttachProtocol {
    static let version = 1
    /// Longest message of an editor, in bytes.
    static let lineBytesMax = 8 << 20
    /// Longer messages that end the connection.
    static let longLinesMax = 3
    static let depthMax = 16
    static let buffersMax = 250
}
