import NIOHTTP1
import PageDevices
import Testing

@testable import NotesPage

/// Which requests are let in, from their heads alone.
struct RequestGuardTests {
    private static let cookie = Secret.random()
    private let requests = RequestGuard(hosts: PageHosts(port: 7683, others: ["Notes.example"]))

    private func verdict(
        _ target: String, _ headers: [(String, String)] = [], method: HTTPMethod = .GET, host: String? = "127.0.0.1:7683"
    ) -> RequestGuard.Verdict {
        let all = HTTPHeaders((host.map { [("Host", $0)] } ?? []) + headers)
        return requests.verdict(
            on: PageRequest(HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: all), from: ""))
    }

    private static let origin = ("Origin", "http://127.0.0.1:7683")
    private static let signedIn = ("Cookie", "a=b; notesd-7683=\(Secret.hexadecimal(cookie)); c=d")

    @Test(arguments: ["localhost:7683", "[::1]:7683", "notes.example", "NOTES.EXAMPLE"])
    func ownName_isServed(host: String) {
        guard case .file(let file) = verdict("/", host: host) else {
            Issue.record("\(host) is refused")
            return
        }
        #expect(file.type == "text/html; charset=utf-8")
    }

    @Test(arguments: [nil, "", "evil.example", "notes.example:80", "127.0.0.1", "127.0.0.1:7684", "localhost"])
    func otherName_isRefused(host: String?) {
        #expect(verdict("/", host: host) == .refused(.unknownHost))
    }

    @Test func attaching_needsOriginThenCookie() {
        #expect(verdict("/attach", [Self.signedIn]) == .refused(.otherSite))
        #expect(verdict("/attach", [("Origin", "null"), Self.signedIn]) == .refused(.otherSite))
        #expect(verdict("/attach", [Self.origin, Self.origin, Self.signedIn]) == .refused(.otherSite))
        #expect(verdict("/attach", [Self.origin]) == .refused(.notSignedIn))
        #expect(verdict("/attach", [Self.origin, Self.signedIn, Self.signedIn]) == .refused(.notSignedIn))
        #expect(verdict("/attach", [Self.origin, Self.signedIn]) == .attach(Self.cookie))
        #expect(verdict("/attach", [("Origin", "https://notes.example"), Self.signedIn]) == .attach(Self.cookie))
        #expect(verdict("/attach", [Self.origin, Self.signedIn, ("Sec-Fetch-Site", "cross-site")]) == .refused(.otherSite))
    }

    @Test func reading_needsOriginThenCookie() {
        #expect(verdict("/read", [Self.signedIn], method: .POST) == .refused(.otherSite))
        #expect(verdict("/read", [Self.origin], method: .POST) == .refused(.notSignedIn))
        #expect(verdict("/read", [Self.origin, Self.signedIn]) == .refused(.wrongMethod))
        #expect(verdict("/read", [Self.origin, Self.signedIn], method: .POST) == .read(Self.cookie))
    }

    @Test func signingIn_isForThePageAlone() {
        #expect(verdict("/login", [Self.origin], method: .POST) == .signIn)
        #expect(verdict("/login", method: .POST) == .refused(.otherSite))
        #expect(verdict("/login", [Self.origin], method: .GET) == .refused(.wrongMethod))
        #expect(verdict("/logout", [Self.origin, Self.signedIn], method: .POST) == .signOut(Self.cookie))
        #expect(verdict("/session", [Self.signedIn]) == .session(Self.cookie))
        #expect(verdict("/session", [Self.signedIn, ("Sec-Fetch-Site", "same-site")]) == .refused(.otherSite))
    }

    @Test func picturesOfAGuest_needACookie() {
        #expect(verdict("/pictures", [Self.signedIn]) == .pictures(Self.cookie))
        #expect(verdict("/pictures") == .refused(.notSignedIn))
        #expect(verdict("/pictures", [Self.signedIn], method: .POST) == .refused(.wrongMethod))
        #expect(verdict("/pictures", [Self.signedIn, ("Sec-Fetch-Site", "cross-site")]) == .refused(.otherSite))
    }

    @Test(arguments: ["/../x", "/index.html", "/page.js?", "//page.js", "/%70age.js", "", "*", "http://127.0.0.1:7683/"])
    func otherPath_isNotFound(path: String) {
        #expect(verdict(path) == .refused(.notFound))
    }

    /// The policy forbids what the page does not need; each of its words is there for a reason, and the page
    /// needs nothing that it forbids: `verification/web/page.py` uses it under this policy.
    @Test func files_areThoseOfThePage() throws {
        for (path, file) in PageFile.all {
            #expect(!file.bytes.isEmpty)
            let text = String(decoding: file.bytes, as: UTF8.self)
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "onclick=\"", "style=\"", "<script>",
            ] {
                #expect(!text.contains(word), "\(path) has \(word)")
            }
        }
        #expect(PageFile.all.values.reduce(0) { $0 + $1.bytes.count } <= 150_000)
    }

    @Test func response_repeatsNothingOfTheRequest() {
        for refusal in [RequestGuard.Refusal.unknownHost, .notFound, .otherSite, .wrongKey] {
            let response = PageResponse(refusal)
            #expect(response.body == Array("\(refusal.text)\n".utf8))
            #expect(response.headers["Content-Security-Policy"] == [PageHeaders.policy])
            #expect(response.headers["Cache-Control"] == ["no-store"])
        }
    }
}
