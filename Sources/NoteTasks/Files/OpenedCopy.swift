import Console
import Glibc
package import NoteText
package import NotesClient
import NotesModel

/// A copy of a file for a program of the user: mode 0600, in a folder of mode 0700 that vanishes with the login session.
package struct OpenedCopy {
    package let path: String

    /// Writes a copy, and compares the hash of the bytes.
    ///
    /// - Parameter name: the name of the note, whose last part the copy gets.
    /// - Throws: `ExitFailure` or `ClientError`; nothing is left then.
    package init(_ content: FileContent, named name: NoteName?, _ client: any NotesAPI) async throws {
        let folder = try PrivateDirectory()
        let fileName = Self.fileName(name)
        path = folder.file(fileName)
        do {
            let target = try Target(path)
            try await FileDownload(content, client).bytes(target.write)
        } catch {
            folder.remove(fileName)
            throw error
        }
    }

    /// The last part of a name, so that no program takes it for an option or hides it.
    static func fileName(_ name: NoteName?) -> String {
        let last = name?.description.split(separator: "/").last.map(String.init) ?? ""
        let safe = String(SafeText.line(last).suffix(100))
        return safe.isEmpty || safe.hasPrefix("-") || safe.hasPrefix(".") ? "file" + safe : safe
    }

    /// Opens the copy in the program that the user's desktop has for its type.
    ///
    /// - Throws: `ExitFailure` if there is none.
    package func open() throws {
        guard Environment.hasProgram(Self.opener) else {
            throw ExitFailure("\(Self.opener) is not installed; the file is at \(SafeText.line(path))")
        }
        // What the opener prints would be in the way of a screen.
        let end = try Child.run(["sh", "-c", "exec \(Self.opener) \"$1\" >/dev/null 2>&1", "sh", path])
        guard end.isSuccess else {
            throw ExitFailure("\(Self.opener) \(end.text); the file is at \(SafeText.line(path))")
        }
    }

    private static let opener = "xdg-open"
}

/// A new file, mode 0600.
private final class Target {
    private let path: String
    private let file: Descriptor

    init(_ path: String) throws {
        self.path = path
        do throws(Descriptor.OpenError) { file = try .open(Array(path.utf8), O_WRONLY | O_CREAT | O_EXCL) } catch {
            throw ExitFailure("cannot write \(path): \(error.text)")
        }
    }

    func write(_ bytes: [UInt8]) throws {
        do throws(Descriptor.OpenError) { try file.writeAll(bytes) } catch {
            throw ExitFailure("cannot write \(path): \(error.text)")
        }
    }
}
