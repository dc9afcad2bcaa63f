import Console
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// One item of a completion list.
struct CompletionItem {
    /// Values of `kind`.
    enum Kind: Int {
        case keyword = 14
        case file = 17
        case reference = 18
    }

    let label: ByteString
    let detail: String
    let kind: Kind
    /// The bytes to replace.
    let range: Range<Int>
    let text: [UInt8]
    /// The text that the editor compares with the replaced text.
    let filter: [UInt8]
    /// The note that the item can show; nil for none.
    let note: NoteID?

    init(label: ByteString, detail: String, kind: Kind, range: Range<Int>, text: [UInt8]? = nil) {
        (self.label, self.detail, self.kind, self.range, self.text) = (label, detail, kind, range, text ?? label.utf8)
        (filter, note) = (label.utf8, nil)
    }

    /// An item for a note.
    init(_ note: Head, _ written: NoteSpelling.Spelled, _ context: CompletionContext, _ bytes: [UInt8]) {
        label = ByteString(NoteLabel.of(note))
        let title = note.file == nil ? note.title : ""
        detail =
            note.file.map { "\(FileType.of(note.name)), \(ByteCount.text($0.bytes))" }
            ?? (note.name == nil ? "" : title.description)
        kind = .file
        self.note = note.id
        let words = label.utf8 + (title.isEmpty ? [] : [UInt8(ascii: " ")] + title.utf8)
        switch written {
        case .target(let target):
            (range, text, filter) = (context.range, target + Array(context.closing.utf8), words)
        case .link(let link):
            // The whole link is replaced, with what was typed of it.
            let end = context.range.upperBound
            let isClosed = bytes[end...].starts(with: "]]".utf8)
            range = context.start..<(isClosed ? end + 2 : end)
            (text, filter) = (link, Array(bytes[context.start..<context.range.lowerBound]) + words)
        }
    }

    /// - Parameter number: the number of the item in its list.
    func write(number: Int, in text: PlacedText, to writer: inout JSONWriter) {
        writer.object { item in
            item.member("label", label)
            item.member("kind", kind.rawValue)
            if !detail.isEmpty { item.member("detail", detail) }
            let digits = String(number)
            item.member("sortText", String(repeating: "0", count: max(0, 5 - digits.count)) + digits)
            item.member("filterText", text: filter)
            item.name("textEdit")
            item.object { edit in
                edit.name("range")
                text.write(range, to: &edit)
                edit.member("newText", text: self.text)
            }
            if let note {
                item.name("data")
                item.object { $0.member("note", note) }
            }
        }
    }
}
