/// The contract for programs: `docs/openrpc.json`, as `rpc.discover` answers it.
///
/// Written by `scripts/embed-openrpc`; change the document and run that.
package enum OpenRPC {
    package static let document = Array(text.utf8)

    private static let text = #"""
        {"openrpc":"1.3.2","info":{"title":"notesd","version":"1","description":"Plain-text notes that many editors write at once, o\#
        ver a Unix socket, with one JSON-RPC 2.0 object per line. docs/protocol.md specifies what this document cannot express.","li\#
        cense":{"name":"Apache-2.0"}},"methods":[{"name":"session.hello","summary":"Registers the connection as a dependent. A clien\#
        t sends it first, and once.","paramStructure":"by-name","params":[{"name":"protocol","required":true,"schema":{"type":"array\#
        ","items":{"type":"integer"},"examples":[[1]]},"description":"The protocol versions that the client speaks."},{"name":"clien\#
        t","required":true,"schema":{"$ref":"#/components/schemas/Client"}},{"name":"label","required":false,"schema":{"$ref":"#/com\#
        ponents/schemas/Label"}},{"name":"positionEncoding","required":false,"schema":{"type":"array","items":{"type":"string"},"exa\#
        mples":[["utf-8","utf-16"]]},"description":"In order of preference. The daemon skips unknown values; if it knows none, it us\#
        es utf-8."}],"result":{"name":"session","schema":{"type":"object","properties":{"protocol":{"type":"integer"},"server":{"$re\#
        f":"#/components/schemas/Client"},"store":{"$ref":"#/components/schemas/ReplicaId"},"replica":{"$ref":"#/components/schemas/\#
        ReplicaId"},"dependent":{"type":"integer","minimum":0},"user":{"$ref":"#/components/schemas/User"},"access":{"type":"string"\#
        ,"enum":["read","write","sync","admin"]},"positionEncoding":{"$ref":"#/components/schemas/PositionEncoding"},"limits":{"$ref\#
        ":"#/components/schemas/Limits"},"capabilities":{"type":"array","items":{"type":"string"}},"cursor":{"$ref":"#/components/sc\#
        hemas/Cursor"}},"required":["protocol","server","store","replica","dependent","user","access","positionEncoding","limits","c\#
        apabilities","cursor"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"}\#
        ,{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/int\#
        ernal"},{"$ref":"#/components/errors/unsupported_protocol"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/comp\#
        onents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"session.limit","summary":"Narrows what th\#
        is connection may do until it ends. Allowed before hello. It never widens: the narrowest of all requests is in force.","para\#
        mStructure":"by-name","params":[{"name":"access","required":false,"schema":{"type":"string","enum":["read","write","sync","a\#
        dmin"],"examples":["read"]},"description":"The highest access. Without it, the access does not change."},{"name":"methods","\#
        required":false,"schema":{"type":"string","enum":["all","exchange"],"default":"all","examples":["exchange"]},"description":"\#
        exchange leaves session.*, rpc.discover, revisions.known, revisions.watch, revisions.proceed, revisions.adopt and peers.list\#
        ."}],"result":{"name":"limits","schema":{"type":"object","properties":{"access":{"type":"string","enum":["read","write","syn\#
        c","admin"],"description":"The access of the connection."},"methods":{"type":"string","enum":["all","exchange"]}},"required"\#
        :["access","methods"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},\#
        {"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/inte\#
        rnal"}]},{"name":"session.ping","summary":"Returns an empty object. Allowed before hello.","paramStructure":"by-name","param\#
        s":[],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/e\#
        rrors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/\#
        components/errors/line_too_long"},{"$ref":"#/components/errors/internal"}]},{"name":"rpc.discover","summary":"Returns this d\#
        ocument. Allowed before hello.","paramStructure":"by-name","params":[],"result":{"name":"document","schema":{"type":"object"\#
        }},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components\#
        /errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"}]},{"name":"not\#
        e.create","summary":"Creates a note.","paramStructure":"by-name","params":[{"name":"text","required":true,"schema":{"type":"\#
        string","examples":["Hello\n"]}},{"name":"name","required":false,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteName"}\#
        ,{"type":"null"}],"examples":["work/inbox"]}},{"name":"id","required":false,"schema":{"$ref":"#/components/schemas/NoteId"},\#
        "description":"The client may choose it, so that a retry cannot create a second note."},{"name":"op","required":false,"schem\#
        a":{"$ref":"#/components/schemas/Op"}},{"name":"times","required":false,"schema":{"$ref":"#/components/schemas/FileTimes"}}]\#
        ,"result":{"name":"created","schema":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"},"dot":{"$ref\#
        ":"#/components/schemas/Dot"},"version":{"$ref":"#/components/schemas/Version"},"replayed":{"type":"boolean"}},"required":["\#
        note"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/comp\#
        onents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":\#
        "#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}\#
        ,{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors\#
        /storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/components\#
        /errors/revision_gone"},{"$ref":"#/components/errors/note_exists"},{"$ref":"#/components/errors/invalid_name"}]},{"name":"no\#
        te.get","summary":"Returns a note, now or at a version, whole or as edits from a version.","paramStructure":"by-name","param\#
        s":[{"name":"id","required":false,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"name","required":false,"schema":\#
        {"$ref":"#/components/schemas/NoteName"}},{"name":"at","required":false,"schema":{"$ref":"#/components/schemas/Version"}},{"\#
        name":"from","required":false,"schema":{"$ref":"#/components/schemas/Version"}}],"result":{"name":"shown","schema":{"type":"\#
        object","properties":{"note":{"$ref":"#/components/schemas/Note"}},"required":["note"]}},"errors":[{"$ref":"#/components/err\#
        ors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/co\#
        mponents/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref\#
        ":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed\#
        "},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/erro\#
        rs/unknown_base"},{"$ref":"#/components/errors/revision_gone"}],"x-exactly-one":["id","name"]},{"name":"note.list","summary"\#
        :"Lists notes, sorted by name (bytes, null last) and id, or by newest commit.","paramStructure":"by-name","params":[{"name":\#
        "filter","required":false,"schema":{"$ref":"#/components/schemas/Filter"}},{"name":"limit","required":false,"schema":{"type"\#
        :"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"str\#
        ing","examples":["01890a5d-ac96-774b-bcce-b302099a8057/work/inbox"]},"description":"The next of the previous page in the sam\#
        e order."},{"name":"order","required":false,"schema":{"type":"string","enum":["name","newest"],"default":"name","examples":[\#
        "newest"]}}],"result":{"name":"page","schema":{"type":"object","properties":{"notes":{"type":"array","items":{"$ref":"#/comp\#
        onents/schemas/Note"}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["notes","next"]}},"errors":[{"$ref"\#
        :"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_para\#
        ms"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello\#
        _required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/err\#
        ors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"tags.list","summary":"Lists the tags of liv\#
        ing notes, sorted by bytes, with the number of notes that have each.","paramStructure":"by-name","params":[{"name":"prefix",\#
        "required":false,"schema":{"type":"string","default":"","examples":["project/"]},"description":"What each tag begins with."}\#
        ,{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"na\#
        me":"after","required":false,"schema":{"type":"string","examples":["project/notesd"]},"description":"The next of the previou\#
        s page."}],"result":{"name":"page","schema":{"type":"object","properties":{"tags":{"type":"array","items":{"type":"object","\#
        properties":{"tag":{"type":"string"},"notes":{"type":"integer","minimum":1}},"required":["tag","notes"]}},"next":{"oneOf":[{\#
        "type":"string"},{"type":"null"}]}},"required":["tags","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref\#
        ":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too\#
        _long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/o\#
        verloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components\#
        /errors/permission_denied"}]},{"name":"revisions.list","summary":"Lists the revisions of all notes in the order of commits, \#
        newest first. Needs \"revisions\" in capabilities.","paramStructure":"by-name","params":[{"name":"author","required":false,"\#
        schema":{"$ref":"#/components/schemas/Label"},"description":"The name of a user, a label, or the first parts of a label up t\#
        o a slash."},{"name":"since","required":false,"schema":{"$ref":"#/components/schemas/Time"},"description":"Lists no writes t\#
        hat were made before this time."},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"de\#
        fault":100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["4711"]},"description":"\#
        The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"revisions":{"type":"array\#
        ","items":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"revision":{"$ref":"#/components/sche\#
        mas/Revision"}},"required":["note","revision"]}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["revision\#
        s","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/\#
        components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$r\#
        ef":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_do\#
        wn"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"revisions.kno\#
        wn","summary":"Returns the revisions of the store, as dots. Needs \"replication\" in capabilities.","paramStructure":"by-nam\#
        e","params":[{"name":"digests","required":false,"schema":{"$ref":"#/components/schemas/Dots"},"description":"At most 1,024 d\#
        ots whose digests the result shall have."}],"result":{"name":"known","schema":{"type":"object","properties":{"known":{"$ref"\#
        :"#/components/schemas/Dots"},"quarantined":{"$ref":"#/components/schemas/Dots"},"waiting":{"type":"integer","minimum":0},"f\#
        orms":{"type":"array","items":{"type":"integer","minimum":1}},"view":{"type":"integer","minimum":0},"digests":{"type":"array\#
        ","items":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"note":{"$ref":"#/components/schemas/Note\#
        Id"},"hash":{"type":"string","pattern":"^[0-9a-f]{16}$"}},"required":["dot","note"]}}},"required":["known","quarantined","wa\#
        iting","forms","view"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"}\#
        ,{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/int\#
        ernal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors\#
        /shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"r\#
        evisions.watch","summary":"Sends the revisions that a peer lacks in revisions.page notifications, and then each revision as \#
        it is committed. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[{"name":"peer","required":true\#
        ,"schema":{"type":"object","properties":{"store":{"$ref":"#/components/schemas/ReplicaId"},"replica":{"$ref":"#/components/s\#
        chemas/ReplicaId"}},"required":["store","replica"],"additionalProperties":false,"examples":[{"store":"aaaaaaaaaaaaaaaa","rep\#
        lica":"bbbbbbbbbbbbbbbb"}]},"description":"The store that receives the revisions."},{"name":"known","required":true,"schema"\#
        :{"$ref":"#/components/schemas/Dots"},"description":"The revisions that it holds."},{"name":"refuses","required":false,"sche\#
        ma":{"$ref":"#/components/schemas/Dots"},"description":"The revisions that it did not accept."}],"result":{"name":"watch","s\#
        chema":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"lacks":{"type":"integer","minimum":0}},"requir\#
        ed":["watch","lacks"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},\#
        {"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/inte\#
        rnal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/\#
        shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"re\#
        visions.proceed","summary":"States that the peer holds the pages up to a number. Needs \"replication\" in capabilities.","pa\#
        ramStructure":"by-name","params":[{"name":"watch","required":true,"schema":{"type":"integer","minimum":0,"examples":[1]}},{"\#
        name":"seq","required":true,"schema":{"type":"integer","minimum":0,"examples":[1]},"description":"The number of the last pag\#
        e."},{"name":"lacking","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"examples":[[]]\#
        },"description":"The revisions of these pages that the peer does not hold."}],"result":{"name":"nothing","schema":{"type":"o\#
        bject","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/inv\#
        alid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/compone\#
        nts/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/com\#
        ponents/errors/shutting_down"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"revisions.adopt","summary":"Takes\#
         in revisions of a peer. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[{"name":"revisions","r\#
        equired":true,"schema":{"type":"array","maxItems":256,"items":{"$ref":"#/components/schemas/WireRevision"},"examples":[[{"he\#
        ad":"Ag==","text":""}]]},"description":"At most 256 revisions and 16 beginnings of 1 MiB together, or one of them."},{"name"\#
        :"beginnings","required":false,"schema":{"type":"array","maxItems":16,"items":{"$ref":"#/components/schemas/NoteBeginning"},\#
        "examples":[[{"revision":{"head":"AghBfur8CHHkpm+EIsoA33oP6nhcgavM8AMBD+p4XIGrzPACAAAAAAAAAABcCHNob3BwaW5nAAABAARyb290CG5vdG\#
        VzY3Rsovnh+8JoAA==","text":""},"below":"0fea785c81abccf0:1-2","text":"Milk\\nBread\\n","name":"shopping","deleted":false,"la\#
        st_line":"shown","created":"2026-11-26T12:02:22.368Z"}]]},"description":"The beginnings of notes, which are taken in before \#
        the revisions."}],"result":{"name":"adopted","schema":{"type":"object","properties":{"committed":{"type":"integer","minimum"\#
        :0},"known":{"type":"integer","minimum":0},"waiting":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"quarantin\#
        ed":{"type":"array","items":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"reason":{"type":"strin\#
        g"}},"required":["dot","reason"]}},"refused":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"unreadable":{"typ\#
        e":"array","items":{"type":"integer","minimum":0}},"not_begun":{"type":"array","items":{"type":"object","properties":{"dot":\#
        {"$ref":"#/components/schemas/Dot"},"reason":{"type":"string"}},"required":["dot","reason"]},"description":"The beginnings o\#
        f notes that were not accepted; absent if there are none."},"restart":{"type":"boolean","description":"Whether the sender ha\#
        s to start again with a new answer to revisions.known; absent if not."}},"required":["committed","known","waiting","quaranti\#
        ned","refused","unreadable"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_req\#
        uest"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/erro\#
        rs/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/\#
        errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref\#
        ":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"}]},{"name":"peers.list","summary":"Lists the s\#
        tores that exchange revisions with this one. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[],\#
        "result":{"name":"peers","schema":{"type":"object","properties":{"peers":{"type":"array","items":{"type":"object","propertie\#
        s":{"store":{"$ref":"#/components/schemas/ReplicaId"},"connected":{"type":"boolean"},"lacks":{"type":"integer","minimum":0}}\#
        ,"required":["store","connected","lacks"]}}},"required":["peers"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$\#
        ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_\#
        too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/error\#
        s/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/compone\#
        nts/errors/permission_denied"}]},{"name":"peers.forget","summary":"Removes the record of what a peer holds. Needs \"replicat\#
        ion\" in capabilities.","paramStructure":"by-name","params":[{"name":"store","required":true,"schema":{"$ref":"#/components/\#
        schemas/ReplicaId"},"description":"The id of the peer's store."}],"result":{"name":"nothing","schema":{"type":"object","prop\#
        erties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request\#
        "},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/i\#
        nternal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/erro\#
        rs/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#\#
        /components/errors/storage_full"},{"$ref":"#/components/errors/read_only"}]},{"name":"revisions.held","summary":"Lists the r\#
        evisions of other stores that are no part of their notes: those that were not accepted, then those that wait for their paren\#
        ts. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[{"name":"dot","required":false,"schema":{"$\#
        ref":"#/components/schemas/Dot"},"description":"Lists only the revisions with this dot, with their whole texts."},{"name":"l\#
        imit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after"\#
        ,"required":false,"schema":{"type":"string","examples":["quarantined/12"]},"description":"The next of the previous page."}],\#
        "result":{"name":"page","schema":{"type":"object","properties":{"revisions":{"type":"array","items":{"$ref":"#/components/sc\#
        hemas/HeldRevision"}},"quarantined":{"type":"integer","minimum":0,"description":"The number of all revisions that were not a\#
        ccepted."},"waiting":{"type":"integer","minimum":0,"description":"The number of all revisions that wait for their parents."}\#
        ,"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["revisions","quarantined","waiting","next"]}},"errors":[{\#
        "$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invali\#
        d_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors\#
        /hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/componen\#
        ts/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"revisions.drop","summary":"Removes re\#
        visions that are no part of their notes. A peer that offers one again brings it back. Needs admin, and \"replication\" in ca\#
        pabilities.","paramStructure":"by-name","params":[{"name":"dots","required":true,"schema":{"type":"array","items":{"$ref":"#\#
        /components/schemas/Dot"},"minItems":1,"maxItems":1000,"examples":[["9f86d081884c7d65:7"]]},"description":"The dots of revis\#
        ions that wait for their parents or were not accepted, between 1 and 1,000. Dots of other revisions have no effect."}],"resu\#
        lt":{"name":"dropped","schema":{"type":"object","properties":{"dropped":{"type":"integer","minimum":0,"description":"The num\#
        ber of removed revisions; several may have one dot."}},"required":["dropped"]}},"errors":[{"$ref":"#/components/errors/parse\#
        _error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/\#
        errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/comp\#
        onents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref\#
        ":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_onl\#
        y"}]},{"name":"links.to","summary":"Lists the links that mean a note, from the newest linking note to the oldest.","paramStr\#
        ucture":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"limit","r\#
        equired":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","requir\#
        ed":false,"schema":{"type":"string","examples":["01890a5d-ac96-774b-bcce-b302099a8057/0"]},"description":"The next of the pr\#
        evious page."}],"result":{"name":"page","schema":{"type":"object","properties":{"links":{"type":"array","items":{"type":"obj\#
        ect","properties":{"note":{"$ref":"#/components/schemas/Note"},"version":{"$ref":"#/components/schemas/Version"},"range":{"t\#
        ype":"object","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start"\#
        ,"end"]},"kind":{"type":"string","enum":["wiki","embed","path","id"]},"target":{"type":"string"},"fragment":{"oneOf":[{"type\#
        ":"string"},{"type":"null"}]},"snippet":{"type":"string"}},"required":["note","version","range","kind","target","fragment","\#
        snippet"]}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["links","next"]}},"errors":[{"$ref":"#/compone\#
        nts/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref\#
        ":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"}\#
        ,{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage\#
        _failed"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components\#
        /errors/note_not_found"}]},{"name":"links.missing","summary":"Lists the targets of links that mean nothing, sorted by bytes.\#
        ","paramStructure":"by-name","params":[{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":100\#
        0,"default":100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["01890a5d-ac96-774b\#
        -bcce-b302099a8057/0/wiki/nowhere"]},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"typ\#
        e":"object","properties":{"targets":{"type":"array","items":{"type":"object","properties":{"kind":{"type":"string","enum":["\#
        wiki","embed","path","id"]},"target":{"type":"string"},"links":{"type":"integer","minimum":1},"notes":{"type":"array","items\#
        ":{"$ref":"#/components/schemas/NoteId"}}},"required":["kind","target","links","notes"]}},"next":{"oneOf":[{"type":"string"}\#
        ,{"type":"null"}]}},"required":["targets","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/componen\#
        ts/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$re\#
        f":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{\#
        "$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/stora\#
        ge_full"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"links.resolve","summary":"Lists the notes that link ta\#
        rgets can mean, the meaning first.","paramStructure":"by-name","params":[{"name":"targets","required":true,"schema":{"type":\#
        "array","minItems":1,"maxItems":100,"items":{"type":"object","properties":{"kind":{"type":"string","enum":["wiki","embed","p\#
        ath","id"],"examples":["wiki"]},"target":{"$ref":"#/components/schemas/LinkTarget"}},"required":["kind","target"],"additiona\#
        lProperties":false},"examples":[[{"kind":"wiki","target":"inbox"}]]}},{"name":"from","required":false,"schema":{"$ref":"#/co\#
        mponents/schemas/NoteId"},"description":"The linking note. Without it, the linking note counts as one at the root."}],"resul\#
        t":{"name":"meanings","schema":{"type":"object","properties":{"found":{"type":"array","description":"The answers in the orde\#
        r of the targets: at least one, and fewer than targets if these can mean very many notes.","items":{"type":"object","propert\#
        ies":{"notes":{"type":"array","items":{"$ref":"#/components/schemas/Note"}},"more":{"type":"integer","minimum":0}},"required\#
        ":["notes","more"]}}},"required":["found"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/erro\#
        rs/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/c\#
        omponents/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":\#
        "#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/storage_full\#
        "},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"}]},{"name":"note.search","s\#
        ummary":"Searches notes by their contents, best first.","paramStructure":"by-name","params":[{"name":"query","required":true\#
        ,"schema":{"$ref":"#/components/schemas/SearchQuery"},"description":"Words that a note must all contain; docs/protocol.md de\#
        scribes the whole syntax."},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":100,"default":\#
        20,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["3fe5555555555555.00000000000004\#
        21"]},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"hits\#
        ":{"type":"array","items":{"$ref":"#/components/schemas/Hit"}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]},"truncat\#
        ed":{"type":"boolean","description":"Whether more than 10,000 notes matched. The daemon finds only the newest 10,000 of them\#
        ."}},"required":["hits","next","truncated"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/err\#
        ors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/\#
        components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref"\#
        :"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/storage_ful\#
        l"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"note.save","summary":"Writes a whole text, a name, or both, \#
        on a base.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"\#
        }},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The version whose text the\#
         client was showing. Without it: base_required.","x-missing":"base_required"},{"name":"text","required":false,"schema":{"typ\#
        e":"string","examples":["Hello\n"]}},{"name":"name","required":false,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteNa\#
        me"},{"type":"null"}],"examples":["work/done"]},"description":"null clears the name."},{"name":"resolves","required":false,"\#
        schema":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"examples":[["0123456789abcdef0123456789abcdef"]]\#
        },"description":"Ids of conflicts that are open at the base."},{"name":"op","required":false,"schema":{"$ref":"#/components/\#
        schemas/Op"}},{"name":"times","required":false,"schema":{"$ref":"#/components/schemas/ChangeTime"}}],"result":{"name":"outco\#
        me","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/compon\#
        ents/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$\#
        ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"}\#
        ,{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/per\#
        mission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/\#
        errors/note_too_large"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/note_exists"},{"$ref":"#/\#
        components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{\#
        "$ref":"#/components/errors/invalid_name"}],"x-at-least-one":["text","name","resolves"]},{"name":"note.edit","summary":"Writ\#
        es edits to the text of a base.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/compo\#
        nents/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The v\#
        ersion whose text the client was showing. Without it: base_required.","x-missing":"base_required"},{"name":"edits","required\#
        ":true,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Edit"},"examples":[[{"start":0,"end":0,"text":"a"}]]}}\#
        ,{"name":"resolves","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"examples":\#
        [["0123456789abcdef0123456789abcdef"]]},"description":"Ids of conflicts that are open at the base."},{"name":"op","required"\#
        :false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/components/schemas/Outco\#
        me"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/compone\#
        nts/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/\#
        components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"\#
        $ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/st\#
        orage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/components/er\#
        rors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/co\#
        mponents/errors/base_required"},{"$ref":"#/components/errors/invalid_edit"}]},{"name":"note.delete","summary":"Marks a note \#
        as deleted. Its text can still be read at its versions.","paramStructure":"by-name","params":[{"name":"id","required":true,"\#
        schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Versio\#
        n"},"description":"The version whose text the client was showing. Without it: base_required.","x-missing":"base_required"},{\#
        "name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/co\#
        mponents/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_reques\#
        t"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/\#
        internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/err\#
        ors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"\#
        #/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_not_found"},{"\#
        $ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_req\#
        uired"}]},{"name":"note.undo","summary":"Withdraws revisions of a note, as if they had not been made. Withdrawing a withdraw\#
        al redoes.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"\#
        }},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"A version that includes th\#
        e revisions. Without it: base_required.","x-missing":"base_required"},{"name":"revisions","required":false,"schema":{"type":\#
        "array","items":{"$ref":"#/components/schemas/Dot"},"minItems":1,"maxItems":10000,"examples":[["9f86d081884c7d65:7"]]},"desc\#
        ription":"The revisions to withdraw."},{"name":"ops","required":false,"schema":{"type":"array","items":{"$ref":"#/components\#
        /schemas/Op"},"minItems":1,"maxItems":10000,"examples":[["7f3a"]]},"description":"The ops of writes of the same user to this\#
         note, in place of revisions."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}},{"name":"times","\#
        required":false,"schema":{"$ref":"#/components/schemas/ChangeTime"},"description":"The time of change that the note shows af\#
        ter the undo."},{"name":"preview","required":false,"schema":{"type":"boolean","default":false,"examples":[true]},"descriptio\#
        n":"Returns the result and writes nothing. Needs \"preview\" in capabilities."}],"result":{"name":"outcome","schema":{"$ref"\#
        :"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_\#
        request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/e\#
        rrors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/componen\#
        ts/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$\#
        ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_not_foun\#
        d"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/ba\#
        se_required"},{"$ref":"#/components/errors/note_too_large"}],"x-exactly-one":["revisions","ops"]},{"name":"note.purge","summ\#
        ary":"Erases everything that the note does not show any more. Needs admin, and \"purge\" in capabilities.","paramStructure":\#
        "by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":\#
        true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The current version. Without it: base_required.","x-mis\#
        sing":"base_required"},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"purge",\#
        "schema":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/components/schemas/Ve\#
        rsion"},"beyond":{"type":"array","items":{"type":"object","properties":{"place":{"type":"string","enum":["backup","copies","\#
        exports","drafts"]},"path":{"type":"string","description":"The absolute path of a backup; otherwise absent."}},"required":["\#
        place"]},"description":"The places that may have the erased text and that the daemon does not reach."},"replayed":{"type":"b\#
        oolean","description":"true if an earlier request with the same op did this."}},"required":["dot","version","beyond"]}},"err\#
        ors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors\#
        /invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components\#
        /errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/c\#
        omponents/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full\#
        "},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unkno\#
        wn_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{"$ref":"#/components/er\#
        rors/cannot_purge"}]},{"name":"note.history","summary":"Lists the revisions of a note, newest first.","paramStructure":"by-n\#
        ame","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"limit","required":fals\#
        e,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"before","required":false,"s\#
        chema":{"$ref":"#/components/schemas/Dot"},"description":"The next of the previous page."}],"result":{"name":"page","schema"\#
        :{"type":"object","properties":{"revisions":{"type":"array","items":{"$ref":"#/components/schemas/Revision"}},"next":{"oneOf\#
        ":[{"$ref":"#/components/schemas/Dot"},{"type":"null"}]}},"required":["revisions","next"]}},"errors":[{"$ref":"#/components/\#
        errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#\#
        /components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$\#
        ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_fai\#
        led"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"}]},{"name":"notes.watch"\#
        ,"summary":"Sends a notification for each change to the notes that match a filter, from now on or from a cursor.","paramStru\#
        cture":"by-name","params":[{"name":"filter","required":false,"schema":{"$ref":"#/components/schemas/Filter"}},{"name":"inclu\#
        de","required":false,"schema":{"type":"string","enum":["meta","text","edits"],"default":"meta","examples":["text"]}},{"name"\#
        :"since","required":false,"schema":{"$ref":"#/components/schemas/Cursor"}},{"name":"snapshot","required":false,"schema":{"ty\#
        pe":"boolean","default":true,"examples":[false]}},{"name":"echo","required":false,"schema":{"type":"boolean","default":true,\#
        "examples":[false]}}],"result":{"name":"watch","schema":{"type":"object","properties":{"watch":{"type":"integer","minimum":0\#
        },"cursor":{"$ref":"#/components/schemas/Cursor"},"reset":{"type":"boolean"}},"required":["watch","cursor","reset"]}},"error\#
        s":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/i\#
        nvalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/e\#
        rrors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/com\#
        ponents/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"notes.unwatch","summary":"Ends a\#
         watch.","paramStructure":"by-name","params":[{"name":"watch","required":true,"schema":{"type":"integer","minimum":1,"exampl\#
        es":[1]}}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/compone\#
        nts/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref\#
        ":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"}\#
        ,{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"presence.set","summary":"\#
        Publishes which note the user has open on this connection. A client may send it without id; it then gets no response.","para\#
        mStructure":"by-name","params":[{"name":"note","required":true,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteId"},{"t\#
        ype":"null"}],"examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"description":"null publishes that no note is open, and e\#
        xcludes version and selection."},{"name":"version","required":false,"schema":{"$ref":"#/components/schemas/Version"},"descri\#
        ption":"The version that the user sees."},{"name":"selection","required":false,"schema":{"oneOf":[{"$ref":"#/components/sche\#
        mas/Selection"},{"type":"null"}],"examples":[{"start":0,"end":0}]},"description":"Offsets in the text of version. null means\#
         no selection.","x-needs":"version"}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"\#
        errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/err\#
        ors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/compone\#
        nts/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"\#
        #/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"\#
        },{"$ref":"#/components/errors/storage_failed"}]},{"name":"dependents.list","summary":"Lists the connected clients.","paramS\#
        tructure":"by-name","params":[],"result":{"name":"dependents","schema":{"type":"object","properties":{"dependents":{"type":"\#
        array","items":{"$ref":"#/components/schemas/Dependent"}}},"required":["dependents"]}},"errors":[{"$ref":"#/components/error\#
        s/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/comp\#
        onents/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":\#
        "#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"daemon.status","summary":"Returns \#
        the daemon's version, counts, sizes and state.","paramStructure":"by-name","params":[],"result":{"name":"status","schema":{"\#
        type":"object","properties":{"version":{"type":"string"},"store":{"$ref":"#/components/schemas/ReplicaId"},"replica":{"$ref"\#
        :"#/components/schemas/ReplicaId"},"startedAt":{"$ref":"#/components/schemas/Time"},"notes":{"type":"integer","minimum":0},"\#
        tombstones":{"type":"integer","minimum":0},"revisions":{"type":"integer","minimum":0},"conflicted":{"type":"integer","minimu\#
        m":0,"description":"Notes with open conflicts."},"dependents":{"type":"integer","minimum":0},"commits":{"type":"integer","mi\#
        nimum":0},"lastCommitAt":{"oneOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"storeBytes":{"type":"integer","mi\#
        nimum":0},"walBytes":{"type":"integer","minimum":0},"state":{"type":"string","enum":["ok","full","read_only"],"description":\#
        "full: no room is left; reads still work."},"scrubbed":{"type":"boolean","description":"false while the log or the search in\#
        dex may still contain text that a purge erased; otherwise absent."}},"required":["version","store","replica","startedAt","no\#
        tes","tombstones","revisions","conflicted","dependents","commits","lastCommitAt","storeBytes","walBytes","state"]}},"errors"\#
        :[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/inv\#
        alid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/err\#
        ors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/compo\#
        nents/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.audit","summary":"Rereads t\#
        he whole store and compares it with the notes that the daemon serves. May take a while and send progress. The daemon reports\#
         a damaged store and keeps running.","paramStructure":"by-name","params":[],"result":{"name":"audit","schema":{"type":"objec\#
        t","properties":{"ok":{"type":"boolean","description":"Whether there are no findings."},"notes":{"type":"integer","minimum":\#
        0},"revisions":{"type":"integer","minimum":0},"findings":{"type":"array","items":{"$ref":"#/components/schemas/Finding"}},"w\#
        aiting":{"type":"array","items":{"$ref":"#/components/schemas/Waiting"},"description":"Revisions that arrived before their p\#
        arents, by note. Not a fault."},"quarantined":{"type":"array","items":{"$ref":"#/components/schemas/HeldRevision"},"descript\#
        ion":"Revisions of other stores that were not accepted. Not a fault."},"compacted":{"type":"integer","minimum":0,"descriptio\#
        n":"The number of revisions whose texts compaction removed."}},"required":["ok","notes","revisions","findings"]}},"errors":[\#
        {"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/inval\#
        id_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/error\#
        s/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/compone\#
        nts/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.config","summary":"Returns th\#
        e settings in effect and the source of each. Needs admin, and \"config\" in capabilities.","paramStructure":"by-name","param\#
        s":[],"result":{"name":"config","schema":{"type":"object","properties":{"settings":{"type":"array","items":{"$ref":"#/compon\#
        ents/schemas/Setting"}}},"required":["settings"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/component\#
        s/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref\#
        ":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"\#
        $ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.backup","summa\#
        ry":"Copies the store into a file while the daemon serves others. The file contains everything that the daemon answered befo\#
        re the request; when the response arrives, it is whole and on disk. May take a while and send progress, in bytes.","paramStr\#
        ucture":"by-name","params":[{"name":"path","required":false,"schema":{"type":"string","examples":["/mnt/usb/notes.db"]},"des\#
        cription":"An absolute path on the daemon's machine where no file exists; or a directory there, in which the daemon names th\#
        e file after the time; or a file name without a slash, in the directory backups of the store. Without it, the daemon names a\#
         file there after the time. Only the daemon's user and root may send more than a file name, on a connection without limits; \#
        others get 6001."}],"result":{"name":"backup","schema":{"type":"object","properties":{"path":{"type":"string","description":\#
        "The absolute path of the file."},"bytes":{"type":"integer","minimum":0}},"required":["path","bytes"]}},"errors":[{"$ref":"#\#
        /components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"\#
        },{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_re\#
        quired"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors\#
        /storage_full"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components\#
        /errors/permission_denied"}]},{"name":"daemon.metrics","summary":"Returns the daemon's counters since its start, and the siz\#
        e of its store.","paramStructure":"by-name","params":[],"result":{"name":"metrics","schema":{"type":"object","properties":{"\#
        text":{"type":"string","description":"A complete OpenMetrics 1.0 text: connections, dependents, requests and their durations\#
        , errors by kind, commits, sizes. It contains no name and no text of any note."}},"required":["text"]}},"errors":[{"$ref":"#\#
        /components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"\#
        },{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_re\#
        quired"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors\#
        /storage_failed"},{"$ref":"#/components/errors/permission_denied"}]}],"x-notifications":[{"name":"note.changed","summary":"R\#
        eports a changed note. change says what happened to it under the filter.","params":{"type":"object","properties":{"watch":{"\#
        type":"integer","minimum":0},"seq":{"type":"integer","minimum":0,"description":"Rises by exactly 1 from 1 within a watch."},\#
        "cursor":{"$ref":"#/components/schemas/Cursor"},"change":{"type":"string","enum":["snapshot","left","deleted","created","res\#
        tored","conflicted","resolved","edited"]},"note":{"oneOf":[{"$ref":"#/components/schemas/Note"},{"$ref":"#/components/schema\#
        s/NoteLeft"}]},"coalesced":{"type":"integer","minimum":2,"description":"The number of changes that the line covers. Absent i\#
        f it is 1."},"origin":{"type":"object","properties":{"dependent":{"type":"integer","minimum":0},"label":{"oneOf":[{"$ref":"#\#
        /components/schemas/Label"},{"type":"null"}]}},"required":["dependent","label"],"description":"The connection that made the \#
        newest change. Absent if an earlier run of the daemon made it, or if it is not among the last 32,768 commits."}},"required":\#
        ["watch","seq","cursor","change","note"]}},{"name":"watch.synced","summary":"The watch has sent its snapshot, or what the cl\#
        ient missed.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimu\#
        m":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["watch","seq","cursor"]}},{"name":"watch.bookmark","summa\#
        ry":"A watch sends this after every 30 seconds with nothing to send.","params":{"type":"object","properties":{"watch":{"type\#
        ":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["\#
        watch","seq","cursor"]}},{"name":"watch.reset","summary":"The watch dropped lines. What changed since the last delivered cur\#
        sor follows.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimu\#
        m":0},"reason":{"type":"string"}},"required":["watch","seq","reason"]}},{"name":"session.closing","summary":"The last line b\#
        efore the daemon closes the connection.","params":{"type":"object","properties":{"reason":{"type":"string"},"retryAfterMs":{\#
        "oneOf":[{"type":"integer","minimum":0},{"type":"null"}]}},"required":["reason","retryAfterMs"]}},{"name":"progress","summar\#
        y":"The progress of a long request. The daemon may send it any number of times before the response.","params":{"type":"objec\#
        t","properties":{"id":{"oneOf":[{"type":"integer"},{"type":"string"}],"description":"The id of the request."},"done":{"type"\#
        :"integer","minimum":0},"total":{"type":"integer","minimum":0}},"required":["id","done","total"]}},{"name":"presence.changed\#
        ","summary":"Reports which note a dependent has open, to each connection with a watch that covers the note.","params":{"type\#
        ":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"dependent":{"type":"integer","minimum":0},"label":{"\#
        oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"user":{"$ref":"#/components/schemas/User"},"version":{"oneO\#
        f":[{"$ref":"#/components/schemas/Version"},{"type":"null"}],"description":"The version that the user sees there; empty if t\#
        he dependent sent none; null if the dependent left the note."},"selection":{"oneOf":[{"$ref":"#/components/schemas/Selection\#
        "},{"type":"null"}]}},"required":["note","dependent","label","user","version","selection"]}},{"name":"revisions.page","summa\#
        ry":"Carries revisions to a peer, in the order of their commits.","params":{"type":"object","properties":{"watch":{"type":"i\#
        nteger","minimum":0},"seq":{"type":"integer","minimum":0},"left":{"type":"integer","minimum":0,"description":"The number of \#
        revisions that the peer lacked when the watch started and that follow."},"beginnings":{"type":"array","items":{"$ref":"#/com\#
        ponents/schemas/NoteBeginning"},"description":"Notes of which the peer lacks revisions whose texts are gone; absent if there\#
         are none."},"revisions":{"type":"array","items":{"$ref":"#/components/schemas/WireRevision"}},"gone":{"type":"array","items\#
        ":{"$ref":"#/components/schemas/Dot"},"description":"Revisions that the store cannot send: their rows are damaged, or their \#
        texts were compacted and the beginning of the note is too large."}},"required":["watch","seq","left","revisions","gone"]}}],\#
        "components":{"schemas":{"NoteId":{"type":"string","pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-\#
        f]{12}$","description":"A UUID of version 7 in lower case.","examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"Dot":{"typ\#
        e":"string","pattern":"^[0-9a-f]{16}:[1-9][0-9]*$","description":"The globally unique name of one revision: the replica that\#
         made it, and a counter.","examples":["9f86d081884c7d65:7"]},"Dots":{"type":"string","pattern":"^([0-9a-f]{16}:[1-9][0-9]*(-\#
        [1-9][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)?)*( [0-9a-f]{16}:[1-9][0-9]*(-[1-9][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)?)*)*)?$","de\#
        scription":"A set of dots: for each replica ranges of counters. Replicas and ranges ascend, and ranges do not touch.","examp\#
        les":["9f86d081884c7d65:1-7,9"]},"Base64":{"type":"string","pattern":"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{\#
        3}=)?$","description":"Bytes as in RFC 4648, with padding.","examples":["Ag=="]},"NoteBeginning":{"type":"object","descripti\#
        on":"A note at the oldest revision whose text is left, or at a purge.","properties":{"revision":{"$ref":"#/components/schema\#
        s/WireRevision"},"below":{"type":"string","description":"The dots in the past of the revision."},"erased":{"type":"string","\#
        description":"Those of them that a purge erased; absent if there are none."},"text":{"type":"string"},"name":{"type":"string\#
        ","description":"The name of the note there; absent if it has none."},"deleted":{"type":"boolean"},"last_line":{"type":"stri\#
        ng","enum":["shown","hidden","absent"]},"created":{"type":"string"}},"required":["revision","below","text","deleted","last_l\#
        ine","created"]},"WireRevision":{"type":"object","properties":{"head":{"$ref":"#/components/schemas/Base64","description":"T\#
        he canonical bytes of the revision (docs/causality.md), without those of its replacements, whose counts stay."},"text":{"typ\#
        e":"string","description":"The replacements, joined in order."}},"required":["head","text"],"additionalProperties":false},"V\#
        ersion":{"type":"string","pattern":"^([0-9a-f]{16}:[1-9][0-9]*( [0-9a-f]{16}:[1-9][0-9]*)*)?$","description":"A set of revis\#
        ions, written as its maximal dots, sorted and joined by single spaces; usually one dot. The empty string is the version in w\#
        hich nothing was seen. A client may send dots in any order and repeat them.","examples":["9f86d081884c7d65:7"]},"Cursor":{"t\#
        ype":"string","description":"A place in a store's commit order. Opaque to clients.","examples":["42.9f86d081884c7d65"]},"Con\#
        flictId":{"type":"string","pattern":"^[0-9a-f]{32}$","examples":["0123456789abcdef0123456789abcdef"]},"ReplicaId":{"type":"s\#
        tring","pattern":"^[0-9a-f]{16}$","examples":["9f86d081884c7d65"]},"Time":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-\#
        9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"RFC 3339 in UTC, with milliseconds. For people only.","example\#
        s":["2026-11-20T23:29:57.123Z"]},"FileTimes":{"type":"object","properties":{"modified":{"$ref":"#/components/schemas/Time"},\#
        "created":{"$ref":"#/components/schemas/Time"}},"required":["modified"],"additionalProperties":false,"examples":[{"modified"\#
        :"2019-05-04T10:00:00.000Z","created":"2019-05-01T09:00:00.000Z"}],"description":"The times that a file states. For people o\#
        nly."},"ChangeTime":{"type":"object","properties":{"modified":{"$ref":"#/components/schemas/Time"}},"required":["modified"],\#
        "additionalProperties":false,"examples":[{"modified":"2019-05-04T10:00:00.000Z"}]},"NoteName":{"type":"string","minLength":1\#
        ,"description":"A path such as work/inbox: parts of 1 to 255 bytes between single slashes, none of them . or .., no control \#
        characters, at most 1,024 bytes in all.","examples":["work/inbox"]},"Op":{"type":"string","minLength":1,"description":"A nam\#
        e for this write, of at most 64 bytes, different for each write of the user. The daemon makes a repeated write only once.","\#
        examples":["7f3a"]},"Label":{"type":"string","description":"At most 1,024 bytes.","examples":["laptop/vim"]},"LinkTarget":{"\#
        type":"string","description":"At most 3,500 bytes.","examples":["work/inbox"]},"PositionEncoding":{"type":"string","enum":["\#
        utf-8","utf-16","utf-32"],"description":"The unit of offsets: code units of UTF-8 or UTF-16, or Unicode scalars."},"Edit":{"\#
        type":"object","properties":{"start":{"type":"integer"},"end":{"type":"integer"},"text":{"type":"string"}},"required":["star\#
        t","end","text"],"description":"Replaces a range of a text. Offsets count in the text before any edit of the list, in the se\#
        ssion's encoding. Edits are sorted and do not overlap.","examples":[{"start":0,"end":0,"text":"a"}]},"Filter":{"type":"objec\#
        t","properties":{"ids":{"type":"array","items":{"$ref":"#/components/schemas/NoteId"}},"prefix":{"type":"string"},"tag":{"ty\#
        pe":"string"},"conflicted":{"type":"boolean"},"deleted":{"type":"boolean","description":"true: only tombstones; otherwise no\#
        ne."}},"required":[],"additionalProperties":false,"description":"A note must match all members.","examples":[{"prefix":"work\#
        /"}]},"Client":{"type":"object","properties":{"name":{"$ref":"#/components/schemas/Label"},"version":{"$ref":"#/components/s\#
        chemas/Label"}},"required":["name"],"examples":[{"name":"notesctl","version":"0.1.0"}]},"User":{"type":"object","properties"\#
        :{"uid":{"type":"integer","minimum":0},"name":{"type":"string"}},"required":["uid","name"]},"Author":{"type":"object","prope\#
        rties":{"user":{"type":"string"},"label":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["user","label"]},"Limits\#
        ":{"type":"object","properties":{"maxLineBytes":{"type":"integer","minimum":0,"description":"The length of a line, without i\#
        ts LF."},"maxNoteBytes":{"type":"integer","minimum":0},"maxInFlight":{"type":"integer","minimum":0,"description":"The number\#
         of requests without a response."},"maxDepth":{"type":"integer","minimum":0,"description":"The depth of nested arrays and ob\#
        jects."},"maxResponseBytes":{"type":"integer","minimum":0,"description":"The size of all unread responses."}},"required":["m\#
        axLineBytes","maxNoteBytes","maxInFlight","maxDepth","maxResponseBytes"]},"SearchQuery":{"type":"string","maxLength":4096,"e\#
        xamples":["milk bread"]},"Hit":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"},"snippet":{"type":\#
        "string","description":"An exact piece of the note's text, around the first match."},"ranges":{"type":"array","items":{"type\#
        ":"object","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start","e\#
        nd"]},"description":"The matches in the snippet, in the session's encoding, ascending and separate."}},"required":["note","s\#
        nippet","ranges"]},"Conflict":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/ConflictId"},"kind":{"type":\#
        "string","enum":["text","name","deletion"]},"range":{"type":"object","properties":{"start":{"type":"integer","minimum":0},"e\#
        nd":{"type":"integer","minimum":0}},"required":["start","end"],"description":"Whole lines of the merged text, in the session\#
        's encoding; all of it for a deletion, an empty range at its start for a name."},"base":{"oneOf":[{"type":"string"},{"type":\#
        "null"}],"description":"What all sides started from: the lines, the name or null, or null for a deletion."},"sides":{"type":\#
        "array","items":{"$ref":"#/components/schemas/Side"}}},"required":["id","kind","range"],"description":"A mark where concurre\#
        nt writes touch. base and sides are present where the note has text or edits, and in outcomes."},"Side":{"type":"object","pr\#
        operties":{"dot":{"$ref":"#/components/schemas/Dot"},"withdrawn":{"type":"boolean","description":"true: the revision is with\#
        drawn, and text is what its parents show; otherwise absent."},"author":{"$ref":"#/components/schemas/Author"},"modified":{"$\#
        ref":"#/components/schemas/Time"},"text":{"type":"string","description":"The text of this side in place of the range; its wh\#
        ole text if another side deleted the note."},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"de\#
        leted":{"type":"boolean","description":"true: this side deleted the note."}},"required":["dot","author","modified"],"descrip\#
        tion":"One side of a conflict, at its newest revision, or a withdrawn revision. It has one of text, name and deleted."},"Not\#
        e":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId"},"name":{"oneOf":[{"$ref":"#/components/schemas\#
        /NoteName"},{"type":"null"}]},"version":{"$ref":"#/components/schemas/Version"},"siblings":{"type":"array","items":{"$ref":"\#
        #/components/schemas/Dot"}},"vector":{"type":"object","additionalProperties":{"type":"integer"}},"conflicts":{"type":"array"\#
        ,"items":{"$ref":"#/components/schemas/Conflict"}},"title":{"type":"string"},"tags":{"type":"array","items":{"type":"string"\#
        }},"created":{"$ref":"#/components/schemas/Time"},"modified":{"$ref":"#/components/schemas/Time"},"author":{"$ref":"#/compon\#
        ents/schemas/Author"},"bytes":{"type":"integer","minimum":0},"deleted":{"type":"boolean"},"text":{"type":"string"},"base":{"\#
        $ref":"#/components/schemas/Version"},"edits":{"type":"array","items":{"$ref":"#/components/schemas/Edit"}}},"required":["id\#
        ","name","version","conflicts","title","tags","created","modified","author","bytes","deleted"],"description":"siblings and v\#
        ector are present only in note.get; text or edits where the client asked for them; base with edits in watch lines."},"NoteLe\#
        ft":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId"},"version":{"$ref":"#/components/schemas/Versi\#
        on"}},"required":["id","version"],"description":"A note that no longer matches the filter."},"MergedText":{"type":"object","\#
        properties":{"version":{"$ref":"#/components/schemas/Version"},"edits":{"type":"array","items":{"$ref":"#/components/schemas\#
        /Edit"}},"conflicts":{"type":"array","items":{"$ref":"#/components/schemas/Conflict"}},"text":{"type":"string"},"deleted":{"\#
        type":"boolean","description":"true if the note is deleted; otherwise absent."}},"required":["version","conflicts"],"descrip\#
        tion":"The state that the daemon shows, if its version is not that of the outcome, and always after note.undo. edits turn th\#
        e text sent, or after note.undo the text of base, into the merged text; version is the base to use once the client shows the\#
         merged text."},"Outcome":{"type":"object","properties":{"outcome":{"type":"string","enum":["saved","merged","conflicted","u\#
        nchanged"]},"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/components/schemas/Version"},"note":{"$ref":"#/co\#
        mponents/schemas/MergedText"},"replayed":{"type":"boolean"}},"required":["outcome","version"],"description":"dot is absent i\#
        f the outcome is unchanged. replayed is present if the client sent the op before."},"Revision":{"type":"object","properties"\#
        :{"dot":{"$ref":"#/components/schemas/Dot"},"parents":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"version"\#
        :{"$ref":"#/components/schemas/Version"},"author":{"$ref":"#/components/schemas/Author"},"modified":{"$ref":"#/components/sc\#
        hemas/Time"},"bytes":{"type":"integer","minimum":0},"deleted":{"type":"boolean"},"name":{"oneOf":[{"$ref":"#/components/sche\#
        mas/NoteName"},{"type":"null"}]},"kind":{"type":"string","enum":["saved","edited","undo","purge"]},"compacted":{"type":"bool\#
        ean","description":"true if compaction removed the text; otherwise absent."},"withdraws":{"type":"array","items":{"$ref":"#/\#
        components/schemas/Dot"},"description":"The revisions that an undo withdraws; otherwise absent."},"withdrawn":{"type":"boole\#
        an","description":"true if the revision is withdrawn in the newest version; otherwise absent."},"resolves":{"type":"array","\#
        items":{"$ref":"#/components/schemas/ConflictId"},"description":"The conflicts that the write named as resolved; otherwise a\#
        bsent."},"times":{"$ref":"#/components/schemas/FileTimes"}},"required":["dot","parents","version","author","modified","bytes\#
        ","deleted","name","kind"]},"Setting":{"type":"object","properties":{"key":{"type":"string","examples":["limits.depth_max"]}\#
        ,"value":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"As in the configuration file; null if the setting is un\#
        set and the daemon chooses."},"source":{"type":"string","description":"A file, \"environment NAME\", \"option NAME\", \"serv\#
        ice manager\" or \"default\"."},"reloadable":{"type":"boolean","description":"Whether a running daemon can apply a change."}\#
        ,"pending":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"The value that the next start will use, if it differs\#
        ."}},"required":["key","value","source","reloadable","pending"]},"Finding":{"type":"object","properties":{"note":{"oneOf":[{\#
        "$ref":"#/components/schemas/NoteId"},{"type":"null"}]},"dot":{"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"null"}]\#
        },"message":{"type":"string","description":"A sentence for people."},"affects":{"type":"string","enum":["texts","derived"],"\#
        description":"derived: only data that the daemon derives from revisions, such as names, conflicts and the search index; text\#
        s are not affected. Anything else, or absent: texts may be affected."}},"required":["note","dot","message"],"description":"S\#
        omething that an audit found. note and dot are null where it concerns none."},"Waiting":{"type":"object","properties":{"note\#
        ":{"$ref":"#/components/schemas/NoteId"},"revisions":{"type":"integer","minimum":0,"description":"The number of waiting revi\#
        sions."},"parents":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"description":"The missing parents, at most 1\#
        00 of them."}},"required":["note","revisions","parents"],"description":"Revisions of one note from other replicas that wait \#
        for their parents."},"HeldRevision":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"dot":{"$re\#
        f":"#/components/schemas/Dot"},"reason":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"Why the revision was not\#
         accepted, as a clause for people. null: it waits for its parents."},"author":{"$ref":"#/components/schemas/Author"},"modifi\#
        ed":{"$ref":"#/components/schemas/Time"},"inserts":{"type":"string","description":"The text that the revision inserts, or it\#
        s first 200 bytes."},"bytes":{"type":"integer","minimum":0,"description":"The number of bytes that the revision inserts."}},\#
        "required":["note","dot","reason","author","modified","inserts","bytes"],"description":"A revision of another store that is \#
        no part of its note: it waits for its parents, or was not accepted. The author and the time are those that its peer states, \#
        the author cut after 200 bytes."},"Selection":{"type":"object","properties":{"start":{"type":"integer","minimum":0},"end":{"\#
        type":"integer","minimum":0}},"required":["start","end"],"description":"Offsets in the session's encoding. A text cursor sta\#
        rts where it ends."},"Presence":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"version":{"$re\#
        f":"#/components/schemas/Version"},"selection":{"oneOf":[{"$ref":"#/components/schemas/Selection"},{"type":"null"}]}},"requi\#
        red":["note","version","selection"]},"Dependent":{"type":"object","properties":{"dependent":{"type":"integer","minimum":0},"\#
        client":{"$ref":"#/components/schemas/Client"},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"us\#
        er":{"$ref":"#/components/schemas/User"},"watches":{"type":"integer","minimum":0,"description":"The number of its watches."}\#
        ,"state":{"type":"string","enum":["synced","lagging","reset"],"description":"synced: everything was sent. lagging: something\#
         is pending. reset: the daemon dropped lines and has not replaced them yet."},"outboxBytes":{"type":"integer","minimum":0,"d\#
        escription":"The size of everything that is pending."},"presence":{"oneOf":[{"$ref":"#/components/schemas/Presence"},{"type"\#
        :"null"}],"description":"The note that the user has open on this connection."}},"required":["dependent","client","label","us\#
        er","watches","state","outboxBytes","presence"]}},"errors":{"parse_error":{"code":-32700,"message":"The line is not valid JS\#
        ON for this protocol.","data":{"kind":"parse_error","retryable":false,"details":["offset"]}},"invalid_request":{"code":-3260\#
        0,"message":"The line is not a JSON-RPC request, or not allowed at this point.","data":{"kind":"invalid_request","retryable"\#
        :false,"details":["path"]}},"method_not_found":{"code":-32601,"message":"There is no such method.","data":{"kind":"method_no\#
        t_found","retryable":false,"details":[]}},"invalid_params":{"code":-32602,"message":"A param is missing, unknown, or of the \#
        wrong type or form.","data":{"kind":"invalid_params","retryable":false,"details":["path","offset"]}},"internal":{"code":-326\#
        03,"message":"The daemon failed because of a bug.","data":{"kind":"internal","retryable":false,"details":[]}},"hello_require\#
        d":{"code":1001,"message":"Send session.hello first.","data":{"kind":"hello_required","retryable":false,"details":[]}},"unsu\#
        pported_protocol":{"code":1002,"message":"The client and the daemon have no protocol version in common.","data":{"kind":"uns\#
        upported_protocol","retryable":false,"details":["supported"]}},"note_not_found":{"code":2001,"message":"There is no such not\#
        e.","data":{"kind":"note_not_found","retryable":false,"details":[]}},"note_exists":{"code":2002,"message":"The id or the nam\#
        e is taken.","data":{"kind":"note_exists","retryable":false,"details":["id"]}},"unknown_base":{"code":2003,"message":"The ba\#
        se names a revision that is unknown or not this note's.","data":{"kind":"unknown_base","retryable":false,"details":["known"]\#
        }},"revision_gone":{"code":2004,"message":"Compaction or a purge removed the text of that version.","data":{"kind":"revision\#
        _gone","retryable":false,"details":["version"]}},"base_required":{"code":2005,"message":"A write to an existing note needs a\#
         base.","data":{"kind":"base_required","retryable":false,"details":["version"]}},"invalid_edit":{"code":2006,"message":"An e\#
        dit does not fit the text of the base.","data":{"kind":"invalid_edit","retryable":false,"details":["index"]}},"invalid_name"\#
        :{"code":2007,"message":"This is not a valid name for a note.","data":{"kind":"invalid_name","retryable":false,"details":[]}\#
        },"cannot_purge":{"code":2008,"message":"The note cannot be purged as it is.","data":{"kind":"cannot_purge","retryable":fals\#
        e,"details":["version"]}},"storage_full":{"code":3001,"message":"The disk is full.","data":{"kind":"storage_full","retryable\#
        ":true,"details":[]}},"storage_failed":{"code":3002,"message":"The store failed to read or write.","data":{"kind":"storage_f\#
        ailed","retryable":true,"details":[]}},"read_only":{"code":3003,"message":"The store is read-only.","data":{"kind":"read_onl\#
        y","retryable":false,"details":[]}},"line_too_long":{"code":4001,"message":"The line is too long; the daemon skipped it. The\#
         third such line closes the connection.","data":{"kind":"line_too_long","retryable":false,"details":["limit"]}},"note_too_la\#
        rge":{"code":4002,"message":"The note would be too large.","data":{"kind":"note_too_large","retryable":false,"details":["byt\#
        es","limit"]}},"overloaded":{"code":4003,"message":"The daemon is overloaded.","data":{"kind":"overloaded","retryable":"true\#
        , except if the connection has too many watches","details":[]}},"permission_denied":{"code":6001,"message":"The user does no\#
        t have the access that this needs.","data":{"kind":"permission_denied","retryable":false,"details":[]}},"shutting_down":{"co\#
        de":7001,"message":"The daemon is stopping.","data":{"kind":"shutting_down","retryable":true,"details":[]}}}}}
        """#
}
