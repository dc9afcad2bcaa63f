import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// A picture that the text of a note shows. It has no name or id but what the text has, for guests.
struct EmbeddedPicture: Hashable {
    /// Most embeds and images of a text that count; not more than one request resolves.
    static let linksMax = 100

    let target: LinkTarget
    let content: FileContent
    /// The ending of its name, such as `png`.
    private let ending: String

    /// - Returns: nil if the file is no picture, or one that can run scripts.
    init?(_ target: LinkTarget, _ content: FileContent, named name: NoteName?) {
        guard let ending = Self.endings[FileType.of(name)] else { return nil }
        (self.target, self.content, self.ending) = (target, content, ending)
    }

    /// The embeds and images of a text, each target once.
    static func targets(in text: [UInt8]) -> [LinkTarget] {
        var known: Set<LinkTarget> = []
        var targets: [LinkTarget] = []
        for link in Links.of(text) where link.kind == .embed || link.kind == .path && link.isImage {
            guard targets.count < linksMax else { break }
            let target = LinkTarget(link)
            if !target.text.isEmpty, known.insert(target).inserted { targets.append(target) }
        }
        return targets
    }

    private var name: String { "picture.\(ending)" }

    /// The picture as a browser gets it.
    var shown: ShownFile { ShownFile(content: content, name: try? NoteName(ByteString(name))) }

    /// Pictures as JSON: `{"pictures": [{"kind", "target", "name", "sha256", "bytes"}, …]}`.
    static func json(_ pictures: [EmbeddedPicture]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { object in
            object.name("pictures")
            object.array(of: pictures) { writer, picture in
                writer.object { entry in
                    entry.member("kind", picture.target.kind == .path ? "path" : "wiki")
                    entry.member("target", picture.target.beforeQuery ?? picture.target.text)
                    entry.member("name", picture.name)
                    entry.member("sha256", "\(picture.content.hash)")
                    entry.member("bytes", Int64(picture.content.bytes))
                }
            }
        }
        return writer.bytes
    }

    private static let endings = [
        "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/avif": "avif",
        "image/bmp": "bmp",
    ]
}
