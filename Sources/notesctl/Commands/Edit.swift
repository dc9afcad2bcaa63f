import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Edit a note in your editor.",
        discussion: """
            Runs $VISUAL, else $EDITOR, else vi, on a private copy, and saves that on the version it was made from: what others \
            wrote meanwhile is merged. If your text cannot be saved, or others changed the same place, your copy stays on disk \
            and its path is printed.

            Examples:
              notesctl edit work/inbox
              notesctl edit --create diary/today
              EDITOR='code --wait' notesctl edit work/inbox
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.")
    var note: String

    @Flag(name: .long, help: "Make the note, under this name, if there is none.")
    var create = false

    func run() async throws {
        let original: NoteObject? = try await options.withClient { try await self.original($0) }
        let draft = try Draft(text: original?.text ?? [], name: original?.head.name?.description ?? note)
        let end: Child.End
        do {
            end = try Child.run(Draft.editor(draft.path), ownsTerminal: true)
        } catch {
            draft.remove()
            throw error
        }
        guard let text = try draft.edited(end) else {
            draft.remove()
            return Output.complain("nothing changed, so nothing was saved")
        }
        do {
            if try await save(text, over: original) { draft.remove() } else { draft.tellWhereItIs() }
        } catch {
            draft.tellWhereItIs()
            throw error
        }
    }

    /// Nil where the note is to be made.
    private func original(_ client: NotesClient) async throws -> NoteObject? {
        do {
            return try await NoteReference(note).note(client)
        } catch let failure as Failure where failure.code == .noNote {
            guard create else { throw Failure("\(failure.message); `notesctl edit --create` makes it", .noNote) }
            do { _ = try NoteName(ByteString(note)) } catch { throw Failure("\(error)", .badData) }
            return nil
        }
    }

    /// - Returns: whether the draft is not needed any more.
    private func save(_ text: [UInt8], over original: NoteObject?) async throws -> Bool {
        let text = try TextInput.checked(text, of: "your text")
        let label = SafeText.line(original.map { NoteLabel.of($0.head) } ?? note)
        // A new connection: the daemon may have been restarted since.
        return try await options.withClient { client in
            do {
                guard let original else {
                    let made = try await client.create(text: text, name: ByteString(note), id: client.noteID(at: Clock.now()))
                        .note
                    if options.json { try Output.json(made.json) } else { try SaveReport.tellSaved(label, made.head.version) }
                    return true
                }
                let outcome = try await client.save(original.head.id, base: original.head.version, text: text)
                try SaveReport(note: label, isJSON: options.json).tell(outcome)
                return outcome.outcome != .conflicted
            } catch {
                throw explained(error, "cannot save \(label)")
            }
        }
    }
}

/// The private copy that an editor works on.
struct Draft {
    private let directory: PrivateDirectory
    private let name: String
    private let original: [UInt8]

    var path: String { directory.file(name) }

    init(text: [UInt8], name: String) throws {
        directory = try PrivateDirectory()
        self.name = Self.fileName(name)
        original = text
        do {
            try Descriptor.open(Array(path.utf8), O_WRONLY | O_CREAT | O_EXCL).writeAll(text)
        } catch {
            remove()
            throw Failure("cannot write \(path): \(error.text)")
        }
    }

    /// The last part of the note's name, with an ending that tells an editor what it is.
    static func fileName(_ note: String) -> String {
        let last = note.split(separator: "/").last.map(String.init) ?? "note"
        var short = ""
        for character in SafeText.line(last) where short.utf8.count + character.utf8.count <= bytesMax {
            short.append(character)
        }
        if short.isEmpty || short.hasPrefix("-") || short.hasPrefix(".") { short = "note" + short }
        return short.hasSuffix(".md") || short.hasSuffix(".txt") ? short : short + ".md"
    }

    private static let bytesMax = 200

    /// The user's editor may be a command with arguments, so a shell takes it apart.
    static func editor(_ path: String) -> [String] {
        let editor = Environment["VISUAL"] ?? Environment["EDITOR"] ?? "vi"
        return ["sh", "-c", "\(editor) \"$1\"", "sh", path]
    }

    /// The text that the user left; nil where it is as it was.
    func edited(_ end: Child.End) throws -> [UInt8]? {
        let text: [UInt8]
        do {
            text = try Descriptor.open(Array(path.utf8), O_RDONLY).readAll()
        } catch {
            remove()
            throw Failure("the editor left no file at \(path) (\(error.text)); nothing was saved")
        }
        if end.isSuccess { return text == original ? nil : text }
        if text == original { remove() } else { tellWhereItIs() }
        throw Failure("the editor \(end.text); nothing was saved")
    }

    func remove() {
        directory.remove(name)
    }

    func tellWhereItIs() {
        Output.complain("your text is in \(path)")
    }
}
