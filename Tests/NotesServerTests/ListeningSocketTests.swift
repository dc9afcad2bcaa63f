import Glibc
import Testing

@testable import NotesServer

/// The socket's file: its owner and mode, and the files that are never touched.
@Suite struct ListeningSocketTests {
    @Test func socketAndCreatedDirectories_arePrivate() throws {
        try withDirectory { directory in
            let path = directory + "/a/b/notesd.sock"
            let socket = try ListeningSocket.bind(to: path)
            defer { close(socket.descriptor) }
            #expect(mode(of: path) == 0o600)
            #expect(mode(of: directory + "/a") == 0o700)
            #expect(mode(of: directory + "/a/b") == 0o700)
        }
    }

    @Test func existingDirectory_keepsItsMode() throws {
        try withDirectory { directory in
            chmod(directory, 0o755)
            let socket = try ListeningSocket.bind(to: directory + "/notesd.sock")
            defer { close(socket.descriptor) }
            #expect(mode(of: directory) == 0o755)
        }
    }

    /// A user who can write the directory could replace the daemon's socket.
    @Test func sharedDirectory_isRefusedUnlessSticky() throws {
        try withDirectory { directory in
            let open = directory + "/open"
            mkdir(open, 0o700)
            chmod(open, 0o777)
            symlink(open, directory + "/link")
            for place in ["/open", "/link"] {
                let error = ListenError.openDirectory(directory + place)
                #expect(throws: error) { try ListeningSocket.bind(to: directory + place + "/notesd.sock") }
            }
            #expect(mode(of: open + "/notesd.sock") == nil)
            chmod(open, 0o1777)
            close(try ListeningSocket.bind(to: open + "/notesd.sock").descriptor)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "giving a directory away needs root"))
    func directoryOfAnotherUser_isRefused() throws {
        try withDirectory { directory in
            let theirs = directory + "/theirs"
            mkdir(theirs, 0o755)
            // In a container, root may be unable to use other user ids.
            guard chown(theirs, 65_534, 65_534) == 0 else { return }
            #expect(throws: ListenError.foreignDirectory(theirs, owner: 65_534)) {
                try ListeningSocket.bind(to: theirs + "/notesd.sock")
            }
            #expect(mode(of: theirs + "/notesd.sock") == nil)
        }
    }

    @Test func staleSocket_isReplaced() throws {
        try withDirectory { directory in
            let path = directory + "/notesd.sock"
            let first = try ListeningSocket.bind(to: path)
            close(first.descriptor)
            let second = try ListeningSocket.bind(to: path)
            defer { close(second.descriptor) }
            #expect(mode(of: path) == 0o600)
        }
    }

    @Test func activeSocket_isNotReplaced() throws {
        try withDirectory { directory in
            let path = directory + "/notesd.sock"
            let first = try ListeningSocket.bind(to: path)
            defer { close(first.descriptor) }
            listen(first.descriptor, 1)
            #expect(throws: ListenError.alreadyListening(path: path)) { try ListeningSocket.bind(to: path) }
        }
    }

    @Test func otherFile_isNotReplaced() throws {
        try withDirectory { directory in
            let file = directory + "/file"
            close(open(file, O_CREAT | O_WRONLY, 0o600))
            #expect(throws: ListenError.notASocket(path: file)) { try ListeningSocket.bind(to: file) }
            let link = directory + "/link"
            symlink(directory + "/elsewhere", link)
            #expect(throws: ListenError.notASocket(path: link)) { try ListeningSocket.bind(to: link) }
            #expect(mode(of: file) == 0o600)
            #expect(throws: ListenError.notASocket(path: directory)) { try ListeningSocket.bind(to: directory) }
        }
    }

    @Test func longestPath_works_andOneByteMoreFails() throws {
        try withDirectory { directory in
            let room = ListeningSocket.pathBytesMax - directory.utf8.count - 1
            let longest = directory + "/" + String(repeating: "s", count: room)
            let socket = try ListeningSocket.bind(to: longest)
            close(socket.descriptor)
            let error = #expect(throws: ListenError.self) { try ListeningSocket.bind(to: longest + "s") }
            #expect(error == .pathTooLong(path: longest + "s", bytes: 108, limit: 107))
            #expect(error.map { "\($0)" }?.contains("108 bytes, and the system permits 107") == true)
        }
    }

    @Test func removeFile_keepsForeignSocket() throws {
        try withDirectory { directory in
            let path = directory + "/notesd.sock"
            let first = try ListeningSocket.bind(to: path)
            close(first.descriptor)
            rename(path, path + ".kept")
            let second = try ListeningSocket.bind(to: path)
            defer { close(second.descriptor) }
            first.removeFile()
            #expect(mode(of: path) == 0o600)
            second.removeFile()
            #expect(mode(of: path) == nil)
        }
    }

    @Test func uncreatableDirectory_isAClearError() throws {
        try withDirectory { directory in
            let file = directory + "/file"
            close(open(file, O_CREAT | O_WRONLY, 0o600))
            let error = #expect(throws: ListenError.self) { try ListeningSocket.bind(to: file + "/notesd.sock") }
            #expect(error.map { "\($0)" }?.hasSuffix("Not a directory") == true)
        }
    }
}

/// The permission bits of a file; nil if it does not exist.
func mode(of path: String) -> mode_t? {
    var file = stat()
    return lstat(path, &file) == 0 ? file.st_mode & 0o777 : nil
}

/// A temporary directory, removed with its contents.
func withDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
    let directory = try makeDirectory()
    defer { remove(directory) }
    return try body(directory)
}

func makeDirectory() throws -> String {
    var template = Array("/tmp/notesd-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw ListenError.systemCall("mkdtemp", path: "/tmp", code: errno) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func remove(_ directory: String) {
    if let entries = opendir(directory) {
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            let path = directory + "/" + name
            if unlink(path) != 0 { remove(path) }
        }
        closedir(entries)
    }
    rmdir(directory)
}
