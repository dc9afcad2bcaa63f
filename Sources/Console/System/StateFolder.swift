import Glibc

/// The program's own folder in the user's state directory. All of a user's sessions share it.
package enum StateFolder {
    /// The folder's path; nil if neither `XDG_STATE_HOME` nor `HOME` is set.
    package static var path: String? {
        Environment.state.map { state in
            (state.hasPrefix("/") ? "/" : "") + (state.split(separator: "/") + [Program.name[...]]).joined(separator: "/")
        }
    }

    /// Creates the folder, and the folders above it that are missing. Errors are ignored: a file that is
    /// then opened in the folder reports them.
    ///
    /// - Returns: the path; nil if neither variable is set.
    @discardableResult
    package static func made() -> String? {
        guard let path else { return nil }
        var folder: [UInt8] = []
        for part in Array(path.utf8).split(separator: UInt8(ascii: "/")) {
            folder += [UInt8(ascii: "/")] + part
            _ = folder.withCPath { mkdir($0, 0o700) }
        }
        return path
    }
}
