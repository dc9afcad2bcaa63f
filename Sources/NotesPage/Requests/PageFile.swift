import NIOHTTP1
import NotesModel
import PageDevices

/// A file of the page, which is in the program.
struct PageFile: Hashable, Sendable {
    let path: String
    let type: String
    let bytes: [UInt8]
    /// A hash of the content, in quotation marks.
    let tag: String

    /// The file at a path; nil if there is none.
    init?(path: String) {
        guard let file = Self.all[path] else { return nil }
        self = file
    }

    private init(_ path: String, _ type: String, _ bytes: [UInt8]) {
        (self.path, self.type, self.bytes) = (path, type, bytes)
        tag = "\"\(Secret.hexadecimal(Array(SHA256.hash(of: bytes).prefix(8))))\""
    }

    static let all: [String: PageFile] = {
        let script = "text/javascript; charset=utf-8"
        let files = [
            PageFile("/", "text/html; charset=utf-8", PackageResources.index_html),
            PageFile("/page.css", "text/css; charset=utf-8", PackageResources.page_css),
            PageFile("/page.js", script, PackageResources.page_js),
            PageFile("/elements.js", script, PackageResources.elements_js),
            PageFile("/kept.js", script, PackageResources.kept_js),
            PageFile("/worker.js", script, PackageResources.worker_js),
            PageFile("/list.js", script, PackageResources.list_js),
            PageFile("/note.js", script, PackageResources.note_js),
            PageFile("/reader.js", script, PackageResources.reader_js),
            PageFile("/upload.js", script, PackageResources.upload_js),
            PageFile("/file.js", script, PackageResources.file_js),
            PageFile("/side.js", script, PackageResources.side_js),
            PageFile("/attach.js", script, PackageResources.attach_js),
            PageFile("/surface.js", script, PackageResources.surface_js),
            PageFile("/icon.svg", "image/svg+xml", PackageResources.icon_svg),
            PageFile("/page.webmanifest", "application/manifest+json", PackageResources.page_webmanifest),
        ]
        return Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0) })
    }()
}

/// The headers of every response.
enum PageHeaders {
    /// The Content-Security-Policy. The page has no inline script or style, and makes no HTML from text. The one
    /// policy of trusted types names the page's own worker.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; media-src 'self'; \
        manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker
        """

    /// The policy of a file of the notes: as a page of its own, it runs no script and has no origin.
    static let filePolicy = "sandbox"

    static let all = all(policy: policy)

    static func all(policy: String) -> [(String, String)] { [("Content-Security-Policy", policy)] + others }

    private static let others = [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}
