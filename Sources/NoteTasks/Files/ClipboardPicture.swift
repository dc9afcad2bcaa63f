import Console
import Glibc

/// The picture in the clipboard, in a private file.
package struct ClipboardPicture {
    private let folder: PrivateDirectory
    private static let name = "pasted.png"
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    package var path: String { folder.file(Self.name) }

    /// - Throws: `ExitFailure` if there is no clipboard, no program that reads it, or no picture in it.
    package init() throws {
        let reader = try Self.reader()
        folder = try PrivateDirectory()
        do {
            let file: Descriptor
            do throws(Descriptor.OpenError) {
                file = try .open(Array(path.utf8), O_RDWR | O_CREAT | O_EXCL)
            } catch {
                throw ExitFailure("cannot write \(SafeText.line(path)): \(error.text)")
            }
            // The programs complain about an empty clipboard in their own words.
            let command = ["sh", "-c", "exec \"$@\" 2>/dev/null", "sh"] + reader
            let end = try Child.run(command, output: file.number)
            let start = try? file.read(at: 0, count: Self.signature.count)
            guard end.isSuccess, start == Self.signature else {
                throw ExitFailure("there is no picture in the clipboard; copy one, or use `notesctl file add FILE`", .badData)
            }
        } catch {
            folder.remove(Self.name)
            throw error
        }
    }

    package func remove() { folder.remove(Self.name) }

    private static func reader() throws -> [String] {
        let isWayland = Environment["WAYLAND_DISPLAY"] != nil
        guard isWayland || Environment["DISPLAY"] != nil else {
            throw ExitFailure("there is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set", .failed)
        }
        let command =
            isWayland
            ? ["wl-paste", "--type", "image/png"] : ["xclip", "-selection", "clipboard", "-target", "image/png", "-out"]
        guard Environment.hasProgram(command[0]) else {
            throw ExitFailure(
                "\(command[0]) is not installed; it reads the clipboard (Debian: \(isWayland ? "wl-clipboard" : "xclip"))")
        }
        return command
    }
}
