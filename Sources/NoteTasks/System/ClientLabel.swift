import Glibc

/// Parts of the label of a connection that serves another program, such as `HOST/mcp/CLIENT`.
package enum ClientLabel {
    /// Longest name of a program that a label contains, in bytes.
    package static let nameBytesMax = 64

    /// The name of a program. Characters that could be mistaken for a separator or that a terminal obeys
    /// become `-`.
    ///
    /// - Parameter unnamed: the name of a program that has none.
    package static func name(_ name: String, unnamed: String) -> String {
        let shown = name.unicodeScalars.map { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": Character(scalar)
            default: Character("-")
            }
        }
        return shown.isEmpty ? unnamed : String(shown.prefix(nameBytesMax))
    }

    /// The name of this machine.
    package static var host: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "localhost" }
        return withUnsafeBytes(of: names.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
