package import Causality
import Console
import Glibc
import NoteText
package import NotesClient
import NotesModel
import NotesWire
package import Replication
import StrictJSON

/// A peer that the user has set up: a file `peers/NAME` in the configuration directory, one JSON object.
package struct PeerFile: Hashable {
    package typealias Direction = Replicator<PeerConnection, PeerConnection>.Direction

    /// The name.
    package let name: String
    /// The address.
    package var address: PeerAddress
    /// The id of its store. An address that leads to another store is not used: two bodies of notes that
    /// were joined cannot be parted.
    package let store: ReplicaID
    var direction: Direction = .both
    /// The id of the store here that was joined. Another store of the same user is not sent to the peer. Nil
    /// in a file of an unreleased version, in which the first `notesctl sync` writes it.
    package var own: ReplicaID?
    /// The socket of the daemon here; nil for the default.
    package var socket: String?

    package init(
        name: String, address: PeerAddress, store: ReplicaID, direction: Direction = .both, own: ReplicaID? = nil,
        socket: String? = nil
    ) {
        self.name = name
        self.address = address
        self.store = store
        self.direction = direction
        self.own = own
        self.socket = socket
    }

    /// Whether a text can name a peer: 1 to 32 of `a-z`, `0-9` and `-`, since it is part of a unit's name.
    static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && !text.hasPrefix("-")
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-")
            }
    }

    /// Checks a name.
    ///
    /// - Throws: `ExitFailure` with the code `usage`.
    package static func checkName(_ name: String) throws {
        guard isName(name) else {
            throw ExitFailure(
                "\(SafeText.line(name)) cannot be the name of a peer; use up to 32 of a-z, 0-9 and -", .usage)
        }
    }

    /// The directory of the files.
    ///
    /// - Throws: `ExitFailure` if the user has no configuration directory.
    private static func folder() throws -> String {
        guard let base = Environment["XDG_CONFIG_HOME"] ?? Environment["HOME"].map({ $0 + "/.config" }) else {
            throw ExitFailure("peers need a configuration directory; set HOME or XDG_CONFIG_HOME", .usage)
        }
        return base + "/notesd/peers"
    }

    package static func path(of name: String) throws -> String { try folder() + "/" + name }

    /// The peer of a name.
    ///
    /// - Throws: `ExitFailure` if there is none, or its file cannot be read.
    package static func read(_ name: String) throws -> PeerFile {
        try checkName(name)
        let path = try path(of: name)
        guard access(path, F_OK) == 0 else {
            throw ExitFailure("there is no peer \(name); `notesctl peer list` shows the peers", .usage)
        }
        let fault = ExitFailure(
            "\(SafeText.line(path)) is not the file of a peer; remove it, and use `notesctl peer add`", .badData)
        guard let bytes = try? Descriptor.open(Array(path.utf8), O_RDONLY).readAll(),
            let root = try? JSONDocument(parsing: bytes, depthMax: 4).root,
            let address = root["address"]?.string.flatMap({ try? PeerAddress($0.description) }),
            let store = root["store"]?.string.flatMap({ ReplicaID(parsing: $0.utf8) }),
            let direction = root["direction"]?.string.flatMap({ Direction(rawValue: $0.description) })
        else { throw fault }
        var file = PeerFile(name: name, address: address, store: store, direction: direction)
        file.socket = root["socket"]?.string?.description
        if let own = root["own"] {
            guard let own = own.string.flatMap({ ReplicaID(parsing: $0.utf8) }) else { throw fault }
            file.own = own
        }
        return file
    }

    /// All peers, by name.
    ///
    /// - Throws: `ExitFailure` if a file cannot be read.
    package static func all() throws -> [PeerFile] {
        guard let entries = opendir(try folder()) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if isName(name) { names.append(name) }
        }
        return try names.sorted().map(read)
    }

    /// Writes the file, mode 0600, in one step.
    ///
    /// - Throws: `ExitFailure` if it cannot be written.
    package func write() throws {
        let folder = try Self.folder()
        try PrivateDirectory.make(folder)
        var writer = JSONWriter()
        writer.object { peer in
            peer.member("address", "\(address)")
            peer.member("store", store.description)
            peer.member("direction", direction.rawValue)
            if let own { peer.member("own", own.description) }
            if let socket { peer.member("socket", socket) }
        }
        writer.endLine()
        let path = try Self.path(of: name)
        let draft = "\(folder)/.\(name).\(getpid())"
        do throws(Descriptor.OpenError) {
            let file = try Descriptor.open(Array(draft.utf8), O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
            try file.writeAll(writer.bytes)
        } catch {
            unlink(draft)
            throw ExitFailure("cannot write \(SafeText.line(path)): \(error.text)")
        }
        guard rename(draft, path) == 0 else {
            throw ExitFailure("cannot write \(SafeText.line(path)): \(SystemError.text(errno))")
        }
    }

    /// Adds the id of the store here to the file of an unreleased version, and writes it.
    ///
    /// - Throws: `ExitFailure`, or `ClientError` if the daemon here does not answer.
    package mutating func setOwn(_ here: ClientOptions) async throws {
        guard own == nil else { return }
        let mine = PeerConnection(client: try await NotesClient.connect(here))
        own = try await mine.store
        await mine.client.close()
        try write()
    }

    /// Checks that a daemon here has the store that the peer was set up with.
    ///
    /// - Throws: `ReplicationFault` if it has another store.
    package func check(own found: ReplicaID?, at socket: String) throws(ReplicationFault) {
        guard let own, let found, own != found else { return }
        throw .otherOwnStore(expected: own, found: found, socket: socket)
    }

    /// Removes the file.
    ///
    /// - Throws: `ExitFailure` if it cannot be removed.
    package func remove() throws {
        let path = try Self.path(of: name)
        guard unlink(path) == 0 || errno == ENOENT else {
            throw ExitFailure("cannot remove \(SafeText.line(path)): \(SystemError.text(errno))")
        }
    }
}
