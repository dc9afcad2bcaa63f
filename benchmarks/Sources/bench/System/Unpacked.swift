import Foundation

/// Contents of files, decompressed with `gzip` if their name ends with `.gz`.
enum Unpacked {
    static func contents(of path: String) throws(Failure) -> Data {
        guard path.hasSuffix(".gz") else { return try plain(path) }
        let folder = try Scratch(in: "/tmp")
        defer { withExtendedLifetime(folder) {} }
        let file = "\(folder.path)/unpacked"
        try shell(#"exec gzip -dc -- "$0" > "$1""#, path, file)
        return try plain(file)
    }

    /// Size of the file compressed with `gzip`; of a compressed file, its own size.
    static func packedBytes(of path: String) throws(Failure) -> Int {
        guard !path.hasSuffix(".gz") else { return try plain(path).count }
        let folder = try Scratch(in: "/tmp")
        defer { withExtendedLifetime(folder) {} }
        let file = "\(folder.path)/packed"
        try shell(#"exec gzip -9c -- "$0" > "$1""#, path, file)
        return try plain(file).count
    }

    private static func shell(_ script: String, _ arguments: String...) throws(Failure) {
        let code = try Child(["/bin/sh", "-c", script] + arguments, environment: ["PATH=/usr/bin:/bin"]).wait()
        guard code == 0 else { throw Failure("gzip ended with \(code) on \(arguments[0])") }
    }

    private static func plain(_ path: String) throws(Failure) -> Data {
        guard let data = FileManager.default.contents(atPath: path) else { throw Failure("\(path) cannot be read") }
        return data
    }
}
