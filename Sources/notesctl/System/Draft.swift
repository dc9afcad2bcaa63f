#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The private copy that an editor works on. It is kept where it outlasts a login, since a text that cannot be saved stays there.
struct Draft {
    private let directory: PrivateDirectory
    let name: String
    private let original: [UInt8]

    var folder: String { directory.path }

    var path: String { directory.file(name) }

    /// - Parameter prefix: stands before the file's name, with a point.
    init(text: [UInt8], name: String, prefix: String? = nil) throws {
        directory = try PrivateDirectory.lasting()
        self.name = (prefix.map { "\($0)." } ?? "") + Self.fileName(name)
        original = text
        do {
            try Descriptor.open(Array(path.utf8), O_WRONLY | O_CREAT | O_EXCL).writeAll(text)
        } catch {
            remove()
            throw ExitFailure("cannot write \(path): \(error.text)")
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

    /// Has a program work on it. Returns the text that it left; nil, and the draft is gone, where that is as it was, unless the program ended
    /// too soon for anybody to have read it.
    ///
    /// - Parameter name: what was run, for sentences.
    func worked(
        onBy program: [String], environment: [String: String] = [:], called name: String = "the editor"
    ) throws -> [UInt8]? {
        let began = ContinuousClock.now
        let end: Child.End
        do {
            end = try Child.run(program, environment: environment, ownsTerminal: true)
        } catch {
            remove()
            throw error
        }
        let text: [UInt8]
        do {
            text = try Descriptor.open(Array(path.utf8), O_RDONLY).readAll()
        } catch {
            remove()
            throw ExitFailure("\(name) left no file at \(path) (\(error.text)); nothing was saved")
        }
        guard end.isSuccess else {
            if text == original { remove() } else { tellWhereItIs() }
            throw ExitFailure("\(name) \(end.text); nothing was saved")
        }
        guard text != original else {
            removeUnchanged(after: .now - began)
            return nil
        }
        return text
    }

    /// With all that the editor put beside it.
    func remove() {
        if !directory.removeWhole(), access(folder, F_OK) == 0 {
            Output.note("the editor left unsaved text in \(folder)")
        }
    }

    /// One that a program left as it was. Where that ended at once, its window may be open still.
    func removeUnchanged(after time: Duration) {
        guard time < Self.readMin else { return remove() }
        Output.note(
            "the editor returned at once; if its window is still open, text saved there goes to \(path) only, not to the note; "
                + "set EDITOR to a command that waits, such as 'code --wait' or 'gvim -f'")
    }

    /// Nobody opens an editor, reads and leaves it sooner.
    private static let readMin = Duration.seconds(1)

    var isThere: Bool { access(path, F_OK) == 0 }

    /// Saves what was written; where that fails, the draft stays and its path is told.
    ///
    /// - Parameter subject: what cannot be done then, such as `cannot save work/inbox`.
    func keptUnless<Result>(saved subject: String, by save: () async throws -> Result) async throws -> Result {
        do {
            let result = try await save()
            remove()
            return result
        } catch {
            tellWhereItIs()
            throw explained(error, subject)
        }
    }

    func tellWhereItIs() {
        Output.note("your text is in \(path)")
    }
}
