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
        is connection may do until it ends, and names the person for whom it is. Allowed before hello. It never widens: the narrowes\#
        t of all requests is in force. A second user or note that differs is refused.","paramStructure":"by-name","params":[{"name":\#
        "access","required":false,"schema":{"type":"string","enum":["read","write","sync","admin"],"examples":["read"]},"description\#
        ":"The highest access. Without it, the access does not change."},{"name":"methods","required":false,"schema":{"type":"string\#
        ","enum":["all","exchange"],"default":"all","examples":["exchange"]},"description":"exchange leaves session.*, rpc.discover,\#
         revisions.known, revisions.watch, revisions.proceed, revisions.complete, revisions.adopt, peers.list."},{"name":"user","req\#
        uired":false,"schema":{"$ref":"#/components/schemas/Person"},"description":"The person for whom the user connected. Set once\#
        , before hello."},{"name":"note","required":false,"schema":{"$ref":"#/components/schemas/NoteId"},"description":"The only no\#
        te that the connection reaches; it leaves session.*, rpc.discover, note.get, note.history, note.edit, note.save without name\#
        , notes.watch, notes.unwatch and presence.set. Set once, before hello."}],"result":{"name":"limits","schema":{"type":"object\#
        ","properties":{"access":{"type":"string","enum":["read","write","sync","admin"],"description":"The access of the connection\#
        ."},"methods":{"type":"string","enum":["all","exchange"]},"user":{"$ref":"#/components/schemas/Person"},"note":{"$ref":"#/co\#
        mponents/schemas/NoteId"}},"required":["access","methods"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#\#
        /components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_lon\#
        g"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/ov\#
        erloaded"}]},{"name":"session.ping","summary":"Returns an empty object. Allowed before hello.","paramStructure":"by-name","p\#
        arams":[],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/componen\#
        ts/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref"\#
        :"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"}]},{"name":"rpc.discover","summary":"Returns th\#
        is document. Allowed before hello.","paramStructure":"by-name","params":[],"result":{"name":"document","schema":{"type":"obj\#
        ect"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/compon\#
        ents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"}]},{"name":\#
        "note.create","summary":"Creates a note.","paramStructure":"by-name","params":[{"name":"text","required":false,"schema":{"ty\#
        pe":"string","examples":["Hello\n"]}},{"name":"file","required":false,"schema":{"$ref":"#/components/schemas/FileContent"},"\#
        description":"Makes a file of the note. Needs \"files\" in capabilities."},{"name":"name","required":false,"schema":{"oneOf"\#
        :[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}],"examples":["work/inbox"]}},{"name":"id","required":false,"schem\#
        a":{"$ref":"#/components/schemas/NoteId"},"description":"The client may choose it, so that a retry cannot create a second no\#
        te."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}},{"name":"times","required":false,"schema":{\#
        "$ref":"#/components/schemas/FileTimes"}}],"result":{"name":"created","schema":{"type":"object","properties":{"note":{"$ref"\#
        :"#/components/schemas/Note"},"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/components/schemas/Version"},"r\#
        eplayed":{"type":"boolean"}},"required":["note"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/component\#
        s/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref\#
        ":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"\#
        $ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permis\#
        sion_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/err\#
        ors/note_too_large"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/note_exists"},{"$ref":"#/comp\#
        onents/errors/invalid_name"},{"$ref":"#/components/errors/file_missing"},{"$ref":"#/components/errors/wrong_kind"}],"x-exact\#
        ly-one":["text","file"]},{"name":"note.get","summary":"Returns a note, now or at a version, whole or as edits from a version\#
        .","paramStructure":"by-name","params":[{"name":"id","required":false,"schema":{"$ref":"#/components/schemas/NoteId"}},{"nam\#
        e":"name","required":false,"schema":{"$ref":"#/components/schemas/NoteName"}},{"name":"at","required":false,"schema":{"$ref"\#
        :"#/components/schemas/Version"}},{"name":"from","required":false,"schema":{"$ref":"#/components/schemas/Version"}}],"result\#
        ":{"name":"shown","schema":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"}},"required":["note"]}}\#
        ,"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/e\#
        rrors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/compo\#
        nents/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref"\#
        :"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_no\#
        t_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"}],"x-exactly-one":["id","n\#
        ame"]},{"name":"note.list","summary":"Lists notes, sorted by name (bytes, null last) and id, or by newest commit.","paramStr\#
        ucture":"by-name","params":[{"name":"filter","required":false,"schema":{"$ref":"#/components/schemas/Filter"}},{"name":"limi\#
        t","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","r\#
        equired":false,"schema":{"type":"string","examples":["01890a5d-ac96-774b-bcce-b302099a8057/work/inbox"]},"description":"The \#
        next of the previous page in the same order."},{"name":"order","required":false,"schema":{"type":"string","enum":["name","ne\#
        west"],"default":"name","examples":["newest"]}}],"result":{"name":"page","schema":{"type":"object","properties":{"notes":{"t\#
        ype":"array","items":{"$ref":"#/components/schemas/Note"}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":\#
        ["notes","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$re\#
        f":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"\#
        },{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutt\#
        ing_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"tags.li\#
        st","summary":"Lists the tags of living notes, sorted by bytes, with the number of notes that have each.","paramStructure":"\#
        by-name","params":[{"name":"prefix","required":false,"schema":{"type":"string","default":"","examples":["project/"]},"descri\#
        ption":"What each tag begins with."},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,\#
        "default":100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["project/notesd"]},"d\#
        escription":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"tags":{"type\#
        ":"array","items":{"type":"object","properties":{"tag":{"type":"string"},"notes":{"type":"integer","minimum":1}},"required":\#
        ["tag","notes"]}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["tags","next"]}},"errors":[{"$ref":"#/co\#
        mponents/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{\#
        "$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_requi\#
        red"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/st\#
        orage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"revisions.list","summary":"Lists the revisions of\#
         all notes in the order of commits, newest first. Needs \"revisions\" in capabilities.","paramStructure":"by-name","params":\#
        [{"name":"author","required":false,"schema":{"$ref":"#/components/schemas/Label"},"description":"The name of a user, a label\#
        , or the first parts of a label up to a slash."},{"name":"since","required":false,"schema":{"$ref":"#/components/schemas/Tim\#
        e"},"description":"Lists no writes that were made before this time."},{"name":"limit","required":false,"schema":{"type":"int\#
        eger","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string",\#
        "examples":["4711"]},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","pro\#
        perties":{"revisions":{"type":"array","items":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"\#
        revision":{"$ref":"#/components/schemas/Revision"}},"required":["note","revision"]}},"next":{"oneOf":[{"type":"string"},{"ty\#
        pe":"null"}]}},"required":["revisions","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/\#
        errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":\#
        "#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$r\#
        ef":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permissi\#
        on_denied"}]},{"name":"revisions.known","summary":"Returns the revisions of the store, as dots. Needs \"replication\" in cap\#
        abilities.","paramStructure":"by-name","params":[{"name":"digests","required":false,"schema":{"$ref":"#/components/schemas/D\#
        ots"},"description":"At most 1,024 dots whose digests the result shall have."}],"result":{"name":"known","schema":{"type":"o\#
        bject","properties":{"known":{"$ref":"#/components/schemas/Dots"},"quarantined":{"$ref":"#/components/schemas/Dots"},"waitin\#
        g":{"type":"integer","minimum":0},"forms":{"type":"array","items":{"type":"integer","minimum":1}},"view":{"type":"integer","\#
        minimum":0},"digests":{"type":"array","items":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"note\#
        ":{"$ref":"#/components/schemas/NoteId"},"hash":{"type":"string","pattern":"^[0-9a-f]{16}$"}},"required":["dot","note"]}}},"\#
        required":["known","quarantined","waiting","forms","view"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#\#
        /components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_lon\#
        g"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overl\#
        oaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/err\#
        ors/permission_denied"}]},{"name":"revisions.watch","summary":"Sends the revisions that a peer lacks in revisions.page notif\#
        ications, and then each revision as it is committed. Needs \"replication\" in capabilities.","paramStructure":"by-name","par\#
        ams":[{"name":"peer","required":true,"schema":{"type":"object","properties":{"store":{"$ref":"#/components/schemas/ReplicaId\#
        "},"replica":{"$ref":"#/components/schemas/ReplicaId"}},"required":["store","replica"],"additionalProperties":false,"example\#
        s":[{"store":"aaaaaaaaaaaaaaaa","replica":"bbbbbbbbbbbbbbbb"}]},"description":"The store that receives the revisions."},{"na\#
        me":"known","required":true,"schema":{"$ref":"#/components/schemas/Dots"},"description":"The revisions that it holds."},{"na\#
        me":"refuses","required":false,"schema":{"$ref":"#/components/schemas/Dots"},"description":"The revisions that it did not ac\#
        cept."}],"result":{"name":"watch","schema":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"lacks":{"t\#
        ype":"integer","minimum":0}},"required":["watch","lacks"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/\#
        components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long\#
        "},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overlo\#
        aded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/erro\#
        rs/permission_denied"}]},{"name":"revisions.proceed","summary":"States that the peer holds the pages up to a number. Needs \\#
        "replication\" in capabilities.","paramStructure":"by-name","params":[{"name":"watch","required":true,"schema":{"type":"inte\#
        ger","minimum":0,"examples":[1]}},{"name":"seq","required":true,"schema":{"type":"integer","minimum":0,"examples":[1]},"desc\#
        ription":"The number of the last page."},{"name":"lacking","required":false,"schema":{"type":"array","items":{"$ref":"#/comp\#
        onents/schemas/Dot"},"examples":[[]]},"description":"The revisions of these pages that the peer does not hold."}],"result":{\#
        "name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_erro\#
        r"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/error\#
        s/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/component\#
        s/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/permission_denied"}]},{"name\#
        ":"revisions.complete","summary":"States that the peer has the bytes of the files that these revisions name. Needs \"replica\#
        tion\" in capabilities.","paramStructure":"by-name","params":[{"name":"dots","required":true,"schema":{"$ref":"#/components/\#
        schemas/Dots"},"description":"The revisions."}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"requir\#
        ed":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/comp\#
        onents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":\#
        "#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}\#
        ,{"$ref":"#/components/errors/permission_denied"}]},{"name":"revisions.adopt","summary":"Takes in revisions of a peer. Needs\#
         \"replication\" in capabilities.","paramStructure":"by-name","params":[{"name":"revisions","required":true,"schema":{"type"\#
        :"array","maxItems":256,"items":{"$ref":"#/components/schemas/WireRevision"},"examples":[[{"head":"Ag==","text":""}]]},"desc\#
        ription":"At most 256 revisions and 16 beginnings of 1 MiB together, or one of them."},{"name":"beginnings","required":false\#
        ,"schema":{"type":"array","maxItems":16,"items":{"$ref":"#/components/schemas/NoteBeginning"},"examples":[[{"revision":{"hea\#
        d":"AghBfur8CHHkpm+EIsoA33oP6nhcgavM8AMBD+p4XIGrzPACAAAAAAAAAABcCHNob3BwaW5nAAABAARyb290CG5vdGVzY3Rsovnh+8JoAA==","text":""}\#
        ,"below":"0fea785c81abccf0:1-2","text":"Milk\\nBread\\n","name":"shopping","deleted":false,"last_line":"shown","created":"20\#
        26-11-26T12:02:22.368Z"}]]},"description":"The beginnings of notes, which are taken in before the revisions."}],"result":{"n\#
        ame":"adopted","schema":{"type":"object","properties":{"committed":{"type":"integer","minimum":0},"known":{"type":"integer",\#
        "minimum":0},"waiting":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"quarantined":{"type":"array","items":{"\#
        type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"reason":{"type":"string"}},"required":["dot","reason\#
        "]}},"refused":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"unreadable":{"type":"array","items":{"type":"in\#
        teger","minimum":0}},"not_begun":{"type":"array","items":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/\#
        Dot"},"reason":{"type":"string"}},"required":["dot","reason"]},"description":"The beginnings of notes that were not accepted\#
        ; absent if there are none."},"restart":{"type":"boolean","description":"Whether the sender has to start again with a new an\#
        swer to revisions.known; absent if not."}},"required":["committed","known","waiting","quarantined","refused","unreadable"]}}\#
        ,"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/e\#
        rrors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/compo\#
        nents/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref"\#
        :"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage\#
        _full"},{"$ref":"#/components/errors/read_only"}]},{"name":"peers.list","summary":"Lists the stores that exchange revisions \#
        with this one. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[],"result":{"name":"peers","sche\#
        ma":{"type":"object","properties":{"peers":{"type":"array","items":{"type":"object","properties":{"store":{"$ref":"#/compone\#
        nts/schemas/ReplicaId"},"connected":{"type":"boolean"},"lacks":{"type":"integer","minimum":0}},"required":["store","connecte\#
        d","lacks"]}}},"required":["peers"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/inva\#
        lid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/componen\#
        ts/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/comp\#
        onents/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}\#
        ]},{"name":"peers.forget","summary":"Removes the record of what a peer holds. Needs \"replication\" in capabilities.","param\#
        Structure":"by-name","params":[{"name":"store","required":true,"schema":{"$ref":"#/components/schemas/ReplicaId"},"descripti\#
        on":"The id of the peer's store."}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"er\#
        rors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/error\#
        s/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/component\#
        s/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/\#
        components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_ful\#
        l"},{"$ref":"#/components/errors/read_only"}]},{"name":"revisions.held","summary":"Lists the revisions of other stores that \#
        are no part of their notes: those that were not accepted, then those that wait for their parents. Needs \"replication\" in c\#
        apabilities.","paramStructure":"by-name","params":[{"name":"dot","required":false,"schema":{"$ref":"#/components/schemas/Dot\#
        "},"description":"Lists only the revisions with this dot, with their whole texts."},{"name":"limit","required":false,"schema\#
        ":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","required":false,"schema":{"t\#
        ype":"string","examples":["quarantined/12"]},"description":"The next of the previous page."}],"result":{"name":"page","schem\#
        a":{"type":"object","properties":{"revisions":{"type":"array","items":{"$ref":"#/components/schemas/HeldRevision"}},"quarant\#
        ined":{"type":"integer","minimum":0,"description":"The number of all revisions that were not accepted."},"waiting":{"type":"\#
        integer","minimum":0,"description":"The number of all revisions that wait for their parents."},"next":{"oneOf":[{"type":"str\#
        ing"},{"type":"null"}]}},"required":["revisions","quarantined","waiting","next"]}},"errors":[{"$ref":"#/components/errors/pa\#
        rse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/componen\#
        ts/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/c\#
        omponents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$\#
        ref":"#/components/errors/permission_denied"}]},{"name":"revisions.drop","summary":"Removes revisions that are no part of th\#
        eir notes. A peer that offers one again brings it back. Needs admin, and \"replication\" in capabilities.","paramStructure":\#
        "by-name","params":[{"name":"dots","required":true,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"min\#
        Items":1,"maxItems":1000,"examples":[["9f86d081884c7d65:7"]]},"description":"The dots of revisions that wait for their paren\#
        ts or were not accepted, between 1 and 1,000. Dots of other revisions have no effect."}],"result":{"name":"dropped","schema"\#
        :{"type":"object","properties":{"dropped":{"type":"integer","minimum":0,"description":"The number of removed revisions; seve\#
        ral may have one dot."}},"required":["dropped"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components\#
        /errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref"\#
        :"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$\#
        ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permiss\#
        ion_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"}]},{"name":"links.to","summ\#
        ary":"Lists the links that mean a note, from the newest linking note to the oldest.","paramStructure":"by-name","params":[{"\#
        name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"limit","required":false,"schema":{"type\#
        ":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"st\#
        ring","examples":["01890a5d-ac96-774b-bcce-b302099a8057/0"]},"description":"The next of the previous page."}],"result":{"nam\#
        e":"page","schema":{"type":"object","properties":{"links":{"type":"array","items":{"type":"object","properties":{"note":{"$r\#
        ef":"#/components/schemas/Note"},"version":{"$ref":"#/components/schemas/Version"},"range":{"type":"object","properties":{"s\#
        tart":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start","end"]},"kind":{"type":"strin\#
        g","enum":["wiki","embed","path","id"]},"target":{"type":"string"},"fragment":{"oneOf":[{"type":"string"},{"type":"null"}]},\#
        "snippet":{"type":"string"}},"required":["note","version","range","kind","target","fragment","snippet"]}},"next":{"oneOf":[{\#
        "type":"string"},{"type":"null"}]}},"required":["links","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$re\#
        f":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_to\#
        o_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/\#
        overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/component\#
        s/errors/storage_full"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"}]},{"n\#
        ame":"links.missing","summary":"Lists the targets of links that mean nothing, sorted by bytes.","paramStructure":"by-name","\#
        params":[{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50\#
        ]}},{"name":"after","required":false,"schema":{"type":"string","examples":["01890a5d-ac96-774b-bcce-b302099a8057/0/wiki/nowh\#
        ere"]},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"tar\#
        gets":{"type":"array","items":{"type":"object","properties":{"kind":{"type":"string","enum":["wiki","embed","path","id"]},"t\#
        arget":{"type":"string"},"links":{"type":"integer","minimum":1},"notes":{"type":"array","items":{"$ref":"#/components/schema\#
        s/NoteId"}}},"required":["kind","target","links","notes"]}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required"\#
        :["targets","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"\#
        $ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/intern\#
        al"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/sh\#
        utting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/component\#
        s/errors/permission_denied"}]},{"name":"links.resolve","summary":"Lists the notes that link targets can mean, the meaning fi\#
        rst.","paramStructure":"by-name","params":[{"name":"targets","required":true,"schema":{"type":"array","minItems":1,"maxItems\#
        ":100,"items":{"type":"object","properties":{"kind":{"type":"string","enum":["wiki","embed","path","id"],"examples":["wiki"]\#
        },"target":{"$ref":"#/components/schemas/LinkTarget"}},"required":["kind","target"],"additionalProperties":false},"examples"\#
        :[[{"kind":"wiki","target":"inbox"}]]}},{"name":"from","required":false,"schema":{"$ref":"#/components/schemas/NoteId"},"des\#
        cription":"The linking note. Without it, the linking note counts as one at the root."},{"name":"kind","required":false,"sche\#
        ma":{"type":"string","enum":["text","file","any"],"default":"text","examples":["any"]},"description":"The kind of the notes.\#
         A target means a file only if it means no text."}],"result":{"name":"meanings","schema":{"type":"object","properties":{"fou\#
        nd":{"type":"array","description":"The answers in the order of the targets: at least one, and fewer than targets if these ca\#
        n mean very many notes.","items":{"type":"object","properties":{"notes":{"type":"array","items":{"$ref":"#/components/schema\#
        s/Note"}},"more":{"type":"integer","minimum":0}},"required":["notes","more"]}}},"required":["found"]}},"errors":[{"$ref":"#/\#
        components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"}\#
        ,{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_req\#
        uired"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/\#
        storage_failed"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/com\#
        ponents/errors/note_not_found"}]},{"name":"note.search","summary":"Searches notes by their contents, best first.","paramStru\#
        cture":"by-name","params":[{"name":"query","required":true,"schema":{"$ref":"#/components/schemas/SearchQuery"},"description\#
        ":"Words that a note must all contain; docs/protocol.md describes the whole syntax."},{"name":"kind","required":false,"schem\#
        a":{"type":"string","enum":["text","file","any"],"default":"text","examples":["any"]},"description":"The kind of the notes t\#
        o find."},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":100,"default":20,"examples":[50]\#
        }},{"name":"after","required":false,"schema":{"type":"string","examples":["3fe5555555555555.0000000000000421"]},"description\#
        ":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"hits":{"type":"array",\#
        "items":{"$ref":"#/components/schemas/Hit"}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]},"truncated":{"type":"boole\#
        an","description":"Whether more than 10,000 notes matched. The daemon finds only the newest 10,000 of them."}},"required":["\#
        hits","next","truncated"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_reques\#
        t"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/\#
        internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/err\#
        ors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/com\#
        ponents/errors/permission_denied"}]},{"name":"note.save","summary":"Writes a whole text, a name, or both, on a base.","param\#
        Structure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base",\#
        "required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The version whose text the client was showin\#
        g. Without it: base_required.","x-missing":"base_required"},{"name":"text","required":false,"schema":{"type":"string","examp\#
        les":["Hello\n"]}},{"name":"file","required":false,"schema":{"$ref":"#/components/schemas/FileContent"},"description":"The n\#
        ew content of a file, in place of text."},{"name":"name","required":false,"schema":{"oneOf":[{"$ref":"#/components/schemas/N\#
        oteName"},{"type":"null"}],"examples":["work/done"]},"description":"null clears the name."},{"name":"resolves","required":fa\#
        lse,"schema":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"examples":[["0123456789abcdef0123456789abcd\#
        ef"]]},"description":"Ids of conflicts that are open at the base."},{"name":"op","required":false,"schema":{"$ref":"#/compon\#
        ents/schemas/Op"}},{"name":"times","required":false,"schema":{"$ref":"#/components/schemas/ChangeTime"}}],"result":{"name":"\#
        outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/c\#
        omponents/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"\#
        },{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloa\#
        ded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/error\#
        s/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/compon\#
        ents/errors/note_too_large"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/note_exists"},{"$ref\#
        ":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_require\#
        d"},{"$ref":"#/components/errors/invalid_name"},{"$ref":"#/components/errors/file_missing"},{"$ref":"#/components/errors/wro\#
        ng_kind"}],"x-at-least-one":["name","text","file","resolves"]},{"name":"note.edit","summary":"Writes edits to the text of a \#
        base.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"\#
        name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The version whose text the clie\#
        nt was showing. Without it: base_required.","x-missing":"base_required"},{"name":"edits","required":true,"schema":{"type":"a\#
        rray","items":{"$ref":"#/components/schemas/Edit"},"examples":[[{"start":0,"end":0,"text":"a"}]]}},{"name":"resolves","requi\#
        red":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"examples":[["0123456789abcdef0123456\#
        789abcdef"]]},"description":"Ids of conflicts that are open at the base."},{"name":"op","required":false,"schema":{"$ref":"#\#
        /components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#\#
        /components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"\#
        },{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_re\#
        quired"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors\#
        /storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/co\#
        mponents/errors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/components/errors/note_not_found"},{"$r\#
        ef":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_requi\#
        red"},{"$ref":"#/components/errors/invalid_edit"},{"$ref":"#/components/errors/wrong_kind"}]},{"name":"note.delete","summary\#
        ":"Marks a note as deleted. Its text can still be read at its versions.","paramStructure":"by-name","params":[{"name":"id","\#
        required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/component\#
        s/schemas/Version"},"description":"The version whose text the client was showing. Without it: base_required.","x-missing":"b\#
        ase_required"},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schem\#
        a":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/error\#
        s/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/co\#
        mponents/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"\#
        #/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_de\#
        nied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/not\#
        e_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components\#
        /errors/base_required"}]},{"name":"note.undo","summary":"Withdraws revisions of a note, as if they had not been made. Withdr\#
        awing a withdrawal redoes.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components\#
        /schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"A version \#
        that includes the revisions. Without it: base_required.","x-missing":"base_required"},{"name":"revisions","required":false,"\#
        schema":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"minItems":1,"maxItems":10000,"examples":[["9f86d081884c\#
        7d65:7"]]},"description":"The revisions to withdraw."},{"name":"ops","required":false,"schema":{"type":"array","items":{"$re\#
        f":"#/components/schemas/Op"},"minItems":1,"maxItems":10000,"examples":[["7f3a"]]},"description":"The ops of writes of the s\#
        ame user to this note, in place of revisions."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}},{\#
        "name":"times","required":false,"schema":{"$ref":"#/components/schemas/ChangeTime"},"description":"The time of change that t\#
        he note shows after the undo."},{"name":"preview","required":false,"schema":{"type":"boolean","default":false,"examples":[tr\#
        ue]},"description":"Returns the result and writes nothing. Needs \"preview\" in capabilities."}],"result":{"name":"outcome",\#
        "schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components\#
        /errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref"\#
        :"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$\#
        ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permiss\#
        ion_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/erro\#
        rs/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/comp\#
        onents/errors/base_required"},{"$ref":"#/components/errors/note_too_large"}],"x-exactly-one":["revisions","ops"]},{"name":"n\#
        ote.purge","summary":"Erases everything that the note does not show any more. Needs admin, and \"purge\" in capabilities.","\#
        paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"b\#
        ase","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The current version. Without it: base_r\#
        equired.","x-missing":"base_required"},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":\#
        {"name":"purge","schema":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/compo\#
        nents/schemas/Version"},"beyond":{"type":"array","items":{"type":"object","properties":{"place":{"type":"string","enum":["ba\#
        ckup","copies","exports","drafts"]},"path":{"type":"string","description":"The absolute path of a backup; otherwise absent."\#
        }},"required":["place"]},"description":"The places that may have the erased text and that the daemon does not reach."},"file\#
        s":{"type":"object","properties":{"erased":{"type":"integer","minimum":0,"description":"Files that nothing names any more, s\#
        o that their bytes are erased."},"kept":{"type":"integer","minimum":0,"description":"Files that erased revisions named, and \#
        that others still name."},"notes":{"type":"array","items":{"$ref":"#/components/schemas/NoteId"},"maxItems":100,"description\#
        ":"Some of the notes that still name these files; the purged note itself if it shows one."}},"required":["erased","kept","no\#
        tes"],"description":"What the purge did to the bytes of files. Absent if replayed, and without the capability files."},"repl\#
        ayed":{"type":"boolean","description":"true if an earlier request with the same op did this."}},"required":["dot","version",\#
        "beyond"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/c\#
        omponents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$re\#
        f":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_dow\#
        n"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/err\#
        ors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/compone\#
        nts/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{"$ref":\#
        "#/components/errors/cannot_purge"}]},{"name":"note.history","summary":"Lists the revisions of a note, newest first.","param\#
        Structure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"limit"\#
        ,"required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"before","re\#
        quired":false,"schema":{"$ref":"#/components/schemas/Dot"},"description":"The next of the previous page."}],"result":{"name"\#
        :"page","schema":{"type":"object","properties":{"revisions":{"type":"array","items":{"$ref":"#/components/schemas/Revision"}\#
        },"next":{"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"null"}]}},"required":["revisions","next"]}},"errors":[{"$ref\#
        ":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_par\#
        ams"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hell\#
        o_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/er\#
        rors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"}]},{"nam\#
        e":"notes.watch","summary":"Sends a notification for each change to the notes that match a filter, from now on or from a cur\#
        sor.","paramStructure":"by-name","params":[{"name":"filter","required":false,"schema":{"$ref":"#/components/schemas/Filter"}\#
        },{"name":"include","required":false,"schema":{"type":"string","enum":["meta","text","edits"],"default":"meta","examples":["\#
        text"]}},{"name":"since","required":false,"schema":{"$ref":"#/components/schemas/Cursor"}},{"name":"snapshot","required":fal\#
        se,"schema":{"type":"boolean","default":true,"examples":[false]}},{"name":"echo","required":false,"schema":{"type":"boolean"\#
        ,"default":true,"examples":[false]}}],"result":{"name":"watch","schema":{"type":"object","properties":{"watch":{"type":"inte\#
        ger","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"},"reset":{"type":"boolean"}},"required":["watch","cursor","\#
        reset"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/com\#
        ponents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref"\#
        :"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"\#
        },{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"notes.unwatch","\#
        summary":"Ends a watch.","paramStructure":"by-name","params":[{"name":"watch","required":true,"schema":{"type":"integer","mi\#
        nimum":1,"examples":[1]}}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"\#
        $ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid\#
        _params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/\#
        hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"presence.\#
        set","summary":"Publishes which note the user has open on this connection. A client may send it without id; it then gets no \#
        response.","paramStructure":"by-name","params":[{"name":"note","required":true,"schema":{"oneOf":[{"$ref":"#/components/sche\#
        mas/NoteId"},{"type":"null"}],"examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"description":"null publishes that no not\#
        e is open, and excludes version and selection."},{"name":"version","required":false,"schema":{"$ref":"#/components/schemas/V\#
        ersion"},"description":"The version that the user sees."},{"name":"selection","required":false,"schema":{"oneOf":[{"$ref":"#\#
        /components/schemas/Selection"},{"type":"null"}],"examples":[{"start":0,"end":0}]},"description":"Offsets in the text of ver\#
        sion. null means no selection.","x-needs":"version"}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"\#
        required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"\#
        #/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"\#
        $ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_\#
        down"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/error\#
        s/revision_gone"},{"$ref":"#/components/errors/storage_failed"}]},{"name":"dependents.list","summary":"Lists the connected c\#
        lients.","paramStructure":"by-name","params":[],"result":{"name":"dependents","schema":{"type":"object","properties":{"depen\#
        dents":{"type":"array","items":{"$ref":"#/components/schemas/Dependent"}}},"required":["dependents"]}},"errors":[{"$ref":"#/\#
        components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"}\#
        ,{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_req\#
        uired"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"file.begin","summa\#
        ry":"Begins the upload of the bytes of a file, or continues it. Needs \"files\" in capabilities.","paramStructure":"by-name"\#
        ,"params":[{"name":"sha256","required":true,"schema":{"$ref":"#/components/schemas/FileHash"}},{"name":"bytes","required":tr\#
        ue,"schema":{"type":"integer","minimum":0,"maximum":9007199254740992,"examples":[6]}},{"name":"for","required":false,"schema\#
        ":{"type":"string","enum":["peer"],"examples":["peer"]},"description":"Takes only bytes that a revision of the store names."\#
        }],"result":{"name":"upload","schema":{"type":"object","properties":{"there":{"type":"boolean","description":"Whether the da\#
        emon has all bytes, and they have their hash."},"offset":{"type":"integer","minimum":0,"description":"The place up to which \#
        the daemon has the bytes."},"wanted":{"type":"boolean","description":"false: for a peer, and no revision names the bytes."}}\#
        ,"required":["there","offset"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_r\#
        equest"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/er\#
        rors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/component\#
        s/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$r\#
        ef":"#/components/errors/storage_full"},{"$ref":"#/components/errors/file_too_large"}]},{"name":"file.put","summary":"Writes\#
         the next bytes of an upload. At another offset than the upload has, nothing is written. Needs \"files\" in capabilities.","\#
        paramStructure":"by-name","params":[{"name":"sha256","required":true,"schema":{"$ref":"#/components/schemas/FileHash"}},{"na\#
        me":"bytes","required":true,"schema":{"type":"integer","minimum":0,"maximum":9007199254740992,"examples":[6]}},{"name":"offs\#
        et","required":true,"schema":{"type":"integer","minimum":0,"examples":[0]}},{"name":"data","required":true,"schema":{"$ref":\#
        "#/components/schemas/Base64"},"description":"At most 786,432 bytes, as base64."},{"name":"for","required":false,"schema":{"\#
        type":"string","enum":["peer"],"examples":["peer"]},"description":"As of file.begin."}],"result":{"name":"upload","schema":{\#
        "type":"object","properties":{"there":{"type":"boolean","description":"Whether the daemon has all bytes, and they have their\#
         hash."},"offset":{"type":"integer","minimum":0,"description":"The place up to which the daemon has the bytes."},"wanted":{"\#
        type":"boolean","description":"false: for a peer, and no revision names the bytes."}},"required":["there","offset"]}},"error\#
        s":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/i\#
        nvalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/e\#
        rrors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/com\#
        ponents/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"}\#
        ,{"$ref":"#/components/errors/file_too_large"},{"$ref":"#/components/errors/file_missing"},{"$ref":"#/components/errors/file\#
        _differs"}]},{"name":"file.get","summary":"Reads some bytes of a file. Needs \"files\" in capabilities.","paramStructure":"b\#
        y-name","params":[{"name":"sha256","required":true,"schema":{"$ref":"#/components/schemas/FileHash"}},{"name":"offset","requ\#
        ired":false,"schema":{"type":"integer","minimum":0,"default":0,"examples":[1]}},{"name":"length","required":false,"schema":{\#
        "type":"integer","minimum":1,"maximum":786432,"default":786432,"examples":[3]}}],"result":{"name":"part","schema":{"type":"o\#
        bject","properties":{"offset":{"type":"integer","minimum":0},"bytes":{"type":"integer","minimum":0,"description":"The size o\#
        f the whole file."},"data":{"$ref":"#/components/schemas/Base64"}},"required":["offset","bytes","data"]}},"errors":[{"$ref":\#
        "#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_param\#
        s"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_\#
        required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/erro\#
        rs/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/file_missing"}]},{"name":"\#
        file.check","summary":"Compares the bytes of a file with their hash, and sets them apart if they differ. Needs \"files\" in \#
        capabilities.","paramStructure":"by-name","params":[{"name":"sha256","required":true,"schema":{"$ref":"#/components/schemas/\#
        FileHash"}}],"result":{"name":"checked","schema":{"type":"object","properties":{"there":{"type":"boolean"}},"required":["the\#
        re"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/compon\#
        ents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#\#
        /components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{\#
        "$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"files.have","summar\#
        y":"Tells which files the store does not have. Needs \"files\" in capabilities.","paramStructure":"by-name","params":[{"name\#
        ":"sha256s","required":true,"schema":{"type":"array","items":{"$ref":"#/components/schemas/FileHash"},"minItems":1,"maxItems\#
        ":1000,"examples":[["5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"]]}}],"result":{"name":"have","schema"\#
        :{"type":"object","properties":{"lacks":{"type":"array","items":{"type":"integer","minimum":0},"description":"Indexes of tho\#
        se that are not there."},"lost":{"type":"array","items":{"type":"integer","minimum":0},"description":"Indexes of those that \#
        were there, and are lost or damaged; absent if there are none."},"fetchBytesMax":{"type":"integer","minimum":0,"description"\#
        :"The size above which the daemon takes no file from another store."}},"required":["lacks"]}},"errors":[{"$ref":"#/component\#
        s/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":\#
        "#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{\#
        "$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_f\#
        ailed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"files.list","summary":"Lists files that have or lack som\#
        ething, by their hashes. A page can have fewer than limit files. Needs \"files\" in capabilities.","paramStructure":"by-name\#
        ","params":[{"name":"state","required":true,"schema":{"type":"string","enum":["missing","declined","unnamed","named"],"examp\#
        les":["missing"]},"description":"missing: a revision names them, and the bytes are not there. declined: the same, and the da\#
        emon takes none of their size from other stores. unnamed: no revision names them. named: a revision names them."},{"name":"l\#
        imit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after"\#
        ,"required":false,"schema":{"$ref":"#/components/schemas/FileHash"},"description":"The next of the previous page."}],"result\#
        ":{"name":"page","schema":{"type":"object","properties":{"files":{"type":"array","items":{"type":"object","properties":{"sha\#
        256":{"$ref":"#/components/schemas/FileHash"},"bytes":{"type":"integer","minimum":0},"notes":{"type":"array","items":{"$ref"\#
        :"#/components/schemas/NoteId"},"description":"At most three that name it."},"revisions":{"$ref":"#/components/schemas/Dots"\#
        ,"description":"Those that name it; of more than 1,024, the newest. Absent for unnamed files, and in a database hub."}},"req\#
        uired":["sha256","bytes","notes"]}},"next":{"oneOf":[{"$ref":"#/components/schemas/FileHash"},{"type":"null"}]}},"required":\#
        ["files","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$re\#
        f":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"\#
        },{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutt\#
        ing_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.\#
        status","summary":"Returns the daemon's version, counts, sizes and state.","paramStructure":"by-name","params":[],"result":{\#
        "name":"status","schema":{"type":"object","properties":{"version":{"type":"string"},"store":{"$ref":"#/components/schemas/Re\#
        plicaId"},"replica":{"$ref":"#/components/schemas/ReplicaId"},"startedAt":{"$ref":"#/components/schemas/Time"},"notes":{"typ\#
        e":"integer","minimum":0},"tombstones":{"type":"integer","minimum":0},"revisions":{"type":"integer","minimum":0},"conflicted\#
        ":{"type":"integer","minimum":0,"description":"Notes with open conflicts."},"dependents":{"type":"integer","minimum":0},"com\#
        mits":{"type":"integer","minimum":0},"lastCommitAt":{"oneOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"storeB\#
        ytes":{"type":"integer","minimum":0},"walBytes":{"type":"integer","minimum":0},"files":{"type":"object","properties":{"count\#
        ":{"type":"integer","minimum":0},"bytes":{"type":"integer","minimum":0}},"required":["count","bytes"],"description":"The fil\#
        es whose bytes are there; absent without \"files\" in capabilities."},"state":{"type":"string","enum":["ok","full","read_onl\#
        y"],"description":"full: no room is left; reads still work."},"scrubbed":{"type":"boolean","description":"false while the lo\#
        g or the search index may still contain text that a purge erased; otherwise absent."}},"required":["version","store","replic\#
        a","startedAt","notes","tombstones","revisions","conflicted","dependents","commits","lastCommitAt","storeBytes","walBytes","\#
        state"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/com\#
        ponents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref"\#
        :"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"\#
        },{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.audit","s\#
        ummary":"Rereads the whole store and compares it with the notes that the daemon serves. May take a while and send progress. \#
        The daemon reports a damaged store and keeps running.","paramStructure":"by-name","params":[{"name":"files","required":false\#
        ,"schema":{"type":"boolean","default":false,"examples":[true]},"description":"Whether to reread the bytes of all files and c\#
        ompare their hashes, at most 64 MiB a second. Without it, only their sizes are compared."}],"result":{"name":"audit","schema\#
        ":{"type":"object","properties":{"ok":{"type":"boolean","description":"Whether there are no findings."},"notes":{"type":"int\#
        eger","minimum":0},"revisions":{"type":"integer","minimum":0},"findings":{"type":"array","items":{"$ref":"#/components/schem\#
        as/Finding"}},"waiting":{"type":"array","items":{"$ref":"#/components/schemas/Waiting"},"description":"Revisions that arrive\#
        d before their parents, by note. Not a fault."},"quarantined":{"type":"array","items":{"$ref":"#/components/schemas/HeldRevi\#
        sion"},"description":"Revisions of other stores that were not accepted. Not a fault."},"compacted":{"type":"integer","minimu\#
        m":0,"description":"The number of revisions whose texts compaction removed."}},"required":["ok","notes","revisions","finding\#
        s"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/compone\#
        nts/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/\#
        components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"\#
        $ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.config","summ\#
        ary":"Returns the settings in effect and the source of each. Needs admin, and \"config\" in capabilities.","paramStructure":\#
        "by-name","params":[],"result":{"name":"config","schema":{"type":"object","properties":{"settings":{"type":"array","items":{\#
        "$ref":"#/components/schemas/Setting"}}},"required":["settings"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$r\#
        ef":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_t\#
        oo_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors\#
        /overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemo\#
        n.backup","summary":"Copies the store into a file while the daemon serves others. The file contains everything that the daem\#
        on answered before the request; when the response arrives, it is whole and on disk. May take a while and send progress, in b\#
        ytes.","paramStructure":"by-name","params":[{"name":"path","required":false,"schema":{"type":"string","examples":["/mnt/usb/\#
        notes.db"]},"description":"An absolute path on the daemon's machine where no file exists; or a directory there, in which the\#
         daemon names the file after the time; or a file name without a slash, in the directory backups of the store. Without it, th\#
        e daemon names a file there after the time. Only the daemon's user and root may send more than a file name, on a connection \#
        without limits; others get 6001."}],"result":{"name":"backup","schema":{"type":"object","properties":{"path":{"type":"string\#
        ","description":"The absolute path of the file."},"bytes":{"type":"integer","minimum":0},"files":{"type":"integer","minimum"\#
        :0,"description":"Files whose bytes are in the folder files beside it."},"missingFiles":{"type":"integer","minimum":0,"descr\#
        iption":"Files whose bytes the store lacks."}},"required":["path","bytes","files","missingFiles"]}},"errors":[{"$ref":"#/com\#
        ponents/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"\#
        $ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_requir\#
        ed"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/sto\#
        rage_full"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/err\#
        ors/permission_denied"}]},{"name":"daemon.metrics","summary":"Returns the daemon's counters since its start, and the size of\#
         its store.","paramStructure":"by-name","params":[],"result":{"name":"metrics","schema":{"type":"object","properties":{"text\#
        ":{"type":"string","description":"A complete OpenMetrics 1.0 text: connections, dependents, requests and their durations, er\#
        rors by kind, commits, sizes. It contains no name and no text of any note."}},"required":["text"]}},"errors":[{"$ref":"#/com\#
        ponents/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"\#
        $ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_requir\#
        ed"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/sto\#
        rage_failed"},{"$ref":"#/components/errors/permission_denied"}]}],"x-notifications":[{"name":"note.changed","summary":"Repor\#
        ts a changed note. change says what happened to it under the filter.","params":{"type":"object","properties":{"watch":{"type\#
        ":"integer","minimum":0},"seq":{"type":"integer","minimum":0,"description":"Rises by exactly 1 from 1 within a watch."},"cur\#
        sor":{"$ref":"#/components/schemas/Cursor"},"change":{"type":"string","enum":["snapshot","left","deleted","created","restore\#
        d","conflicted","resolved","edited"]},"note":{"oneOf":[{"$ref":"#/components/schemas/Note"},{"$ref":"#/components/schemas/No\#
        teLeft"}]},"coalesced":{"type":"integer","minimum":2,"description":"The number of changes that the line covers. Absent if it\#
         is 1."},"origin":{"type":"object","properties":{"dependent":{"type":"integer","minimum":0},"label":{"oneOf":[{"$ref":"#/com\#
        ponents/schemas/Label"},{"type":"null"}]}},"required":["dependent","label"],"description":"The connection that made the newe\#
        st change. Absent if an earlier run of the daemon made it, or if it is not among the last 32,768 commits."}},"required":["wa\#
        tch","seq","cursor","change","note"]}},{"name":"watch.synced","summary":"The watch has sent its snapshot, or what the client\#
         missed.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0\#
        },"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["watch","seq","cursor"]}},{"name":"watch.bookmark","summary":\#
        "A watch sends this after every 30 seconds with nothing to send.","params":{"type":"object","properties":{"watch":{"type":"i\#
        nteger","minimum":0},"seq":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["watc\#
        h","seq","cursor"]}},{"name":"watch.reset","summary":"The watch dropped lines. What changed since the last delivered cursor \#
        follows.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0\#
        },"reason":{"type":"string"}},"required":["watch","seq","reason"]}},{"name":"session.closing","summary":"The last line befor\#
        e the daemon closes the connection.","params":{"type":"object","properties":{"reason":{"type":"string"},"retryAfterMs":{"one\#
        Of":[{"type":"integer","minimum":0},{"type":"null"}]}},"required":["reason","retryAfterMs"]}},{"name":"progress","summary":"\#
        The progress of a long request. The daemon may send it any number of times before the response.","params":{"type":"object","\#
        properties":{"id":{"oneOf":[{"type":"integer"},{"type":"string"}],"description":"The id of the request."},"done":{"type":"in\#
        teger","minimum":0},"total":{"type":"integer","minimum":0}},"required":["id","done","total"]}},{"name":"presence.changed","s\#
        ummary":"Reports which note a dependent has open, to each connection with a watch that covers the note.","params":{"type":"o\#
        bject","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"dependent":{"type":"integer","minimum":0},"label":{"oneO\#
        f":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"user":{"$ref":"#/components/schemas/User"},"version":{"oneOf":[\#
        {"$ref":"#/components/schemas/Version"},{"type":"null"}],"description":"The version that the user sees there; empty if the d\#
        ependent sent none; null if the dependent left the note."},"selection":{"oneOf":[{"$ref":"#/components/schemas/Selection"},{\#
        "type":"null"}]}},"required":["note","dependent","label","user","version","selection"]}},{"name":"revisions.page","summary":\#
        "Carries revisions to a peer, in the order of their commits.","params":{"type":"object","properties":{"watch":{"type":"integ\#
        er","minimum":0},"seq":{"type":"integer","minimum":0},"left":{"type":"integer","minimum":0,"description":"The number of revi\#
        sions that the peer lacked when the watch started and that follow."},"beginnings":{"type":"array","items":{"$ref":"#/compone\#
        nts/schemas/NoteBeginning"},"description":"Notes of which the peer lacks revisions whose texts are gone; absent if there are\#
         none."},"revisions":{"type":"array","items":{"$ref":"#/components/schemas/WireRevision"}},"gone":{"type":"array","items":{"\#
        $ref":"#/components/schemas/Dot"},"description":"Revisions that the store cannot send: their rows are damaged, or their text\#
        s were compacted and the beginning of the note is too large."}},"required":["watch","seq","left","revisions","gone"]}}],"com\#
        ponents":{"schemas":{"NoteId":{"type":"string","pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{1\#
        2}$","description":"A UUID of version 7 in lower case.","examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"Dot":{"type":"\#
        string","pattern":"^[0-9a-f]{16}:[1-9][0-9]*$","description":"The globally unique name of one revision: the replica that mad\#
        e it, and a counter.","examples":["9f86d081884c7d65:7"]},"Dots":{"type":"string","pattern":"^([0-9a-f]{16}:[1-9][0-9]*(-[1-9\#
        ][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)?)*( [0-9a-f]{16}:[1-9][0-9]*(-[1-9][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)?)*)*)?$","descri\#
        ption":"A set of dots: for each replica ranges of counters. Replicas and ranges ascend, and ranges do not touch.","examples"\#
        :["9f86d081884c7d65:1-7,9"]},"Base64":{"type":"string","pattern":"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)\#
        ?$","description":"Bytes as in RFC 4648, with padding.","examples":["Ag=="]},"NoteBeginning":{"type":"object","description":\#
        "A note at the oldest revision whose text is left, or at a purge.","properties":{"revision":{"$ref":"#/components/schemas/Wi\#
        reRevision"},"below":{"type":"string","description":"The dots in the past of the revision."},"erased":{"type":"string","desc\#
        ription":"Those of them that a purge erased; absent if there are none."},"text":{"type":"string"},"name":{"type":"string","d\#
        escription":"The name of the note there; absent if it has none."},"deleted":{"type":"boolean"},"last_line":{"type":"string",\#
        "enum":["shown","hidden","absent"]},"created":{"type":"string"}},"required":["revision","below","text","deleted","last_line"\#
        ,"created"]},"WireRevision":{"type":"object","properties":{"head":{"$ref":"#/components/schemas/Base64","description":"The c\#
        anonical bytes of the revision (docs/causality.md), without those of its replacements, whose counts stay."},"text":{"type":"\#
        string","description":"The replacements, joined in order."}},"required":["head","text"],"additionalProperties":false},"Versi\#
        on":{"type":"string","pattern":"^([0-9a-f]{16}:[1-9][0-9]*( [0-9a-f]{16}:[1-9][0-9]*)*)?$","description":"A set of revisions\#
        , written as its maximal dots, sorted and joined by single spaces; usually one dot. The empty string is the version in which\#
         nothing was seen. A client may send dots in any order and repeat them.","examples":["9f86d081884c7d65:7"]},"Cursor":{"type"\#
        :"string","description":"A place in a store's commit order. Opaque to clients.","examples":["42.9f86d081884c7d65"]},"Conflic\#
        tId":{"type":"string","pattern":"^[0-9a-f]{32}$","examples":["0123456789abcdef0123456789abcdef"]},"ReplicaId":{"type":"strin\#
        g","pattern":"^[0-9a-f]{16}$","examples":["9f86d081884c7d65"]},"Time":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2\#
        }T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"RFC 3339 in UTC, with milliseconds. For people only.","examples":[\#
        "2026-11-20T23:29:57.123Z"]},"FileTimes":{"type":"object","properties":{"modified":{"$ref":"#/components/schemas/Time"},"cre\#
        ated":{"$ref":"#/components/schemas/Time"}},"required":["modified"],"additionalProperties":false,"examples":[{"modified":"20\#
        19-05-04T10:00:00.000Z","created":"2019-05-01T09:00:00.000Z"}],"description":"The times that a file states. For people only.\#
        "},"ChangeTime":{"type":"object","properties":{"modified":{"$ref":"#/components/schemas/Time"}},"required":["modified"],"add\#
        itionalProperties":false,"examples":[{"modified":"2019-05-04T10:00:00.000Z"}]},"NoteName":{"type":"string","minLength":1,"de\#
        scription":"A path such as work/inbox: parts of 1 to 255 bytes between single slashes, none of them . or .., no control char\#
        acters, at most 1,024 bytes in all.","examples":["work/inbox"]},"Op":{"type":"string","minLength":1,"description":"A name fo\#
        r this write, of at most 64 bytes, different for each write of the user. The daemon makes a repeated write only once.","exam\#
        ples":["7f3a"]},"Label":{"type":"string","description":"At most 1,024 bytes.","examples":["laptop/vim"]},"LinkTarget":{"type\#
        ":"string","description":"At most 3,500 bytes.","examples":["work/inbox"]},"PositionEncoding":{"type":"string","enum":["utf-\#
        8","utf-16","utf-32"],"description":"The unit of offsets: code units of UTF-8 or UTF-16, or Unicode scalars."},"Edit":{"type\#
        ":"object","properties":{"start":{"type":"integer"},"end":{"type":"integer"},"text":{"type":"string"}},"required":["start","\#
        end","text"],"description":"Replaces a range of a text. Offsets count in the text before any edit of the list, in the sessio\#
        n's encoding. Edits are sorted and do not overlap.","examples":[{"start":0,"end":0,"text":"a"}]},"FileHash":{"type":"string"\#
        ,"pattern":"^[0-9a-f]{64}$","description":"A SHA-256.","examples":["5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e8\#
        46f6be03"]},"FileContent":{"type":"object","properties":{"sha256":{"$ref":"#/components/schemas/FileHash"},"bytes":{"type":"\#
        integer","minimum":0,"maximum":9007199254740992}},"required":["sha256","bytes"],"additionalProperties":false,"examples":[{"s\#
        ha256":"5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03","bytes":6}]},"Filter":{"type":"object","properties\#
        ":{"ids":{"type":"array","items":{"$ref":"#/components/schemas/NoteId"}},"prefix":{"type":"string"},"tag":{"type":"string"},\#
        "conflicted":{"type":"boolean"},"deleted":{"type":"boolean","description":"true: only tombstones; otherwise none."},"kind":{\#
        "type":"string","enum":["text","file","any"],"default":"text","description":"A deleted note is of each kind."}},"required":[\#
        ],"additionalProperties":false,"description":"A note must match all members.","examples":[{"prefix":"work/"}]},"Client":{"ty\#
        pe":"object","properties":{"name":{"$ref":"#/components/schemas/Label"},"version":{"$ref":"#/components/schemas/Label"}},"re\#
        quired":["name"],"examples":[{"name":"notesctl","version":"0.1.0"}]},"User":{"type":"object","properties":{"uid":{"type":"in\#
        teger","minimum":0},"name":{"type":"string"},"person":{"$ref":"#/components/schemas/Person"}},"required":["uid","name"]},"Pe\#
        rson":{"type":"string","minLength":1,"description":"A person for whom a user connected: 1 to 64 bytes, without control chara\#
        cters.","examples":["ada"]},"Author":{"type":"object","properties":{"user":{"type":"string"},"label":{"oneOf":[{"type":"stri\#
        ng"},{"type":"null"}]}},"required":["user","label"]},"Limits":{"type":"object","properties":{"maxLineBytes":{"type":"integer\#
        ","minimum":0,"description":"The length of a line, without its LF."},"maxNoteBytes":{"type":"integer","minimum":0},"maxInFli\#
        ght":{"type":"integer","minimum":0,"description":"The number of requests without a response."},"maxDepth":{"type":"integer",\#
        "minimum":0,"description":"The depth of nested arrays and objects."},"maxResponseBytes":{"type":"integer","minimum":0,"descr\#
        iption":"The size of all unread responses."}},"required":["maxLineBytes","maxNoteBytes","maxInFlight","maxDepth","maxRespons\#
        eBytes"]},"SearchQuery":{"type":"string","maxLength":4096,"examples":["milk bread"]},"Hit":{"type":"object","properties":{"n\#
        ote":{"$ref":"#/components/schemas/Note"},"snippet":{"type":"string","description":"An exact piece of the note's text, aroun\#
        d the first match."},"ranges":{"type":"array","items":{"type":"object","properties":{"start":{"type":"integer","minimum":0},\#
        "end":{"type":"integer","minimum":0}},"required":["start","end"]},"description":"The matches in the snippet, in the session'\#
        s encoding, ascending and separate."}},"required":["note","snippet","ranges"]},"Conflict":{"type":"object","properties":{"id\#
        ":{"$ref":"#/components/schemas/ConflictId"},"kind":{"type":"string","enum":["text","name","deletion"]},"range":{"type":"obj\#
        ect","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start","end"],"\#
        description":"Whole lines of the merged text, in the session's encoding; all of it for a deletion, an empty range at its sta\#
        rt for a name."},"base":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"What all sides started from: the lines, \#
        the name or null, or null for a deletion."},"sides":{"type":"array","items":{"$ref":"#/components/schemas/Side"}}},"required\#
        ":["id","kind","range"],"description":"A mark where concurrent writes touch. base and sides are present where the note has t\#
        ext or edits, and in outcomes."},"Side":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"withdrawn"\#
        :{"type":"boolean","description":"true: the revision is withdrawn, and text is what its parents show; otherwise absent."},"a\#
        uthor":{"$ref":"#/components/schemas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"text":{"type":"string","descr\#
        iption":"The text of this side in place of the range; its whole text if another side deleted the note."},"name":{"oneOf":[{"\#
        $ref":"#/components/schemas/NoteName"},{"type":"null"}]},"deleted":{"type":"boolean","description":"true: this side deleted \#
        the note."}},"required":["dot","author","modified"],"description":"One side of a conflict, at its newest revision, or a with\#
        drawn revision. It has one of text, name and deleted."},"Note":{"type":"object","properties":{"id":{"$ref":"#/components/sch\#
        emas/NoteId"},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"version":{"$ref":"#/components/sc\#
        hemas/Version"},"siblings":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"vector":{"type":"object","additiona\#
        lProperties":{"type":"integer"}},"conflicts":{"type":"array","items":{"$ref":"#/components/schemas/Conflict"}},"title":{"typ\#
        e":"string"},"tags":{"type":"array","items":{"type":"string"}},"created":{"$ref":"#/components/schemas/Time"},"modified":{"$\#
        ref":"#/components/schemas/Time"},"author":{"$ref":"#/components/schemas/Author"},"bytes":{"type":"integer","minimum":0},"de\#
        leted":{"type":"boolean"},"file":{"type":"object","properties":{"sha256":{"$ref":"#/components/schemas/FileHash"},"bytes":{"\#
        type":"integer","minimum":0},"type":{"type":"string"}},"required":["sha256","bytes","type"],"description":"The content of a \#
        file; absent for a text."},"files":{"type":"array","items":{"$ref":"#/components/schemas/FileContent"},"description":"Beside\#
         text: all contents, if there are several."},"text":{"type":"string"},"base":{"$ref":"#/components/schemas/Version"},"edits"\#
        :{"type":"array","items":{"$ref":"#/components/schemas/Edit"}}},"required":["id","name","version","conflicts","title","tags"\#
        ,"created","modified","author","bytes","deleted"],"description":"siblings and vector are present only in note.get; text or e\#
        dits where the client asked for them; base with edits in watch lines."},"NoteLeft":{"type":"object","properties":{"id":{"$re\#
        f":"#/components/schemas/NoteId"},"version":{"$ref":"#/components/schemas/Version"}},"required":["id","version"],"descriptio\#
        n":"A note that no longer matches the filter."},"MergedText":{"type":"object","properties":{"version":{"$ref":"#/components/\#
        schemas/Version"},"edits":{"type":"array","items":{"$ref":"#/components/schemas/Edit"}},"conflicts":{"type":"array","items":\#
        {"$ref":"#/components/schemas/Conflict"}},"text":{"type":"string"},"deleted":{"type":"boolean","description":"true if the no\#
        te is deleted; otherwise absent."}},"required":["version","conflicts"],"description":"The state that the daemon shows, if it\#
        s version is not that of the outcome, and always after note.undo. edits turn the text sent, or after note.undo the text of b\#
        ase, into the merged text; version is the base to use once the client shows the merged text."},"Outcome":{"type":"object","p\#
        roperties":{"outcome":{"type":"string","enum":["saved","merged","conflicted","unchanged"]},"dot":{"$ref":"#/components/schem\#
        as/Dot"},"version":{"$ref":"#/components/schemas/Version"},"note":{"$ref":"#/components/schemas/MergedText"},"replayed":{"ty\#
        pe":"boolean"}},"required":["outcome","version"],"description":"dot is absent if the outcome is unchanged. replayed is prese\#
        nt if the client sent the op before."},"Revision":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"\#
        parents":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"version":{"$ref":"#/components/schemas/Version"},"aut\#
        hor":{"$ref":"#/components/schemas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"bytes":{"type":"integer","minim\#
        um":0},"deleted":{"type":"boolean"},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"kind":{"typ\#
        e":"string","enum":["saved","edited","undo","purge"]},"compacted":{"type":"boolean","description":"true if compaction remove\#
        d the text; otherwise absent."},"withdraws":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"description":"The r\#
        evisions that an undo withdraws; otherwise absent."},"withdrawn":{"type":"boolean","description":"true if the revision is wi\#
        thdrawn in the newest version; otherwise absent."},"resolves":{"type":"array","items":{"$ref":"#/components/schemas/Conflict\#
        Id"},"description":"The conflicts that the write named as resolved; otherwise absent."},"times":{"$ref":"#/components/schema\#
        s/FileTimes"}},"required":["dot","parents","version","author","modified","bytes","deleted","name","kind"]},"Setting":{"type"\#
        :"object","properties":{"key":{"type":"string","examples":["limits.depth_max"]},"value":{"oneOf":[{"type":"string"},{"type":\#
        "null"}],"description":"As in the configuration file; null if the setting is unset and the daemon chooses."},"source":{"type\#
        ":"string","description":"A file, \"environment NAME\", \"option NAME\", \"service manager\" or \"default\"."},"reloadable":\#
        {"type":"boolean","description":"Whether a running daemon can apply a change."},"pending":{"oneOf":[{"type":"string"},{"type\#
        ":"null"}],"description":"The value that the next start will use, if it differs."}},"required":["key","value","source","relo\#
        adable","pending"]},"Finding":{"type":"object","properties":{"note":{"oneOf":[{"$ref":"#/components/schemas/NoteId"},{"type"\#
        :"null"}]},"dot":{"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"null"}]},"message":{"type":"string","description":"A\#
         sentence for people."},"affects":{"type":"string","enum":["texts","derived","files"],"description":"derived: only data that\#
         the daemon derives from revisions, such as names, conflicts and the search index; texts are not affected. files: the bytes \#
        of a file that a revision names are missing or damaged; texts are not affected. Anything else, or absent: texts may be affec\#
        ted."}},"required":["note","dot","message"],"description":"Something that an audit found. note and dot are null where it con\#
        cerns none."},"Waiting":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"revisions":{"type":"in\#
        teger","minimum":0,"description":"The number of waiting revisions."},"parents":{"type":"array","items":{"$ref":"#/components\#
        /schemas/Dot"},"description":"The missing parents, at most 100 of them."}},"required":["note","revisions","parents"],"descri\#
        ption":"Revisions of one note from other replicas that wait for their parents."},"HeldRevision":{"type":"object","properties\#
        ":{"note":{"$ref":"#/components/schemas/NoteId"},"dot":{"$ref":"#/components/schemas/Dot"},"reason":{"oneOf":[{"type":"strin\#
        g"},{"type":"null"}],"description":"Why the revision was not accepted, as a clause for people. null: it waits for its parent\#
        s."},"author":{"$ref":"#/components/schemas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"inserts":{"type":"stri\#
        ng","description":"The text that the revision inserts, or its first 200 bytes."},"bytes":{"type":"integer","minimum":0,"desc\#
        ription":"The number of bytes that the revision inserts."}},"required":["note","dot","reason","author","modified","inserts",\#
        "bytes"],"description":"A revision of another store that is no part of its note: it waits for its parents, or was not accept\#
        ed. The author and the time are those that its peer states, the author cut after 200 bytes."},"Selection":{"type":"object","\#
        properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start","end"],"descri\#
        ption":"Offsets in the session's encoding. A text cursor starts where it ends."},"Presence":{"type":"object","properties":{"\#
        note":{"$ref":"#/components/schemas/NoteId"},"version":{"$ref":"#/components/schemas/Version"},"selection":{"oneOf":[{"$ref"\#
        :"#/components/schemas/Selection"},{"type":"null"}]}},"required":["note","version","selection"]},"Dependent":{"type":"object\#
        ","properties":{"dependent":{"type":"integer","minimum":0},"client":{"$ref":"#/components/schemas/Client"},"label":{"oneOf":\#
        [{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"user":{"$ref":"#/components/schemas/User"},"watches":{"type":"inte\#
        ger","minimum":0,"description":"The number of its watches."},"state":{"type":"string","enum":["synced","lagging","reset"],"d\#
        escription":"synced: everything was sent. lagging: something is pending. reset: the daemon dropped lines and has not replace\#
        d them yet."},"outboxBytes":{"type":"integer","minimum":0,"description":"The size of everything that is pending."},"presence\#
        ":{"oneOf":[{"$ref":"#/components/schemas/Presence"},{"type":"null"}],"description":"The note that the user has open on this\#
         connection."}},"required":["dependent","client","label","user","watches","state","outboxBytes","presence"]}},"errors":{"par\#
        se_error":{"code":-32700,"message":"The line is not valid JSON for this protocol.","data":{"kind":"parse_error","retryable":\#
        false,"details":["offset"]}},"invalid_request":{"code":-32600,"message":"The line is not a JSON-RPC request, or not allowed \#
        at this point.","data":{"kind":"invalid_request","retryable":false,"details":["path"]}},"method_not_found":{"code":-32601,"m\#
        essage":"There is no such method.","data":{"kind":"method_not_found","retryable":false,"details":[]}},"invalid_params":{"cod\#
        e":-32602,"message":"A param is missing, unknown, or of the wrong type or form.","data":{"kind":"invalid_params","retryable"\#
        :false,"details":["path","offset"]}},"internal":{"code":-32603,"message":"The daemon failed because of a bug.","data":{"kind\#
        ":"internal","retryable":false,"details":[]}},"hello_required":{"code":1001,"message":"Send session.hello first.","data":{"k\#
        ind":"hello_required","retryable":false,"details":[]}},"unsupported_protocol":{"code":1002,"message":"The client and the dae\#
        mon have no protocol version in common.","data":{"kind":"unsupported_protocol","retryable":false,"details":["supported"]}},"\#
        note_not_found":{"code":2001,"message":"There is no such note.","data":{"kind":"note_not_found","retryable":false,"details":\#
        []}},"note_exists":{"code":2002,"message":"The id or the name is taken.","data":{"kind":"note_exists","retryable":false,"det\#
        ails":["id"]}},"unknown_base":{"code":2003,"message":"The base names a revision that is unknown or not this note's.","data":\#
        {"kind":"unknown_base","retryable":false,"details":["known"]}},"revision_gone":{"code":2004,"message":"Compaction or a purge\#
         removed the text of that version.","data":{"kind":"revision_gone","retryable":false,"details":["version"]}},"base_required"\#
        :{"code":2005,"message":"A write to an existing note needs a base.","data":{"kind":"base_required","retryable":false,"detail\#
        s":["version"]}},"invalid_edit":{"code":2006,"message":"An edit does not fit the text of the base.","data":{"kind":"invalid_\#
        edit","retryable":false,"details":["index"]}},"invalid_name":{"code":2007,"message":"This is not a valid name for a note.","\#
        data":{"kind":"invalid_name","retryable":false,"details":[]}},"cannot_purge":{"code":2008,"message":"The note cannot be purg\#
        ed as it is.","data":{"kind":"cannot_purge","retryable":false,"details":["version"]}},"file_missing":{"code":2009,"message":\#
        "The bytes of a file are not in this store.","data":{"kind":"file_missing","retryable":false,"details":["sha256"]}},"file_di\#
        ffers":{"code":2010,"message":"The uploaded bytes do not have this size or hash, and were removed.","data":{"kind":"file_dif\#
        fers","retryable":false,"details":["sha256"]}},"wrong_kind":{"code":2011,"message":"A text for a file, or a file for a text.\#
        ","data":{"kind":"wrong_kind","retryable":false,"details":[]}},"storage_full":{"code":3001,"message":"The disk is full.","da\#
        ta":{"kind":"storage_full","retryable":true,"details":[]}},"storage_failed":{"code":3002,"message":"The store failed to read\#
         or write.","data":{"kind":"storage_failed","retryable":true,"details":[]}},"read_only":{"code":3003,"message":"The store is\#
         read-only.","data":{"kind":"read_only","retryable":false,"details":[]}},"line_too_long":{"code":4001,"message":"The line is\#
         too long; the daemon skipped it. The third such line closes the connection.","data":{"kind":"line_too_long","retryable":fal\#
        se,"details":["limit"]}},"note_too_large":{"code":4002,"message":"The note would be too large.","data":{"kind":"note_too_lar\#
        ge","retryable":false,"details":["bytes","limit"]}},"file_too_large":{"code":4004,"message":"The file would be too large.","\#
        data":{"kind":"file_too_large","retryable":false,"details":["bytes","limit"]}},"overloaded":{"code":4003,"message":"The daem\#
        on is overloaded.","data":{"kind":"overloaded","retryable":"true, except if the connection has too many watches","details":[\#
        ]}},"permission_denied":{"code":6001,"message":"The user does not have the access that this needs.","data":{"kind":"permissi\#
        on_denied","retryable":false,"details":[]}},"shutting_down":{"code":7001,"message":"The daemon is stopping.","data":{"kind":\#
        "shutting_down","retryable":true,"details":[]}}}}}
        """#
}
