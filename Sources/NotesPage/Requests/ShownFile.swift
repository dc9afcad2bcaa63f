import NIOHTTP1
import NoteText
import NotesModel

/// A content of a file as a browser gets it.
struct ShownFile: Hashable {
    let content: FileContent
    let name: NoteName?

    /// Whether browsers may show the file: it can run no script. Others are saved.
    var isInline: Bool {
        switch FileType.of(name) {
        case "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "application/pdf": true
        case let type: type.hasPrefix("audio/") || type.hasPrefix("video/")
        }
    }

    var tag: String { "\"\(content.hash)\"" }

    var headers: [(String, String)] {
        [
            ("Content-Type", isInline ? FileType.of(name) : FileType.unknown),
            ("Content-Disposition", "\(isInline ? "inline" : "attachment"); filename*=UTF-8''\(Self.escaped(fileName))"),
            ("Accept-Ranges", "bytes"), ("ETag", tag),
            // The browser may keep it, and asks each time whether it may still show it.
            ("Cache-Control", "private, no-cache"),
        ]
    }

    private var fileName: [UInt8] {
        let last = name?.bytes.utf8.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
        return last.isEmpty ? Array("file".utf8) : last
    }

    /// Bytes with all escaped that are no letters, digits, `-`, `.` or `_` (RFC 8187).
    private static func escaped(_ utf8: [UInt8]) -> String {
        var text = ""
        for byte in utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}

/// Bytes of a file that follow the head of a response.
struct FilePart: Hashable {
    let hash: FileHash
    let range: Range<Int>
}
