import NoteText
import StrictJSON
import TextMerge

/// Edits of open documents, each for one version, and the renaming of a file, which the user requested.
struct DocumentEdits {
    /// The edits of a document, in order and apart.
    var documents: [(document: OpenDocument, edits: [Edit])] = []
    var renamedFile: (from: String, to: String)?

    /// The number of edits.
    var count: Int { documents.reduce(0) { $0 + $1.edits.count } }

    /// A workspace edit of the protocol.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { edit in
            edit.name("documentChanges")
            edit.array { changes in
                for (document, edits) in documents where !edits.isEmpty {
                    changes.object { Self.write(document, edits, to: &$0) }
                }
                guard let renamedFile else { return }
                changes.object { change in
                    change.member("kind", "rename")
                    change.member("oldUri", renamedFile.from)
                    change.member("newUri", renamedFile.to)
                }
            }
        }
        return writer.bytes
    }

    private static func write(_ document: OpenDocument, _ edits: [Edit], to change: inout JSONWriter) {
        change.name("textDocument")
        change.object { identifier in
            identifier.member("uri", document.uri)
            identifier.name("version")
            if let version = document.version { identifier.integer(version) } else { identifier.null() }
        }
        change.name("edits")
        change.array(of: edits) { writer, edit in
            writer.object { object in
                object.name("range")
                document.text.write(edit.start..<edit.end, to: &object)
                object.member("newText", text: edit.replacement)
            }
        }
    }
}
