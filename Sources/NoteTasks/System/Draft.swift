import Console
import Glibc

/// The private copy of a note that an editor works on. It is in a directory that outlasts the login
/// session, because a text that cannot be saved stays there.
package struct Draft {
    private let directory: PrivateDirectory
    let name: String
    private let original: [UInt8]

    package var folder: String { directory.path }

    package var path: String { directory.file(name) }

    /// - Parameter prefix: put before the file's name, with a dot between.
    package init(text: [UInt8], name: String, prefix: String? = nil) throws {
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

    /// A file name for a note: the last component of its name, with an extension that tells the
    /// editor the format.
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

    /// The command that edits a file. A shell runs it, because `$VISUAL` or `$EDITOR` may include
    /// arguments.
    package static func editor(_ path: String) -> [String] {
        let editor = Environment["VISUAL"] ?? Environment["EDITOR"] ?? "vi"
        return ["sh", "-c", "\(editor) \"$1\"", "sh", path]
    }

    /// Runs a program on the draft and returns the text that it left. If the text is unchanged,
    /// returns nil and removes the draft, unless the program ended too soon for anyone to have read
    /// the text.
    ///
    /// - Parameter name: the program's name in messages.
    /// - Throws: `ExitFailure` if the program cannot be started, fails, or leaves no file.
    package func worked(
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
            if text == original { remove() } else { reportPath() }
            throw ExitFailure("\(name) \(end.text); nothing was saved")
        }
        guard text != original else {
            removeUnchanged(after: .now - began)
            return nil
        }
        return text
    }

    /// Replaces the text. The file has one of the two texts at any time.
    package func replace(with text: [UInt8]) throws {
        let new = path + ".new"
        do {
            try Descriptor.open(Array(new.utf8), O_WRONLY | O_CREAT | O_TRUNC).writeAll(text)
        } catch {
            throw ExitFailure("cannot write \(new): \(error.text)")
        }
        guard rename(new, path) == 0 else { throw ExitFailure("cannot write \(path): \(SystemError.text(errno))") }
    }

    /// Removes the draft and everything that the editor put next to it.
    package func remove() {
        if !directory.removeWhole(), access(folder, F_OK) == 0 {
            Output.note("the editor left unsaved text in \(folder)")
        }
    }

    /// Removes an unchanged draft, unless the editor returned so quickly that its window may still
    /// be open.
    ///
    /// - Parameter time: how long the editor ran.
    package func removeUnchanged(after time: Duration) {
        guard time < Self.readMin else { return remove() }
        Output.note(
            "the editor returned at once; if its window is still open, text saved there goes to \(path) only, not to the note; "
                + "set EDITOR to a command that waits, such as 'code --wait' or 'gvim -f'")
    }

    /// The shortest time in which a user opens an editor, reads and leaves.
    private static let readMin = Duration.seconds(1)

    package var isThere: Bool { access(path, F_OK) == 0 }

    /// Saves the text and then removes the draft. If the save fails, keeps the draft and prints its
    /// path.
    ///
    /// - Parameter subject: the failed operation in the message, such as `cannot save work/inbox`.
    package func keptUnless<Result>(saved subject: String, by save: () async throws -> Result) async throws -> Result {
        do {
            let result = try await save()
            remove()
            return result
        } catch {
            reportPath()
            throw explained(error, subject)
        }
    }

    /// Whether nobody has removed it.
    var exists: Bool { access(path, F_OK) == 0 }

    /// Prints the draft's path.
    package func reportPath() {
        Output.note("your text is in \(path)")
    }
}
