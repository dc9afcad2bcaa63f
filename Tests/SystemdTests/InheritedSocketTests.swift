import Glibc
import TestKit
import Testing

@testable import Systemd

/// Sockets that are handed over, with real descriptors.
@Suite struct InheritedSocketTests {
    /// Descriptors that follow each other, as the manager hands them over.
    private final class Handed {
        let first = InheritedSocketTests.first
        let count: CInt
        let directory: TemporaryDirectory

        /// - Parameter kinds: of each; `SOCK_STREAM` listens.
        init(_ kinds: [CInt]) throws {
            directory = try TemporaryDirectory()
            count = CInt(kinds.count)
            for (index, kind) in kinds.enumerated() {
                let descriptor = socket(AF_UNIX, kind, 0)
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(directory.path)/\(index)".utf8) }
                _ = withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
                if kind == CInt(SOCK_STREAM.rawValue) { listen(descriptor, 1) }
                dup2(descriptor, first + CInt(index))
                close(descriptor)
            }
        }

        deinit {
            for index in 0..<count { close(first + index) }
        }

        func find(_ variables: [String: String]) throws -> InheritedSocket? {
            try InheritedSocket.find(first: first) { variables[$0] }
        }
    }

    /// So high that no other test has the number, as 700 was not: `dup2` closes what has it. Not higher, since the system keeps a
    /// table of all lower numbers.
    private static let first: CInt = {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return CInt(min(60_000, limit.rlim_cur - 8))
    }()

    private static let stream = CInt(SOCK_STREAM.rawValue)
    private static let me = "\(getpid())"

    /// One after the other, since they use the same descriptors.
    @Test func sockets_areFoundOrRefused() throws {
        try takesTheOnlyOne()
        try takesTheOneCalledRPC()
        try ignoresSocketsOfOtherProcesses()
        try refusesUnsuitableSockets()
    }

    private func takesTheOnlyOne() throws {
        let handed = try Handed([Self.stream])
        let socket = try #require(try handed.find(["LISTEN_PID": Self.me, "LISTEN_FDS": "1", "LISTEN_FDNAMES": "anything"]))
        #expect(socket.descriptor == Self.first)
        #expect(socket.path == handed.directory.path + "/0")
        #expect(fcntl(Self.first, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(Self.first, F_GETFL) & O_NONBLOCK != 0)
    }

    private func takesTheOneCalledRPC() throws {
        let handed = try Handed([Self.stream, Self.stream])
        let variables = ["LISTEN_PID": Self.me, "LISTEN_FDS": "2"]
        let named = variables.merging(["LISTEN_FDNAMES": "web:rpc"]) { $1 }
        #expect(try handed.find(named)?.descriptor == Self.first + 1)
        for names in ["", "rpc:rpc", "web", "web:other"] {
            let fault = #expect(throws: InheritanceFault.self) {
                try handed.find(variables.merging(["LISTEN_FDNAMES": names]) { $1 })
            }
            #expect(fault?.message.contains("FileDescriptorName=rpc") == true)
        }
    }

    private func ignoresSocketsOfOtherProcesses() throws {
        let handed = try Handed([Self.stream])
        #expect(try handed.find([:]) == nil)
        #expect(try handed.find(["LISTEN_FDS": "1"]) == nil)
        #expect(try handed.find(["LISTEN_PID": "1", "LISTEN_FDS": "1"]) == nil)
        #expect(try handed.find(["LISTEN_PID": Self.me, "LISTEN_FDS": "0"]) == nil)
    }

    private func refusesUnsuitableSockets() throws {
        let datagrams = try Handed([CInt(SOCK_DGRAM.rawValue)])
        let variables = ["LISTEN_PID": Self.me, "LISTEN_FDS": "1"]
        let fault = #expect(throws: InheritanceFault.self) { try datagrams.find(variables) }
        #expect(fault?.message.contains("not a listening Unix stream socket") == true)
        for count in ["", "-1", "many", "5000", "99999999999999999999"] {
            #expect(throws: InheritanceFault.self) {
                try datagrams.find(["LISTEN_PID": Self.me, "LISTEN_FDS": count])
            }
        }
        let none = #expect(throws: InheritanceFault.self) {
            try InheritedSocket.find(first: 900) { variables[$0] }
        }
        #expect(none != nil, "a descriptor that is not open")
    }
}
