import Glibc
import TestKit
import Testing

@testable import Systemd

/// What the service manager hears, over a real socket.
@Suite struct ServiceManagerTests {
    private func manager(_ heard: Datagrams, _ variables: [String: String] = [:]) throws -> ServiceManager {
        let all = variables.merging(["NOTIFY_SOCKET": heard.path]) { $1 }
        return try #require(ServiceManager { all[$0] })
    }

    @Test func everyNotification_isADatagramOfAssignments() throws {
        let directory = try TemporaryDirectory()
        let heard = try Datagrams(at: directory.path + "/notify")
        let manager = try manager(heard)
        manager.extendTimeout(by: .seconds(30))
        manager.ready(status: "7 notes")
        manager.keepAlive()
        manager.keepAlive(status: "8 notes")
        manager.stopping(status: "stops")
        manager.failed(code: EIO, status: "the disk is gone")
        let expected = [
            "EXTEND_TIMEOUT_USEC=30000000", "READY=1\nSTATUS=7 notes", "WATCHDOG=1", "WATCHDOG=1\nSTATUS=8 notes",
            "STOPPING=1\nSTATUS=stops", "ERRNO=5\nSTATUS=the disk is gone",
        ]
        for words in expected { #expect(heard.nextText() == words) }
        manager.reloading()
        let reloading = try #require(heard.nextText())
        #expect(reloading.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[0-9]+\nSTATUS=.*/) != nil, "\(reloading)")
        #expect(heard.next() == nil)
    }

    @Test func abstractSocket_isReached() throws {
        let heard = try Datagrams(at: "@notesd-test-\(getpid())-\(UInt64.random(in: 0 ... .max))")
        try manager(heard).keepAlive()
        #expect(heard.nextText() == "WATCHDOG=1")
    }

    /// A status quotes errors, and those quote what people wrote.
    @Test func status_cannotInjectAssignments() throws {
        let directory = try TemporaryDirectory()
        let heard = try Datagrams(at: directory.path + "/notify")
        try manager(heard).status("no\nREADY=1\u{0}" + String(repeating: "é", count: 4_000))
        let said = try #require(heard.nextText())
        #expect(said.hasPrefix("STATUS=no READY=1 "))
        #expect(!said.contains("\n"))
        #expect(said.utf8.count < 1_100)
    }

    @Test func missingNotifySocket_isNoManager() {
        for path in [nil, "", "relative", "@", "vsock:2:1234", "/" + String(repeating: "x", count: 200)] as [String?] {
            #expect(ServiceManager { $0 == "NOTIFY_SOCKET" ? path : nil } == nil, "\(path ?? "none")")
        }
    }

    @Test func absentManager_isNoError() throws {
        let directory = try TemporaryDirectory()
        let heard = try Datagrams(at: directory.path + "/notify")
        let manager = try manager(heard)
        unlink(heard.path)
        manager.ready(status: "still here")
        #expect(heard.next() == nil)
    }

    @Test func watchdog_isForThisProcess() throws {
        let directory = try TemporaryDirectory()
        let heard = try Datagrams(at: directory.path + "/notify")
        #expect(try manager(heard).watchdog == nil)
        #expect(try manager(heard, ["WATCHDOG_USEC": "3000000"]).watchdog == .seconds(3))
        #expect(try manager(heard, ["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "\(getpid())"]).watchdog == .seconds(3))
        #expect(try manager(heard, ["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"]).watchdog == nil)
        for wrong in ["", "0", "-1", "soon", "99999999999999999999"] {
            #expect(try manager(heard, ["WATCHDOG_USEC": wrong]).watchdog == nil)
        }
    }
}
