/// The service of the user's systemd that keeps a folder in step, an instance of
/// `notesd-mirror@.service`.
package struct MirrorUnit: Hashable {
    /// The name of the unit; ASCII.
    package let name: String

    package static let template = "notesd-mirror@.service"
    /// Most bytes of a unit's name, as systemd defines it.
    private static let bytesMax = 255

    /// - Parameter folder: the real path.
    /// - Returns: nil if the name would be too long.
    package init?(folder: [UInt8]) {
        name = Self.template.replacing("@", with: "@" + Self.escaped(folder))
        if name.utf8.count > Self.bytesMax { return nil }
    }

    /// The path as `systemd-escape --path` writes it.
    private static func escaped(_ path: [UInt8]) -> String {
        let parts = path.split(separator: UInt8(ascii: "/"))
        guard !parts.isEmpty else { return "-" }
        var result = ""
        for (index, byte) in parts.joined(separator: [UInt8(ascii: "/")]).enumerated() {
            switch byte {
            case UInt8(ascii: "/"): result += "-"
            case UInt8(ascii: ".") where index > 0, UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return result
    }
}
