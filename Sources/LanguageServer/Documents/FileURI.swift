import NoteText

/// Conversions between paths and `file:` URIs.
enum FileURI {
    private static let scheme = "file://"
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)

    /// The absolute path that a URI names; nil for another scheme, another machine and bytes that are not
    /// UTF-8.
    static func path(of uri: String) -> String? {
        guard uri.lowercased().hasPrefix(scheme) else { return nil }
        let rest = Array(uri.utf8.dropFirst(scheme.utf8.count))
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let host = String(decoding: rest[..<slash], as: UTF8.self)
        guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
        var path: [UInt8] = []
        var offset = slash
        while offset < rest.count, rest[offset] != UInt8(ascii: "?"), rest[offset] != UInt8(ascii: "#") {
            if rest[offset] == UInt8(ascii: "%"), offset + 2 < rest.count,
                let byte = UInt8(String(decoding: rest[offset + 1...offset + 2], as: UTF8.self), radix: 16)
            {
                path.append(byte)
                offset += 3
            } else {
                path.append(rest[offset])
                offset += 1
            }
        }
        guard !path.contains(0) else { return nil }
        return ByteString(checkedUTF8: path)?.description
    }

    static func text(ofPath path: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = path.flatMap { byte in
            plain.contains(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
        }
        return scheme + String(decoding: bytes, as: UTF8.self)
    }
}
