package import Console
import Glibc
import NotesModel
import NotesWire
import StrictJSON

/// Reads texts from files and standard input, and checks them before they are used.
package enum TextInput {
    /// - Parameter path: a file; nil or `-` for standard input.
    /// - Throws: `ExitFailure` if the input cannot be read, or cannot be a note's text.
    package static func read(_ path: String?) throws -> [UInt8] {
        guard let path, path != "-" else {
            if Terminal.isInput { Output.note("reading the note from the terminal; end with Ctrl-D") }
            let input = Descriptor(dup(STDIN_FILENO))
            let bytes: [UInt8]
            do { bytes = try input.readAll() } catch { throw ExitFailure("cannot read standard input: \(error.text)") }
            return try checked(bytes, of: "standard input")
        }
        let bytes: [UInt8]
        do {
            bytes = try Descriptor.open(Array(path.utf8), O_RDONLY).readAll()
        } catch {
            throw ExitFailure("cannot read \(SafeText.line(path)): \(error.text)")
        }
        return try checked(bytes, of: SafeText.line(path))
    }

    package static func checked(_ bytes: [UInt8], of source: String) throws(ExitFailure) -> [UInt8] {
        if let fault = fault(in: bytes) { throw ExitFailure("\(source) \(fault); nothing was saved", .badData) }
        return bytes
    }

    /// What to do about a file that cannot be a note's text.
    package static func remedy(for bytes: [UInt8]) -> String {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        return "correct the file, or convert it, as with `iconv -f \(isUTF16 ? "utf-16" : "latin1") -t utf-8`"
    }

    /// Why the bytes cannot be a note's text, as a predicate such as `is not valid UTF-8 at byte
    /// 7`; nil if they can.
    package static func fault(in bytes: [UInt8]) -> String? {
        if let offset = UTF8Sequence.firstFault(in: bytes) { return "is not valid UTF-8 at byte \(offset)" }
        if let offset = bytes.firstIndex(of: 0) { return "has a zero byte at \(offset), which a note cannot contain" }
        return nil
    }
}
