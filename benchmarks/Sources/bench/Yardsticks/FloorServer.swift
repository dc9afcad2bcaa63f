import CLinux
import Glibc

/// The floor program: the least that a server in Swift can do for a durable save through SQLite, as
/// a bound for the daemon. `bench` starts itself as this server; users never do.
///
/// It reads requests with epoll, parses them as strict JSON in one pass, finds the edit by common
/// ends, and writes the daemon's two rows for each save. A second thread commits them while the
/// first reads and applies more requests. A response and the lines of watchers leave after the
/// commit, and have the daemon's form and length.
///
/// It has no merges, no filters and no limits. It also has no rights, operations, checksums, search,
/// compaction, undo or conflicts, every base must be the newest version, and it ends at the first
/// request that it does not understand.
final class FloorServer {
    /// The word with which `bench` starts this server, followed by the paths of socket and store.
    static let word = "floor-server"

    static func run(_ paths: ArraySlice<String>) throws(Failure) {
        guard let socket = paths.first, let store = paths.last, paths.count == 2 else {
            throw Failure("\(word) needs the paths of a socket and of a store")
        }
        let server = try FloorServer(socket: socket, store: try FloorStore(path: store))
        while true { try server.turn() }
    }

    private final class Connection {
        var received: [UInt8] = []
        /// Bytes that the socket had no room for.
        var unsent: [UInt8] = []
        /// Sequence number of the last line of the watch. Nil without a watch.
        var watchSequence: Int?
    }

    private struct Note {
        var text: [UInt8]
        var sequence: Int
        var saves = 0
    }

    /// The lines that leave when a commit is durable.
    private struct Held {
        let sequence: Int
        let connection: Int32
        let response: [UInt8]
        /// The line of watchers after its sequence number. Nil if no connection watches.
        let line: [UInt8]?
    }

    private let store: FloorStore
    private let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    private let listener: Int32
    private var events = [epoll_event](repeating: epoll_event(), count: 1_024)
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    /// By descriptor.
    private var connections: [Connection?] = []
    private var watchers: [Int32] = []
    private var notes: [Note] = []
    private var sequence = 0
    private var rows: [FloorRow] = []
    private var held: [Held] = []

