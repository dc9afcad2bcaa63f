import Console
import Glibc
package import NoteText
import NotesClient
package import NotesModel

/// Shows a picture in a terminal. Pictures come from everywhere, so only a program of its own (`chafa`) decodes them: it
/// gets the bytes and the terminal, and can write no file.
package struct PictureView {
    /// Largest picture, 32 MiB. The program holds it in memory, uncompressed.
    package static let bytesMax = 33_554_432
    private static let program = "chafa"

    private let files: any FileContents
    private let content: FileContent

    package init(_ content: FileContent, from files: any FileContents) {
        (self.content, self.files) = (content, files)
    }

    /// Shows the content, and returns whether it was shown: if it is a picture by its first bytes, not too large, and the
    /// program is installed.
    ///
    /// - Throws: `FileContentsFault`, and errors of the place of the bytes.
    package func show() async throws -> Bool {
        guard content.bytes <= Self.bytesMax,
            PictureType(beginning: try await files.bytes(of: content.hash, in: 0..<PictureType.bytesMax)) != nil,
            Environment.hasProgram(Self.program)
        else { return false }
        let bytes = try await files.all(content)
        let folder = try PrivateDirectory()
        defer { folder.remove("picture") }
        let path = folder.file("picture")
        do throws(Descriptor.OpenError) {
            try Descriptor.open(Array(path.utf8), O_WRONLY | O_CREAT | O_EXCL).writeAll(bytes)
        } catch {
            throw ExitFailure("cannot write \(path): \(error.text)")
        }
        // A shell lowers what the program may use, and becomes it.
        let limits = "ulimit -f 0 -c 0 -t 10 -v 2097152 2>/dev/null; exec \(Self.program) --animate off \"$1\""
        return try Child.run(["sh", "-c", limits, "sh", path], ownsTerminal: true).isSuccess
    }
}
