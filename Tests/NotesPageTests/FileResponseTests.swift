import NIOHTTP1
import NoteText
import NotesModel
import PageDevices
import Testing

@testable import NotesPage

/// The responses with files, from a request's head.
struct FileResponseTests {
    private static let bytes = Array("0123456789".utf8)
    private static let content = FileContent(of: bytes)
    private static let note = "019ad0aa-0000-7000-8000-000000000001"

    private func request(_ target: String, _ headers: [(String, String)] = [], _ method: HTTPMethod = .GET) -> PageRequest {
        let all = HTTPHeaders([("Host", "127.0.0.1:7683")] + headers)
        return PageRequest(HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: all), from: "")
    }

    private func response(_ name: String?, _ headers: [(String, String)] = [], _ method: HTTPMethod = .GET) throws -> PageResponse
    {
        let file = ShownFile(content: Self.content, name: try name.map { try NoteName(ByteString($0)) })
        return PageResponse(file, for: request("/file", headers, method))
    }

    /// A range, and the bytes that it means; nil for a range that counts as none, and empty for one outside.
    static let ranges: [(String, Range<Int>?)] = [
        ("bytes=0-0", 0..<1), ("bytes=2-4", 2..<5), ("bytes=3-", 3..<10), ("bytes=-4", 6..<10), ("bytes=-99", 0..<10),
        ("bytes=9-99", 9..<10), ("bytes=0-999999999999999", 0..<10), ("bytes=10-", 0..<0), ("bytes=99-100", 0..<0),
        ("bytes=-0", 0..<0), ("bytes=4-2", nil), ("bytes=-", nil), ("bytes=", nil), ("bytes=0-1,3-4", nil), ("bytes=a-b", nil),
        ("bytes=+1-2", nil), ("bytes= 1-2", nil), ("lines=1-2", nil), ("bytes=1-9999999999999999999999", nil),
        ("bytes=1--2", nil),
    ]

    @Test(arguments: ranges) func range_isServed(header: String, expected: Range<Int>?) throws {
        let response = try response("a.png", [("Range", header)])
        switch expected {
        case nil:
            #expect(response.status == .ok && response.part?.range == 0..<10)
            #expect(response.headers["Content-Length"] == ["10"])
        case let range? where range.isEmpty:
            #expect(response.status == .rangeNotSatisfiable && response.part == nil)
            #expect(response.headers["Content-Range"] == ["bytes */10"])
        case let range?:
            #expect(response.status == .partialContent && response.part?.range == range)
            #expect(response.headers["Content-Length"] == ["\(range.count)"])
            #expect(response.headers["Content-Range"] == ["bytes \(range.lowerBound)-\(range.upperBound - 1)/10"])
        }
    }

    @Test func otherContent_isSentWhole_andKnownContentNotAtAll() throws {
        let tag = "\"\(Self.content.hash)\""
        let range = ("Range", "bytes=1-2")
        #expect(try response("a.png", [range, ("If-Range", tag)]).status == .partialContent)
        #expect(try response("a.png", [range, ("If-Range", "\"0\"")]).status == .ok)
        #expect(try response("a.png", [range, range]).status == .ok)
        #expect(try response("a.png", [("If-None-Match", tag)]).status == .notModified)
        #expect(try response("a.png", [("If-None-Match", tag)]).part == nil)
        #expect(try response("a.png", [range], .HEAD).status == .ok)
    }

    @Test(arguments: [
        ("pics/a.png", "image/png"), ("b.JPG", "image/jpeg"), ("c.mp3", "audio/mpeg"), ("d.webm", "video/webm"),
        ("e.pdf", "application/pdf"), ("f.svg", nil), ("g.html", nil), ("h.xml", nil), ("i.txt", nil), ("k", nil), (nil, nil),
        ("m.css", nil), ("n.json", nil), ("o.tiff", nil),
    ])
    func fileThatMayRunScripts_isADownload(name: String?, type: String?) throws {
        let response = try response(name)
        #expect(response.headers["Content-Type"] == [type ?? "application/octet-stream"])
        let disposition = try #require(response.headers["Content-Disposition"].first)
        #expect(disposition.hasPrefix(type == nil ? "attachment;" : "inline;"))
        #expect(response.headers["Content-Security-Policy"] == ["sandbox"])
        #expect(response.headers["X-Content-Type-Options"] == ["nosniff"])
        #expect(response.headers["Cross-Origin-Resource-Policy"] == ["same-origin"])
        #expect(response.headers["Cache-Control"] == ["private, no-cache"])
    }

    @Test func name_isEscapedInTheHeader() throws {
        let name = "x/a \";\u{202e}ä\\,.png"
        #expect(
            try response(name).headers["Content-Disposition"]
                == ["inline; filename*=UTF-8''a%20%22%3B%E2%80%AE%C3%A4%5C%2C.png"])
    }

    @Test func path_namesANoteAndAHash_andNeedsACookie() throws {
        let cookie = Secret.random()
        let signedIn = ("Cookie", "notesd-7683=\(Secret.hexadecimal(cookie))")
        let requests = RequestGuard(hosts: PageHosts(port: 7683))
        let (note, hash) = (Self.note, "\(Self.content.hash)")
        let path = "/file/\(note)/\(hash)"
        let id = try #require(NoteID(parsing: note.utf8))
        #expect(requests.verdict(on: request(path)) == .refused(.notSignedIn))
        #expect(requests.verdict(on: request(path, [signedIn])) == .get(cookie, id, Self.content.hash))
        #expect(requests.verdict(on: request(path, [signedIn], .HEAD)) == .get(cookie, id, Self.content.hash))
        #expect(requests.verdict(on: request(path, [signedIn], .POST)) == .refused(.wrongMethod))
        #expect(requests.verdict(on: request(path, [signedIn, ("Sec-Fetch-Site", "cross-site")])) == .refused(.otherSite))
        for other in [
            "/file/\(hash)", "/file//\(hash)", path + "/", path + "?", "//file/\(note)/\(hash)", path.uppercased(), path + "0",
        ] {
            #expect(requests.verdict(on: request(other, [signedIn])) == .refused(.notFound), "\(other)")
        }
    }
}