    private static let replica = "f1000000f1000000"
    private static let noteStart = "00000000-0000-7000-8000-"
    private static let answerStart = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    private static let dot = ArraySlice(#","result":{"outcome":"saved","dot":"\#(replica):"#.utf8)
    private static let version = ArraySlice(#"","version":"\#(replica):"#.utf8)
    private static let answerEnd = ArraySlice("\"}}\n".utf8)
    private static let lineStart = Array(#"{"jsonrpc":"2.0","method":"note.changed","params":{"watch":1,"seq":"#.utf8)

    private init(socket path: String, store: FloorStore) throws(Failure) {
        self.store = store
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0, listen(listener, 4_096) == 0 else { throw Failure(call: "bind or listen") }
        for descriptor in [listener, store.done] { try poll(descriptor, EPOLL_CTL_ADD, EPOLLIN.rawValue) }
        store.start()
    }

    private func poll(_ descriptor: Int32, _ operation: Int32, _ wanted: UInt32) throws(Failure) {
        var event = epoll_event()
        event.events = wanted
        event.data.fd = descriptor
        guard epoll_ctl(epoll, operation, descriptor, &event) == 0 else { throw Failure(call: "epoll_ctl") }
    }

    /// Handles what is ready, and hands the rows of this turn to the second thread.
    private func turn() throws(Failure) {
        let count = epoll_wait(epoll, &events, Int32(events.count), -1)
        guard count >= 0 || errno == EINTR else { throw Failure(call: "epoll_wait") }
        for event in events.prefix(Int(max(0, count))) {
            let descriptor = event.data.fd
            if descriptor == listener {
                let accepted = accept(listener, nil, nil)
                guard accepted >= 0 else { throw Failure(call: "accept") }
                while connections.count <= Int(accepted) { connections.append(nil) }
                connections[Int(accepted)] = Connection()
                try poll(accepted, EPOLL_CTL_ADD, EPOLLIN.rawValue)
            } else if descriptor == store.done {
                try release(through: store.durable())
            } else {
                if event.events & EPOLLOUT.rawValue != 0 { try send([], to: descriptor) }
                if event.events & ~EPOLLOUT.rawValue != 0 { try receive(descriptor) }
            }
        }
        guard !rows.isEmpty else { return }
        store.add(rows)
        rows.removeAll(keepingCapacity: true)
    }

    private func receive(_ descriptor: Int32) throws(Failure) {
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN { return }
        guard count > 0, let connection = connections[Int(descriptor)] else {
            connections[Int(descriptor)] = nil
            watchers.removeAll { $0 == descriptor }
            close(descriptor)
            return
        }
        connection.received.append(contentsOf: buffer[..<count])
        let received = connection.received
        let used = try received.withUnsafeBufferPointer { bytes throws(Failure) in
            var start = 0
            while let base = bytes.baseAddress, let end = memchr(base + start, 0x0a, bytes.count - start) {
                let length = UnsafeRawPointer(end) - UnsafeRawPointer(base + start)
                try handle(try FloorRequest(UnsafeBufferPointer(start: base + start, count: length)), from: descriptor)
                start += length + 1
            }
            return start
        }
        if used == received.count {
            connection.received.removeAll(keepingCapacity: true)
        } else {
            connection.received.removeFirst(used)
        }
    }

    private func handle(_ request: FloorRequest, from descriptor: Int32) throws(Failure) {
        let method = request.method
        if method.elementsEqual("note.save".utf8) { return try save(request, from: descriptor) }
        let start = Self.answerStart + request.id
        if method.elementsEqual("note.create".utf8) {
            notes.append(Note(text: [], sequence: 0))
            let note = notes.count - 1
            commit(request.text, to: note)
            let result = #","result":{"note":{"id":"\#(Self.id(note))","version":"\#(Self.replica):\#(sequence)"}}}"# + "\n"
            held.append(Held(sequence: sequence, connection: descriptor, response: start + result.utf8, line: nil))
        } else if method.elementsEqual("session.hello".utf8) {
            try send(start + (#","result":{"protocol":1}}"# + "\n").utf8, to: descriptor)
        } else if method.elementsEqual("notes.watch".utf8) {
            watchers.append(descriptor)
            connections[Int(descriptor)]?.watchSequence = 1
            let cursor = #""cursor":"\#(sequence).\#(Self.replica)""#
            let synced = #"{"jsonrpc":"2.0","method":"watch.synced","params":{"watch":1,"seq":1,\#(cursor)}}"#
            try send(start + "\(#","result":{"watch":1,\#(cursor),"reset":false}}"#)\n\(synced)\n".utf8, to: descriptor)
        } else {
            throw Failure("unknown method \(String(decoding: method, as: UTF8.self))")
        }
    }

    private static func id(_ note: Int) -> String {
        let digits = String(note)
        return noteStart + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private func save(_ request: FloorRequest, from descriptor: Int32) throws(Failure) {
        let note = FloorRequest.number(request.note.suffix(12))
        guard let note, notes.indices.contains(note) else { throw Failure("a save of an unknown note") }
        guard FloorRequest.number(request.base.dropFirst(Self.replica.utf8.count + 1)) == notes[note].sequence else {
            throw Failure("a save on a version that is not the newest")
        }
        commit(request.text, to: note)
        let digits = String(sequence).utf8
        var response = Self.answerStart
        response.reserveCapacity(192)
        for part in [request.id[...], Self.dot, ArraySlice(digits), Self.version, ArraySlice(digits), Self.answerEnd] {
            response += part
        }
        var line: [UInt8]?
        if !watchers.isEmpty {
            let version = #""\#(Self.replica):\#(sequence)""#
            let title = String(
                decoding: request.text.drop { $0 == 0x23 || $0 == 0x20 }.prefix { $0 != 0x0a }.prefix(200), as: UTF8.self)
            line = Array(
                (#","cursor":"\#(sequence).\#(Self.replica)","change":"edited","note":{"id":"\#(Self.id(note))","name":null,"#
                    + #""version":\#(version),"conflicts":[],"title":"\#(title)","tags":[],"created":"2026-01-01T00:00:00.000Z","#
                    + #""modified":"2026-01-01T00:00:00.000Z","author":{"user":"root","label":null},"bytes":\#(request.text.count),"#
                    + #""deleted":false},"origin":{"dependent":1,"label":null}}}"# + "\n").utf8)
        }
        held.append(Held(sequence: sequence, connection: descriptor, response: response, line: line))
    }

    /// Applies the text in memory and adds the rows of the save.
    private func commit(_ text: [UInt8], to note: Int) {
        let old = notes[note].text
        let shorter = min(old.count, text.count)
        var (same, sameEnd) = (0, 0)
        while same < shorter, old[same] == text[same] { same += 1 }
        while sameEnd < shorter - same, old[old.count - 1 - sameEnd] == text[text.count - 1 - sameEnd] { sameEnd += 1 }
        var edits: [UInt8] = []
        edits.reserveCapacity(8 + text.count)
        for place in [same, old.count - sameEnd] { withUnsafeBytes(of: UInt32(place).littleEndian) { edits += $0 } }
        edits += text[same..<(text.count - sameEnd)]
        sequence += 1
        let back = notes[note].sequence == 0 ? 0 : sequence - notes[note].sequence
        // The daemon keeps a full text of a note with such saves in about every fourth row.
        let full = notes[note].saves % 4 == 3 ? text : nil
        rows.append(FloorRow(sequence: sequence, note: note, back: back, bytes: text.count, edits: edits, text: full))
        notes[note].text = text
        notes[note].sequence = sequence
        notes[note].saves += 1
    }

    /// Sends everything that waited for commits up to this number.
    private func release(through durable: Int) throws(Failure) {
        let count = held.firstIndex { $0.sequence > durable } ?? held.count
        let ready = held[..<count]
        for entry in ready { try send(entry.response, to: entry.connection) }
        let lines = ready.compactMap(\.line)
        var (made, madeFor) = ([UInt8](), -1)
        for watcher in lines.isEmpty ? [] : watchers {
            guard let connection = connections[Int(watcher)], let last = connection.watchSequence else { continue }
            if last != madeFor {
                made = lines.enumerated().flatMap { Self.lineStart + String(last + 1 + $0).utf8 + $1 }
                madeFor = last
            }
            connection.watchSequence = last + lines.count
            try send(made, to: watcher)
        }
        held.removeFirst(count)
    }

    /// Sends what was left over and then `bytes`, and keeps what the socket has no room for.
    private func send(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        guard let connection = connections[Int(descriptor)] else { return }
        let hadUnsent = !connection.unsent.isEmpty
        let all = hadUnsent ? connection.unsent + bytes : bytes
        let count = Glibc.send(descriptor, all, all.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        guard count >= 0 || errno == EAGAIN || errno == EPIPE else { throw Failure(call: "send") }
        if count == all.count && !hadUnsent { return }
        connection.unsent = Array(all.dropFirst(max(0, count)))
        try poll(descriptor, EPOLL_CTL_MOD, EPOLLIN.rawValue | (connection.unsent.isEmpty ? 0 : EPOLLOUT.rawValue))
    }
}
