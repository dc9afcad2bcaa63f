/// The optional name of a note: a path-like text such as `work/inbox`, compared by bytes.
///
/// Invariant: at most 1,024 bytes in all; each part has 1 to 255 bytes; no part is `.` or `..`; no
/// control character.
package struct NoteName: Hashable, Comparable, Sendable {
    /// The name in UTF-8, with `/` between its parts.
    package let bytes: ByteString

    /// Validates a name.
    ///
    /// - Throws: `InvalidName` with the first rule that the bytes break.
    package init(_ bytes: ByteString) throws(InvalidName) {
        if let fault = Self.fault(in: bytes.utf8) { throw fault }
        self.bytes = bytes
    }

    /// Maximum length of a name, in bytes.
    package static let bytesMax = 1_024
    /// Maximum length of one part, in bytes.
    package static let partBytesMax = 255

    private static func fault(in utf8: [UInt8]) -> InvalidName? {
        guard !utf8.isEmpty else { return .empty }
        guard utf8.count <= bytesMax else { return .tooLong(bytes: utf8.count) }
        if let offset = controlCharacter(in: utf8) { return .controlCharacter(offset: offset) }
        for part in utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if part.isEmpty { return .emptyPart }
            if part.count > partBytesMax { return .partTooLong(bytes: part.count) }
            if part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) { return .dotPart }
        }
        return nil
    }

    /// Byte offset of the first character of Unicode category Cc (U+0000 to U+001F, U+007F to U+009F).
    package static func controlCharacter(in utf8: [UInt8]) -> Int? {
        utf8.indices.first { index in
            let byte = utf8[index]
            let isC1 = byte == 0xC2 && index + 1 < utf8.count && utf8[index + 1] < 0xA0
            return byte < 0x20 || byte == 0x7F || isC1
        }
    }

    /// Orders lexicographically by bytes.
    package static func < (left: NoteName, right: NoteName) -> Bool {
        left.bytes < right.bytes
    }
}

extension NoteName: CustomStringConvertible {
    /// The rule and what breaks it, as a sentence without a full stop.
    package var description: String { bytes.description }
}

/// The rule that a text breaks when it is not a valid name.
package enum InvalidName: Error, Hashable {
    /// The text is empty.
    case empty
    /// The text is longer than `NoteName.bytesMax`.
    case tooLong(bytes: Int)
    /// The text begins or ends with `/`, or contains `//`.
    case emptyPart
    /// A part is longer than `NoteName.partBytesMax`.
    case partTooLong(bytes: Int)
    /// A part is `.` or `..`.
    case dotPart
    /// There is a control character at this byte offset.
    case controlCharacter(offset: Int)
}

extension InvalidName: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "a name must have at least one byte; use null for a note without a name"
        case .tooLong(let bytes): "a name can have at most \(NoteName.bytesMax) bytes; this one has \(bytes)"
        case .emptyPart: "a name cannot have an empty part: no slash at either end, and no two in a row"
        case .partTooLong(let bytes): "a part of a name can have at most \(NoteName.partBytesMax) bytes; one has \(bytes)"
        case .dotPart: "a part of a name cannot be . or .."
        case .controlCharacter(let offset): "a name cannot have a control character; there is one at byte \(offset)"
        }
    }
}
