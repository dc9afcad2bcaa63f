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
         revisions.known, revisions.watch, revisions.proceed, revisions.adopt and peers.list."},{"name":"user","required":false,"sch\#
        ema":{"$ref":"#/components/schemas/Person"},"description":"The person for whom the user connected. Set once, before hello."}\#
        ,{"name":"note","required":false,"schema":{"$ref":"#/components/schemas/NoteId"},"description":"The only note that the conne\#
        ction reaches; it leaves session.*, rpc.discover, note.get, note.history, note.edit, note.save without name, notes.watch, no\#
        tes.unwatch and presence.set. Set once, before hello."}],"result":{"name":"limits","schema":{"type":"object","properties":{"\#
        access":{"type":"string","enum":["read","write","sync","admin"],"description":"The access of the connection."},"methods":{"t\#
        ype":"string","enum":["all","exchange"]},"user":{"$ref":"#/components/schemas/Person"},"note":{"$ref":"#/components/schemas/\#
        NoteId"}},"required":["access","methods"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/error\#
        s/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/co\#
        mponents/errors/internal"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/overloaded"}]},{"na\#
        me":"session.ping","summary":"Returns an empty object. Allowed before hello.","paramStructure":"by-name","params":[],"result\#
        ":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_e\#
        rror"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/er\#
        rors/line_too_long"},{"$ref":"#/components/errors/internal"}]},{"name":"rpc.discover","summary":"Returns this document. Allo\#
        wed before hello.","paramStructure":"by-name","params":[],"result":{"name":"document","schema":{"type":"object"}},"errors":[\#
        {"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/inval\#
        id_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"}]},{"name":"note.create","su\#
        mmary":"Creates a note.","paramStructure":"by-name","params":[{"name":"text","required":true,"schema":{"type":"string","exam\#
        ples":["Hello\n"]}},{"name":"name","required":false,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"nul\#
        l"}],"examples":["work/inbox"]}},{"name":"id","required":false,"schema":{"$ref":"#/components/schemas/NoteId"},"description"\#
        :"The client may choose it, so that a retry cannot create a second note."},{"name":"op","required":false,"schema":{"$ref":"#\#
        /components/schemas/Op"}},{"name":"times","required":false,"schema":{"$ref":"#/components/schemas/FileTimes"}}],"result":{"n\#
        ame":"created","schema":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"},"dot":{"$ref":"#/componen\#
        ts/schemas/Dot"},"version":{"$ref":"#/components/schemas/Version"},"replayed":{"type":"boolean"}},"required":["note"]}},"err\#
        ors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors\#
        /invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components\#
        /errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/c\#
        omponents/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full\#
        "},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/components/errors/revis\#
        ion_gone"},{"$ref":"#/components/errors/note_exists"},{"$ref":"#/components/errors/invalid_name"}]},{"name":"note.get","summ\#
        ary":"Returns a note, now or at a version, whole or as edits from a version.","paramStructure":"by-name","params":[{"name":"\#
        id","required":false,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"name","required":false,"schema":{"$ref":"#/co\#
        mponents/schemas/NoteName"}},{"name":"at","required":false,"schema":{"$ref":"#/components/schemas/Version"}},{"name":"from",\#
        "required":false,"schema":{"$ref":"#/components/schemas/Version"}}],"result":{"name":"shown","schema":{"type":"object","prop\#
        erties":{"note":{"$ref":"#/components/schemas/Note"}},"required":["note"]}},"errors":[{"$ref":"#/components/errors/parse_err\#
        or"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/erro\#
        rs/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/componen\#
        ts/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#\#
        /components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_ba\#
        se"},{"$ref":"#/components/errors/revision_gone"}],"x-exactly-one":["id","name"]},{"name":"note.list","summary":"Lists notes\#
        , sorted by name (bytes, null last) and id, or by newest commit.","paramStructure":"by-name","params":[{"name":"filter","req\#
        uired":false,"schema":{"$ref":"#/components/schemas/Filter"}},{"name":"limit","required":false,"schema":{"type":"integer","m\#
        inimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","example\#
        s":["01890a5d-ac96-774b-bcce-b302099a8057/work/inbox"]},"description":"The next of the previous page in the same order."},{"\#
        name":"order","required":false,"schema":{"type":"string","enum":["name","newest"],"default":"name","examples":["newest"]}}],\#
        "result":{"name":"page","schema":{"type":"object","properties":{"notes":{"type":"array","items":{"$ref":"#/components/schema\#
        s/Note"}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["notes","next"]}},"errors":[{"$ref":"#/component\#
        s/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":\#
        "#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{\#
        "$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_f\#
        ailed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"tags.list","summary":"Lists the tags of living notes, so\#
        rted by bytes, with the number of notes that have each.","paramStructure":"by-name","params":[{"name":"prefix","required":fa\#
        lse,"schema":{"type":"string","default":"","examples":["project/"]},"description":"What each tag begins with."},{"name":"lim\#
        it","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","\#
        required":false,"schema":{"type":"string","examples":["project/notesd"]},"description":"The next of the previous page."}],"r\#
        esult":{"name":"page","schema":{"type":"object","properties":{"tags":{"type":"array","items":{"type":"object","properties":{\#
        "tag":{"type":"string"},"notes":{"type":"integer","minimum":1}},"required":["tag","notes"]}},"next":{"oneOf":[{"type":"strin\#
        g"},{"type":"null"}]}},"required":["tags","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/componen\#
        ts/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$re\#
        f":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{\#
        "$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permi\#
        ssion_denied"}]},{"name":"revisions.list","summary":"Lists the revisions of all notes in the order of commits, newest first.\#
         Needs \"revisions\" in capabilities.","paramStructure":"by-name","params":[{"name":"author","required":false,"schema":{"$re\#
        f":"#/components/schemas/Label"},"description":"The name of a user, a label, or the first parts of a label up to a slash."},\#
        {"name":"since","required":false,"schema":{"$ref":"#/components/schemas/Time"},"description":"Lists no writes that were made\#
         before this time."},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"e\#
        xamples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["4711"]},"description":"The next of t\#
        he previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"revisions":{"type":"array","items":{"t\#
        ype":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"revision":{"$ref":"#/components/schemas/Revision"\#
        }},"required":["note","revision"]}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["revisions","next"]}},\#
        "errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/er\#
        rors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/compon\#
        ents/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":\#
        "#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"revisions.known","summary"\#
        :"Returns the revisions of the store, as dots. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[\#
        {"name":"digests","required":false,"schema":{"$ref":"#/components/schemas/Dots"},"description":"At most 1,024 dots whose dig\#
        ests the result shall have."}],"result":{"name":"known","schema":{"type":"object","properties":{"known":{"$ref":"#/component\#
        s/schemas/Dots"},"quarantined":{"$ref":"#/components/schemas/Dots"},"waiting":{"type":"integer","minimum":0},"forms":{"type"\#
        :"array","items":{"type":"integer","minimum":1}},"view":{"type":"integer","minimum":0},"digests":{"type":"array","items":{"t\#
        ype":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"note":{"$ref":"#/components/schemas/NoteId"},"hash":{\#
        "type":"string","pattern":"^[0-9a-f]{16}$"}},"required":["dot","note"]}}},"required":["known","quarantined","waiting","forms\#
        ","view"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/c\#
        omponents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$re\#
        f":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_dow\#
        n"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"revisions.watc\#
        h","summary":"Sends the revisions that a peer lacks in revisions.page notifications, and then each revision as it is committ\#
        ed. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[{"name":"peer","required":true,"schema":{"t\#
        ype":"object","properties":{"store":{"$ref":"#/components/schemas/ReplicaId"},"replica":{"$ref":"#/components/schemas/Replic\#
        aId"}},"required":["store","replica"],"additionalProperties":false,"examples":[{"store":"aaaaaaaaaaaaaaaa","replica":"bbbbbb\#
        bbbbbbbbbb"}]},"description":"The store that receives the revisions."},{"name":"known","required":true,"schema":{"$ref":"#/c\#
        omponents/schemas/Dots"},"description":"The revisions that it holds."},{"name":"refuses","required":false,"schema":{"$ref":"\#
        #/components/schemas/Dots"},"description":"The revisions that it did not accept."}],"result":{"name":"watch","schema":{"type\#
        ":"object","properties":{"watch":{"type":"integer","minimum":0},"lacks":{"type":"integer","minimum":0}},"required":["watch",\#
        "lacks"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/co\#
        mponents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref\#
        ":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down\#
        "},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"revisions.proce\#
        ed","summary":"States that the peer holds the pages up to a number. Needs \"replication\" in capabilities.","paramStructure"\#
        :"by-name","params":[{"name":"watch","required":true,"schema":{"type":"integer","minimum":0,"examples":[1]}},{"name":"seq","\#
        required":true,"schema":{"type":"integer","minimum":0,"examples":[1]},"description":"The number of the last page."},{"name":\#
        "lacking","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"examples":[[]]},"descriptio\#
        n":"The revisions of these pages that the peer does not hold."}],"result":{"name":"nothing","schema":{"type":"object","prope\#
        rties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"\#
        },{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/in\#
        ternal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/error\#
        s/shutting_down"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"revisions.adopt","summary":"Takes in revisions\#
         of a peer. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[{"name":"revisions","required":true\#
        ,"schema":{"type":"array","maxItems":256,"items":{"$ref":"#/components/schemas/WireRevision"},"examples":[[{"head":"Ag==","t\#
        ext":""}]]},"description":"At most 256 revisions and 16 beginnings of 1 MiB together, or one of them."},{"name":"beginnings"\#
        ,"required":false,"schema":{"type":"array","maxItems":16,"items":{"$ref":"#/components/schemas/NoteBeginning"},"examples":[[\#
        {"revision":{"head":"AghBfur8CHHkpm+EIsoA33oP6nhcgavM8AMBD+p4XIGrzPACAAAAAAAAAABcCHNob3BwaW5nAAABAARyb290CG5vdGVzY3Rsovnh+8J\#
        oAA==","text":""},"below":"0fea785c81abccf0:1-2","text":"Milk\\nBread\\n","name":"shopping","deleted":false,"last_line":"sho\#
        wn","created":"2026-11-26T12:02:22.368Z"}]]},"description":"The beginnings of notes, which are taken in before the revisions\#
        ."}],"result":{"name":"adopted","schema":{"type":"object","properties":{"committed":{"type":"integer","minimum":0},"known":{\#
        "type":"integer","minimum":0},"waiting":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"quarantined":{"type":"\#
        array","items":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"reason":{"type":"string"}},"require\#
        d":["dot","reason"]}},"refused":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"unreadable":{"type":"array","i\#
        tems":{"type":"integer","minimum":0}},"not_begun":{"type":"array","items":{"type":"object","properties":{"dot":{"$ref":"#/co\#
        mponents/schemas/Dot"},"reason":{"type":"string"}},"required":["dot","reason"]},"description":"The beginnings of notes that \#
        were not accepted; absent if there are none."},"restart":{"type":"boolean","description":"Whether the sender has to start ag\#
        ain with a new answer to revisions.known; absent if not."}},"required":["committed","known","waiting","quarantined","refused\#
        ","unreadable"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref\#
        ":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"}\#
        ,{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutti\#
        ng_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/componen\#
        ts/errors/storage_full"},{"$ref":"#/components/errors/read_only"}]},{"name":"peers.list","summary":"Lists the stores that ex\#
        change revisions with this one. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[],"result":{"na\#
        me":"peers","schema":{"type":"object","properties":{"peers":{"type":"array","items":{"type":"object","properties":{"store":{\#
        "$ref":"#/components/schemas/ReplicaId"},"connected":{"type":"boolean"},"lacks":{"type":"integer","minimum":0}},"required":[\#
        "store","connected","lacks"]}}},"required":["peers"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/compo\#
        nents/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"\#
        $ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"\#
        },{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/pe\#
        rmission_denied"}]},{"name":"peers.forget","summary":"Removes the record of what a peer holds. Needs \"replication\" in capa\#
        bilities.","paramStructure":"by-name","params":[{"name":"store","required":true,"schema":{"$ref":"#/components/schemas/Repli\#
        caId"},"description":"The id of the peer's store."}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"r\#
        equired":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#\#
        /components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$\#
        ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_d\#
        own"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/e\#
        rrors/storage_full"},{"$ref":"#/components/errors/read_only"}]},{"name":"revisions.held","summary":"Lists the revisions of o\#
        ther stores that are no part of their notes: those that were not accepted, then those that wait for their parents. Needs \"r\#
        eplication\" in capabilities.","paramStructure":"by-name","params":[{"name":"dot","required":false,"schema":{"$ref":"#/compo\#
        nents/schemas/Dot"},"description":"Lists only the revisions with this dot, with their whole texts."},{"name":"limit","requir\#
        ed":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","required":f\#
        alse,"schema":{"type":"string","examples":["quarantined/12"]},"description":"The next of the previous page."}],"result":{"na\#
        me":"page","schema":{"type":"object","properties":{"revisions":{"type":"array","items":{"$ref":"#/components/schemas/HeldRev\#
        ision"}},"quarantined":{"type":"integer","minimum":0,"description":"The number of all revisions that were not accepted."},"w\#
        aiting":{"type":"integer","minimum":0,"description":"The number of all revisions that wait for their parents."},"next":{"one\#
        Of":[{"type":"string"},{"type":"null"}]}},"required":["revisions","quarantined","waiting","next"]}},"errors":[{"$ref":"#/com\#
        ponents/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"\#
        $ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_requir\#
        ed"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/sto\#
        rage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"revisions.drop","summary":"Removes revisions that \#
        are no part of their notes. A peer that offers one again brings it back. Needs admin, and \"replication\" in capabilities.",\#
        "paramStructure":"by-name","params":[{"name":"dots","required":true,"schema":{"type":"array","items":{"$ref":"#/components/s\#
        chemas/Dot"},"minItems":1,"maxItems":1000,"examples":[["9f86d081884c7d65:7"]]},"description":"The dots of revisions that wai\#
        t for their parents or were not accepted, between 1 and 1,000. Dots of other revisions have no effect."}],"result":{"name":"\#
        dropped","schema":{"type":"object","properties":{"dropped":{"type":"integer","minimum":0,"description":"The number of remove\#
        d revisions; several may have one dot."}},"required":["dropped"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$r\#
        ef":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_t\#
        oo_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors\#
        /overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/componen\#
        ts/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"}]},{"name"\#
        :"links.to","summary":"Lists the links that mean a note, from the newest linking note to the oldest.","paramStructure":"by-n\#
        ame","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"limit","required":fals\#
        e,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","required":false,"sc\#
        hema":{"type":"string","examples":["01890a5d-ac96-774b-bcce-b302099a8057/0"]},"description":"The next of the previous page."\#
        }],"result":{"name":"page","schema":{"type":"object","properties":{"links":{"type":"array","items":{"type":"object","propert\#
        ies":{"note":{"$ref":"#/components/schemas/Note"},"version":{"$ref":"#/components/schemas/Version"},"range":{"type":"object"\#
        ,"properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start","end"]},"kin\#
        d":{"type":"string","enum":["wiki","embed","path","id"]},"target":{"type":"string"},"fragment":{"oneOf":[{"type":"string"},{\#
        "type":"null"}]},"snippet":{"type":"string"}},"required":["note","version","range","kind","target","fragment","snippet"]}},"\#
        next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["links","next"]}},"errors":[{"$ref":"#/components/errors/pa\#
        rse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/componen\#
        ts/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/c\#
        omponents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$\#
        ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_\#
        not_found"}]},{"name":"links.missing","summary":"Lists the targets of links that mean nothing, sorted by bytes.","paramStruc\#
        ture":"by-name","params":[{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":1\#
        00,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["01890a5d-ac96-774b-bcce-b302099\#
        a8057/0/wiki/nowhere"]},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","\#
        properties":{"targets":{"type":"array","items":{"type":"object","properties":{"kind":{"type":"string","enum":["wiki","embed"\#
        ,"path","id"]},"target":{"type":"string"},"links":{"type":"integer","minimum":1},"notes":{"type":"array","items":{"$ref":"#/\#
        components/schemas/NoteId"}}},"required":["kind","target","links","notes"]}},"next":{"oneOf":[{"type":"string"},{"type":"nul\#
        l"}]}},"required":["targets","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/inv\#
        alid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/compone\#
        nts/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/com\#
        ponents/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/storage_full"},{"$\#
        ref":"#/components/errors/permission_denied"}]},{"name":"links.resolve","summary":"Lists the notes that link targets can mea\#
        n, the meaning first.","paramStructure":"by-name","params":[{"name":"targets","required":true,"schema":{"type":"array","minI\#
        tems":1,"maxItems":100,"items":{"type":"object","properties":{"kind":{"type":"string","enum":["wiki","embed","path","id"],"e\#
        xamples":["wiki"]},"target":{"$ref":"#/components/schemas/LinkTarget"}},"required":["kind","target"],"additionalProperties":\#
        false},"examples":[[{"kind":"wiki","target":"inbox"}]]}},{"name":"from","required":false,"schema":{"$ref":"#/components/sche\#
        mas/NoteId"},"description":"The linking note. Without it, the linking note counts as one at the root."}],"result":{"name":"m\#
        eanings","schema":{"type":"object","properties":{"found":{"type":"array","description":"The answers in the order of the targ\#
        ets: at least one, and fewer than targets if these can mean very many notes.","items":{"type":"object","properties":{"notes"\#
        :{"type":"array","items":{"$ref":"#/components/schemas/Note"}},"more":{"type":"integer","minimum":0}},"required":["notes","m\#
        ore"]}}},"required":["found"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_re\#
        quest"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/err\#
        ors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components\#
        /errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#\#
        /components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"}]},{"name":"note.search","summary":"Sear\#
        ches notes by their contents, best first.","paramStructure":"by-name","params":[{"name":"query","required":true,"schema":{"$\#
        ref":"#/components/schemas/SearchQuery"},"description":"Words that a note must all contain; docs/protocol.md describes the w\#
        hole syntax."},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":100,"default":20,"examples"\#
        :[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["3fe5555555555555.0000000000000421"]},"descri\#
        ption":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"hits":{"type":"ar\#
        ray","items":{"$ref":"#/components/schemas/Hit"}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]},"truncated":{"type":"\#
        boolean","description":"Whether more than 10,000 notes matched. The daemon finds only the newest 10,000 of them."}},"require\#
        d":["hits","next","truncated"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_r\#
        equest"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/er\#
        rors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/component\#
        s/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/storage_full"},{"$ref":"\#
        #/components/errors/permission_denied"}]},{"name":"note.save","summary":"Writes a whole text, a name, or both, on a base.","\#
        paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"b\#
        ase","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The version whose text the client was s\#
        howing. Without it: base_required.","x-missing":"base_required"},{"name":"text","required":false,"schema":{"type":"string","\#
        examples":["Hello\n"]}},{"name":"name","required":false,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":\#
        "null"}],"examples":["work/done"]},"description":"null clears the name."},{"name":"resolves","required":false,"schema":{"typ\#
        e":"array","items":{"$ref":"#/components/schemas/ConflictId"},"examples":[["0123456789abcdef0123456789abcdef"]]},"descriptio\#
        n":"Ids of conflicts that are open at the base."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}\#
        ,{"name":"times","required":false,"schema":{"$ref":"#/components/schemas/ChangeTime"}}],"result":{"name":"outcome","schema":\#
        {"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/i\#
        nvalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/compo\#
        nents/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/c\#
        omponents/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denie\#
        d"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_t\#
        oo_large"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/note_exists"},{"$ref":"#/components/er\#
        rors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{"$ref":"#/com\#
        ponents/errors/invalid_name"}],"x-at-least-one":["text","name","resolves"]},{"name":"note.edit","summary":"Writes edits to t\#
        he text of a base.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas\#
        /NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The version whose \#
        text the client was showing. Without it: base_required.","x-missing":"base_required"},{"name":"edits","required":true,"schem\#
        a":{"type":"array","items":{"$ref":"#/components/schemas/Edit"},"examples":[[{"start":0,"end":0,"text":"a"}]]}},{"name":"res\#
        olves","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"examples":[["0123456789\#
        abcdef0123456789abcdef"]]},"description":"Ids of conflicts that are open at the base."},{"name":"op","required":false,"schem\#
        a":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors\#
        ":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/in\#
        valid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/er\#
        rors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/comp\#
        onents/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},\#
        {"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/components/errors/note_not\#
        _found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/erro\#
        rs/base_required"},{"$ref":"#/components/errors/invalid_edit"}]},{"name":"note.delete","summary":"Marks a note as deleted. I\#
        ts text can still be read at its versions.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$re\#
        f":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"descript\#
        ion":"The version whose text the client was showing. Without it: base_required.","x-missing":"base_required"},{"name":"op","\#
        required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/components/sche\#
        mas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"\#
        #/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"\#
        $ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_\#
        down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/\#
        errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/comp\#
        onents/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"}]},{"n\#
        ame":"note.undo","summary":"Withdraws revisions of a note, as if they had not been made. Withdrawing a withdrawal redoes.","\#
        paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"b\#
        ase","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"A version that includes the revisions. \#
        Without it: base_required.","x-missing":"base_required"},{"name":"revisions","required":false,"schema":{"type":"array","item\#
        s":{"$ref":"#/components/schemas/Dot"},"minItems":1,"maxItems":10000,"examples":[["9f86d081884c7d65:7"]]},"description":"The\#
         revisions to withdraw."},{"name":"ops","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Op"}\#
        ,"minItems":1,"maxItems":10000,"examples":[["7f3a"]]},"description":"The ops of writes of the same user to this note, in pla\#
        ce of revisions."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}},{"name":"times","required":fal\#
        se,"schema":{"$ref":"#/components/schemas/ChangeTime"},"description":"The time of change that the note shows after the undo.\#
        "},{"name":"preview","required":false,"schema":{"type":"boolean","default":false,"examples":[true]},"description":"Returns t\#
        he result and writes nothing. Needs \"preview\" in capabilities."}],"result":{"name":"outcome","schema":{"$ref":"#/component\#
        s/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$\#
        ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/interna\#
        l"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shu\#
        tting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/compo\#
        nents/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"\#
        #/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"}\#
        ,{"$ref":"#/components/errors/note_too_large"}],"x-exactly-one":["revisions","ops"]},{"name":"note.purge","summary":"Erases \#
        everything that the note does not show any more. Needs admin, and \"purge\" in capabilities.","paramStructure":"by-name","pa\#
        rams":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema"\#
        :{"$ref":"#/components/schemas/Version"},"description":"The current version. Without it: base_required.","x-missing":"base_r\#
        equired"},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"purge","schema":{"ty\#
        pe":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/components/schemas/Version"},"beyo\#
        nd":{"type":"array","items":{"type":"object","properties":{"place":{"type":"string","enum":["backup","copies","exports","dra\#
        fts"]},"path":{"type":"string","description":"The absolute path of a backup; otherwise absent."}},"required":["place"]},"des\#
        cription":"The places that may have the erased text and that the daemon does not reach."},"replayed":{"type":"boolean","desc\#
        ription":"true if an earlier request with the same op did this."}},"required":["dot","version","beyond"]}},"errors":[{"$ref"\#
        :"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_para\#
        ms"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello\#
        _required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/err\#
        ors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#\#
        /components/errors/read_only"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$\#
        ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{"$ref":"#/components/errors/cannot_p\#
        urge"}]},{"name":"note.history","summary":"Lists the revisions of a note, newest first.","paramStructure":"by-name","params"\#
        :[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"limit","required":false,"schema":{"\#
        type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"before","required":false,"schema":{"$ref\#
        ":"#/components/schemas/Dot"},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"obj\#
        ect","properties":{"revisions":{"type":"array","items":{"$ref":"#/components/schemas/Revision"}},"next":{"oneOf":[{"$ref":"#\#
        /components/schemas/Dot"},{"type":"null"}]}},"required":["revisions","next"]}},"errors":[{"$ref":"#/components/errors/parse_\#
        error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/e\#
        rrors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/compo\#
        nents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref"\#
        :"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"}]},{"name":"notes.watch","summary":"S\#
        ends a notification for each change to the notes that match a filter, from now on or from a cursor.","paramStructure":"by-na\#
        me","params":[{"name":"filter","required":false,"schema":{"$ref":"#/components/schemas/Filter"}},{"name":"include","required\#
        ":false,"schema":{"type":"string","enum":["meta","text","edits"],"default":"meta","examples":["text"]}},{"name":"since","req\#
        uired":false,"schema":{"$ref":"#/components/schemas/Cursor"}},{"name":"snapshot","required":false,"schema":{"type":"boolean"\#
        ,"default":true,"examples":[false]}},{"name":"echo","required":false,"schema":{"type":"boolean","default":true,"examples":[f\#
        alse]}}],"result":{"name":"watch","schema":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"cursor":{"\#
        $ref":"#/components/schemas/Cursor"},"reset":{"type":"boolean"}},"required":["watch","cursor","reset"]}},"errors":[{"$ref":"\#
        #/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params\#
        "},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_r\#
        equired"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/error\#
        s/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"notes.unwatch","summary":"Ends a watch.","par\#
        amStructure":"by-name","params":[{"name":"watch","required":true,"schema":{"type":"integer","minimum":1,"examples":[1]}}],"r\#
        esult":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/pa\#
        rse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/componen\#
        ts/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/c\#
        omponents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"presence.set","summary":"Publishes whi\#
        ch note the user has open on this connection. A client may send it without id; it then gets no response.","paramStructure":"\#
        by-name","params":[{"name":"note","required":true,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteId"},{"type":"null"}]\#
        ,"examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"description":"null publishes that no note is open, and excludes versi\#
        on and selection."},{"name":"version","required":false,"schema":{"$ref":"#/components/schemas/Version"},"description":"The v\#
        ersion that the user sees."},{"name":"selection","required":false,"schema":{"oneOf":[{"$ref":"#/components/schemas/Selection\#
        "},{"type":"null"}],"examples":[{"start":0,"end":0}]},"description":"Offsets in the text of version. null means no selection\#
        .","x-needs":"version"}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$r\#
        ef":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_p\#
        arams"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/he\#
        llo_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/\#
        errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/\#
        components/errors/storage_failed"}]},{"name":"dependents.list","summary":"Lists the connected clients.","paramStructure":"by\#
        -name","params":[],"result":{"name":"dependents","schema":{"type":"object","properties":{"dependents":{"type":"array","items\#
        ":{"$ref":"#/components/schemas/Dependent"}}},"required":["dependents"]}},"errors":[{"$ref":"#/components/errors/parse_error\#
        "},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors\#
        /line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components\#
        /errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"daemon.status","summary":"Returns the daemon's \#
        version, counts, sizes and state.","paramStructure":"by-name","params":[],"result":{"name":"status","schema":{"type":"object\#
        ","properties":{"version":{"type":"string"},"store":{"$ref":"#/components/schemas/ReplicaId"},"replica":{"$ref":"#/component\#
        s/schemas/ReplicaId"},"startedAt":{"$ref":"#/components/schemas/Time"},"notes":{"type":"integer","minimum":0},"tombstones":{\#
        "type":"integer","minimum":0},"revisions":{"type":"integer","minimum":0},"conflicted":{"type":"integer","minimum":0,"descrip\#
        tion":"Notes with open conflicts."},"dependents":{"type":"integer","minimum":0},"commits":{"type":"integer","minimum":0},"la\#
        stCommitAt":{"oneOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"storeBytes":{"type":"integer","minimum":0},"wa\#
        lBytes":{"type":"integer","minimum":0},"state":{"type":"string","enum":["ok","full","read_only"],"description":"full: no roo\#
        m is left; reads still work."},"scrubbed":{"type":"boolean","description":"false while the log or the search index may still\#
         contain text that a purge erased; otherwise absent."}},"required":["version","store","replica","startedAt","notes","tombsto\#
        nes","revisions","conflicted","dependents","commits","lastCommitAt","storeBytes","walBytes","state"]}},"errors":[{"$ref":"#/\#
        components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"}\#
        ,{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_req\#
        uired"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/\#
        storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.audit","summary":"Rereads the whole stor\#
        e and compares it with the notes that the daemon serves. May take a while and send progress. The daemon reports a damaged st\#
        ore and keeps running.","paramStructure":"by-name","params":[],"result":{"name":"audit","schema":{"type":"object","propertie\#
        s":{"ok":{"type":"boolean","description":"Whether there are no findings."},"notes":{"type":"integer","minimum":0},"revisions\#
        ":{"type":"integer","minimum":0},"findings":{"type":"array","items":{"$ref":"#/components/schemas/Finding"}},"waiting":{"typ\#
        e":"array","items":{"$ref":"#/components/schemas/Waiting"},"description":"Revisions that arrived before their parents, by no\#
        te. Not a fault."},"quarantined":{"type":"array","items":{"$ref":"#/components/schemas/HeldRevision"},"description":"Revisio\#
        ns of other stores that were not accepted. Not a fault."},"compacted":{"type":"integer","minimum":0,"description":"The numbe\#
        r of revisions whose texts compaction removed."}},"required":["ok","notes","revisions","findings"]}},"errors":[{"$ref":"#/co\#
        mponents/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{\#
        "$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_requi\#
        red"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/st\#
        orage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.config","summary":"Returns the settings in\#
         effect and the source of each. Needs admin, and \"config\" in capabilities.","paramStructure":"by-name","params":[],"result\#
        ":{"name":"config","schema":{"type":"object","properties":{"settings":{"type":"array","items":{"$ref":"#/components/schemas/\#
        Setting"}}},"required":["settings"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/inva\#
        lid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/componen\#
        ts/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/comp\#
        onents/errors/shutting_down"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.backup","summary":"Copies t\#
        he store into a file while the daemon serves others. The file contains everything that the daemon answered before the reques\#
        t; when the response arrives, it is whole and on disk. May take a while and send progress, in bytes.","paramStructure":"by-n\#
        ame","params":[{"name":"path","required":false,"schema":{"type":"string","examples":["/mnt/usb/notes.db"]},"description":"An\#
         absolute path on the daemon's machine where no file exists; or a directory there, in which the daemon names the file after \#
        the time; or a file name without a slash, in the directory backups of the store. Without it, the daemon names a file there a\#
        fter the time. Only the daemon's user and root may send more than a file name, on a connection without limits; others get 60\#
        01."}],"result":{"name":"backup","schema":{"type":"object","properties":{"path":{"type":"string","description":"The absolute\#
         path of the file."},"bytes":{"type":"integer","minimum":0}},"required":["path","bytes"]}},"errors":[{"$ref":"#/components/e\#
        rrors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/\#
        components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$r\#
        ef":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_full\#
        "},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/permi\#
        ssion_denied"}]},{"name":"daemon.metrics","summary":"Returns the daemon's counters since its start, and the size of its stor\#
        e.","paramStructure":"by-name","params":[],"result":{"name":"metrics","schema":{"type":"object","properties":{"text":{"type"\#
        :"string","description":"A complete OpenMetrics 1.0 text: connections, dependents, requests and their durations, errors by k\#
        ind, commits, sizes. It contains no name and no text of any note."}},"required":["text"]}},"errors":[{"$ref":"#/components/e\#
        rrors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/\#
        components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$r\#
        ef":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_fail\#
        ed"},{"$ref":"#/components/errors/permission_denied"}]}],"x-notifications":[{"name":"note.changed","summary":"Reports a chan\#
        ged note. change says what happened to it under the filter.","params":{"type":"object","properties":{"watch":{"type":"intege\#
        r","minimum":0},"seq":{"type":"integer","minimum":0,"description":"Rises by exactly 1 from 1 within a watch."},"cursor":{"$r\#
        ef":"#/components/schemas/Cursor"},"change":{"type":"string","enum":["snapshot","left","deleted","created","restored","confl\#
        icted","resolved","edited"]},"note":{"oneOf":[{"$ref":"#/components/schemas/Note"},{"$ref":"#/components/schemas/NoteLeft"}]\#
        },"coalesced":{"type":"integer","minimum":2,"description":"The number of changes that the line covers. Absent if it is 1."},\#
        "origin":{"type":"object","properties":{"dependent":{"type":"integer","minimum":0},"label":{"oneOf":[{"$ref":"#/components/s\#
        chemas/Label"},{"type":"null"}]}},"required":["dependent","label"],"description":"The connection that made the newest change\#
        . Absent if an earlier run of the daemon made it, or if it is not among the last 32,768 commits."}},"required":["watch","seq\#
        ","cursor","change","note"]}},{"name":"watch.synced","summary":"The watch has sent its snapshot, or what the client missed."\#
        ,"params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"cursor\#
        ":{"$ref":"#/components/schemas/Cursor"}},"required":["watch","seq","cursor"]}},{"name":"watch.bookmark","summary":"A watch \#
        sends this after every 30 seconds with nothing to send.","params":{"type":"object","properties":{"watch":{"type":"integer","\#
        minimum":0},"seq":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["watch","seq",\#
        "cursor"]}},{"name":"watch.reset","summary":"The watch dropped lines. What changed since the last delivered cursor follows."\#
        ,"params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"reason\#
        ":{"type":"string"}},"required":["watch","seq","reason"]}},{"name":"session.closing","summary":"The last line before the dae\#
        mon closes the connection.","params":{"type":"object","properties":{"reason":{"type":"string"},"retryAfterMs":{"oneOf":[{"ty\#
        pe":"integer","minimum":0},{"type":"null"}]}},"required":["reason","retryAfterMs"]}},{"name":"progress","summary":"The progr\#
        ess of a long request. The daemon may send it any number of times before the response.","params":{"type":"object","propertie\#
        s":{"id":{"oneOf":[{"type":"integer"},{"type":"string"}],"description":"The id of the request."},"done":{"type":"integer","m\#
        inimum":0},"total":{"type":"integer","minimum":0}},"required":["id","done","total"]}},{"name":"presence.changed","summary":"\#
        Reports which note a dependent has open, to each connection with a watch that covers the note.","params":{"type":"object","p\#
        roperties":{"note":{"$ref":"#/components/schemas/NoteId"},"dependent":{"type":"integer","minimum":0},"label":{"oneOf":[{"$re\#
        f":"#/components/schemas/Label"},{"type":"null"}]},"user":{"$ref":"#/components/schemas/User"},"version":{"oneOf":[{"$ref":"\#
        #/components/schemas/Version"},{"type":"null"}],"description":"The version that the user sees there; empty if the dependent \#
        sent none; null if the dependent left the note."},"selection":{"oneOf":[{"$ref":"#/components/schemas/Selection"},{"type":"n\#
        ull"}]}},"required":["note","dependent","label","user","version","selection"]}},{"name":"revisions.page","summary":"Carries \#
        revisions to a peer, in the order of their commits.","params":{"type":"object","properties":{"watch":{"type":"integer","mini\#
        mum":0},"seq":{"type":"integer","minimum":0},"left":{"type":"integer","minimum":0,"description":"The number of revisions tha\#
        t the peer lacked when the watch started and that follow."},"beginnings":{"type":"array","items":{"$ref":"#/components/schem\#
        as/NoteBeginning"},"description":"Notes of which the peer lacks revisions whose texts are gone; absent if there are none."},\#
        "revisions":{"type":"array","items":{"$ref":"#/components/schemas/WireRevision"}},"gone":{"type":"array","items":{"$ref":"#/\#
        components/schemas/Dot"},"description":"Revisions that the store cannot send: their rows are damaged, or their texts were co\#
        mpacted and the beginning of the note is too large."}},"required":["watch","seq","left","revisions","gone"]}}],"components":\#
        {"schemas":{"NoteId":{"type":"string","pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$","des\#
        cription":"A UUID of version 7 in lower case.","examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"Dot":{"type":"string","\#
        pattern":"^[0-9a-f]{16}:[1-9][0-9]*$","description":"The globally unique name of one revision: the replica that made it, and\#
         a counter.","examples":["9f86d081884c7d65:7"]},"Dots":{"type":"string","pattern":"^([0-9a-f]{16}:[1-9][0-9]*(-[1-9][0-9]*)?\#
        (,[1-9][0-9]*(-[1-9][0-9]*)?)*( [0-9a-f]{16}:[1-9][0-9]*(-[1-9][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)?)*)*)?$","description":"A\#
         set of dots: for each replica ranges of counters. Replicas and ranges ascend, and ranges do not touch.","examples":["9f86d0\#
        81884c7d65:1-7,9"]},"Base64":{"type":"string","pattern":"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$","desc\#
        ription":"Bytes as in RFC 4648, with padding.","examples":["Ag=="]},"NoteBeginning":{"type":"object","description":"A note a\#
        t the oldest revision whose text is left, or at a purge.","properties":{"revision":{"$ref":"#/components/schemas/WireRevisio\#
        n"},"below":{"type":"string","description":"The dots in the past of the revision."},"erased":{"type":"string","description":\#
        "Those of them that a purge erased; absent if there are none."},"text":{"type":"string"},"name":{"type":"string","descriptio\#
        n":"The name of the note there; absent if it has none."},"deleted":{"type":"boolean"},"last_line":{"type":"string","enum":["\#
        shown","hidden","absent"]},"created":{"type":"string"}},"required":["revision","below","text","deleted","last_line","created\#
        "]},"WireRevision":{"type":"object","properties":{"head":{"$ref":"#/components/schemas/Base64","description":"The canonical \#
        bytes of the revision (docs/causality.md), without those of its replacements, whose counts stay."},"text":{"type":"string","\#
        description":"The replacements, joined in order."}},"required":["head","text"],"additionalProperties":false},"Version":{"typ\#
        e":"string","pattern":"^([0-9a-f]{16}:[1-9][0-9]*( [0-9a-f]{16}:[1-9][0-9]*)*)?$","description":"A set of revisions, written\#
         as its maximal dots, sorted and joined by single spaces; usually one dot. The empty string is the version in which nothing \#
        was seen. A client may send dots in any order and repeat them.","examples":["9f86d081884c7d65:7"]},"Cursor":{"type":"string"\#
        ,"description":"A place in a store's commit order. Opaque to clients.","examples":["42.9f86d081884c7d65"]},"ConflictId":{"ty\#
        pe":"string","pattern":"^[0-9a-f]{32}$","examples":["0123456789abcdef0123456789abcdef"]},"ReplicaId":{"type":"string","patte\#
        rn":"^[0-9a-f]{16}$","examples":["9f86d081884c7d65"]},"Time":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2\#
        }:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"RFC 3339 in UTC, with milliseconds. For people only.","examples":["2026-11-\#
        20T23:29:57.123Z"]},"FileTimes":{"type":"object","properties":{"modified":{"$ref":"#/components/schemas/Time"},"created":{"$\#
        ref":"#/components/schemas/Time"}},"required":["modified"],"additionalProperties":false,"examples":[{"modified":"2019-05-04T\#
        10:00:00.000Z","created":"2019-05-01T09:00:00.000Z"}],"description":"The times that a file states. For people only."},"Chang\#
        eTime":{"type":"object","properties":{"modified":{"$ref":"#/components/schemas/Time"}},"required":["modified"],"additionalPr\#
        operties":false,"examples":[{"modified":"2019-05-04T10:00:00.000Z"}]},"NoteName":{"type":"string","minLength":1,"description\#
        ":"A path such as work/inbox: parts of 1 to 255 bytes between single slashes, none of them . or .., no control characters, a\#
        t most 1,024 bytes in all.","examples":["work/inbox"]},"Op":{"type":"string","minLength":1,"description":"A name for this wr\#
        ite, of at most 64 bytes, different for each write of the user. The daemon makes a repeated write only once.","examples":["7\#
        f3a"]},"Label":{"type":"string","description":"At most 1,024 bytes.","examples":["laptop/vim"]},"LinkTarget":{"type":"string\#
        ","description":"At most 3,500 bytes.","examples":["work/inbox"]},"PositionEncoding":{"type":"string","enum":["utf-8","utf-1\#
        6","utf-32"],"description":"The unit of offsets: code units of UTF-8 or UTF-16, or Unicode scalars."},"Edit":{"type":"object\#
        ","properties":{"start":{"type":"integer"},"end":{"type":"integer"},"text":{"type":"string"}},"required":["start","end","tex\#
        t"],"description":"Replaces a range of a text. Offsets count in the text before any edit of the list, in the session's encod\#
        ing. Edits are sorted and do not overlap.","examples":[{"start":0,"end":0,"text":"a"}]},"Filter":{"type":"object","propertie\#
        s":{"ids":{"type":"array","items":{"$ref":"#/components/schemas/NoteId"}},"prefix":{"type":"string"},"tag":{"type":"string"}\#
        ,"conflicted":{"type":"boolean"},"deleted":{"type":"boolean","description":"true: only tombstones; otherwise none."}},"requi\#
        red":[],"additionalProperties":false,"description":"A note must match all members.","examples":[{"prefix":"work/"}]},"Client\#
        ":{"type":"object","properties":{"name":{"$ref":"#/components/schemas/Label"},"version":{"$ref":"#/components/schemas/Label"\#
        }},"required":["name"],"examples":[{"name":"notesctl","version":"0.1.0"}]},"User":{"type":"object","properties":{"uid":{"typ\#
        e":"integer","minimum":0},"name":{"type":"string"},"person":{"$ref":"#/components/schemas/Person"}},"required":["uid","name"\#
        ]},"Person":{"type":"string","minLength":1,"description":"A person for whom a user connected: 1 to 64 bytes, without control\#
         characters.","examples":["ada"]},"Author":{"type":"object","properties":{"user":{"type":"string"},"label":{"oneOf":[{"type"\#
        :"string"},{"type":"null"}]}},"required":["user","label"]},"Limits":{"type":"object","properties":{"maxLineBytes":{"type":"i\#
        nteger","minimum":0,"description":"The length of a line, without its LF."},"maxNoteBytes":{"type":"integer","minimum":0},"ma\#
        xInFlight":{"type":"integer","minimum":0,"description":"The number of requests without a response."},"maxDepth":{"type":"int\#
        eger","minimum":0,"description":"The depth of nested arrays and objects."},"maxResponseBytes":{"type":"integer","minimum":0,\#
        "description":"The size of all unread responses."}},"required":["maxLineBytes","maxNoteBytes","maxInFlight","maxDepth","maxR\#
        esponseBytes"]},"SearchQuery":{"type":"string","maxLength":4096,"examples":["milk bread"]},"Hit":{"type":"object","propertie\#
        s":{"note":{"$ref":"#/components/schemas/Note"},"snippet":{"type":"string","description":"An exact piece of the note's text,\#
         around the first match."},"ranges":{"type":"array","items":{"type":"object","properties":{"start":{"type":"integer","minimu\#
        m":0},"end":{"type":"integer","minimum":0}},"required":["start","end"]},"description":"The matches in the snippet, in the se\#
        ssion's encoding, ascending and separate."}},"required":["note","snippet","ranges"]},"Conflict":{"type":"object","properties\#
        ":{"id":{"$ref":"#/components/schemas/ConflictId"},"kind":{"type":"string","enum":["text","name","deletion"]},"range":{"type\#
        ":"object","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start","e\#
        nd"],"description":"Whole lines of the merged text, in the session's encoding; all of it for a deletion, an empty range at i\#
        ts start for a name."},"base":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"What all sides started from: the l\#
        ines, the name or null, or null for a deletion."},"sides":{"type":"array","items":{"$ref":"#/components/schemas/Side"}}},"re\#
        quired":["id","kind","range"],"description":"A mark where concurrent writes touch. base and sides are present where the note\#
         has text or edits, and in outcomes."},"Side":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"with\#
        drawn":{"type":"boolean","description":"true: the revision is withdrawn, and text is what its parents show; otherwise absent\#
        ."},"author":{"$ref":"#/components/schemas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"text":{"type":"string",\#
        "description":"The text of this side in place of the range; its whole text if another side deleted the note."},"name":{"oneO\#
        f":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"deleted":{"type":"boolean","description":"true: this side de\#
        leted the note."}},"required":["dot","author","modified"],"description":"One side of a conflict, at its newest revision, or \#
        a withdrawn revision. It has one of text, name and deleted."},"Note":{"type":"object","properties":{"id":{"$ref":"#/componen\#
        ts/schemas/NoteId"},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"version":{"$ref":"#/compone\#
        nts/schemas/Version"},"siblings":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"vector":{"type":"object","add\#
        itionalProperties":{"type":"integer"}},"conflicts":{"type":"array","items":{"$ref":"#/components/schemas/Conflict"}},"title"\#
        :{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"created":{"$ref":"#/components/schemas/Time"},"modifie\#
        d":{"$ref":"#/components/schemas/Time"},"author":{"$ref":"#/components/schemas/Author"},"bytes":{"type":"integer","minimum":\#
        0},"deleted":{"type":"boolean"},"text":{"type":"string"},"base":{"$ref":"#/components/schemas/Version"},"edits":{"type":"arr\#
        ay","items":{"$ref":"#/components/schemas/Edit"}}},"required":["id","name","version","conflicts","title","tags","created","m\#
        odified","author","bytes","deleted"],"description":"siblings and vector are present only in note.get; text or edits where th\#
        e client asked for them; base with edits in watch lines."},"NoteLeft":{"type":"object","properties":{"id":{"$ref":"#/compone\#
        nts/schemas/NoteId"},"version":{"$ref":"#/components/schemas/Version"}},"required":["id","version"],"description":"A note th\#
        at no longer matches the filter."},"MergedText":{"type":"object","properties":{"version":{"$ref":"#/components/schemas/Versi\#
        on"},"edits":{"type":"array","items":{"$ref":"#/components/schemas/Edit"}},"conflicts":{"type":"array","items":{"$ref":"#/co\#
        mponents/schemas/Conflict"}},"text":{"type":"string"},"deleted":{"type":"boolean","description":"true if the note is deleted\#
        ; otherwise absent."}},"required":["version","conflicts"],"description":"The state that the daemon shows, if its version is \#
        not that of the outcome, and always after note.undo. edits turn the text sent, or after note.undo the text of base, into the\#
         merged text; version is the base to use once the client shows the merged text."},"Outcome":{"type":"object","properties":{"\#
        outcome":{"type":"string","enum":["saved","merged","conflicted","unchanged"]},"dot":{"$ref":"#/components/schemas/Dot"},"ver\#
        sion":{"$ref":"#/components/schemas/Version"},"note":{"$ref":"#/components/schemas/MergedText"},"replayed":{"type":"boolean"\#
        }},"required":["outcome","version"],"description":"dot is absent if the outcome is unchanged. replayed is present if the cli\#
        ent sent the op before."},"Revision":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"parents":{"ty\#
        pe":"array","items":{"$ref":"#/components/schemas/Dot"}},"version":{"$ref":"#/components/schemas/Version"},"author":{"$ref":\#
        "#/components/schemas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"bytes":{"type":"integer","minimum":0},"delet\#
        ed":{"type":"boolean"},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"kind":{"type":"string","\#
        enum":["saved","edited","undo","purge"]},"compacted":{"type":"boolean","description":"true if compaction removed the text; o\#
        therwise absent."},"withdraws":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"description":"The revisions that\#
         an undo withdraws; otherwise absent."},"withdrawn":{"type":"boolean","description":"true if the revision is withdrawn in th\#
        e newest version; otherwise absent."},"resolves":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"descrip\#
        tion":"The conflicts that the write named as resolved; otherwise absent."},"times":{"$ref":"#/components/schemas/FileTimes"}\#
        },"required":["dot","parents","version","author","modified","bytes","deleted","name","kind"]},"Setting":{"type":"object","pr\#
        operties":{"key":{"type":"string","examples":["limits.depth_max"]},"value":{"oneOf":[{"type":"string"},{"type":"null"}],"des\#
        cription":"As in the configuration file; null if the setting is unset and the daemon chooses."},"source":{"type":"string","d\#
        escription":"A file, \"environment NAME\", \"option NAME\", \"service manager\" or \"default\"."},"reloadable":{"type":"bool\#
        ean","description":"Whether a running daemon can apply a change."},"pending":{"oneOf":[{"type":"string"},{"type":"null"}],"d\#
        escription":"The value that the next start will use, if it differs."}},"required":["key","value","source","reloadable","pend\#
        ing"]},"Finding":{"type":"object","properties":{"note":{"oneOf":[{"$ref":"#/components/schemas/NoteId"},{"type":"null"}]},"d\#
        ot":{"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"null"}]},"message":{"type":"string","description":"A sentence for\#
         people."},"affects":{"type":"string","enum":["texts","derived"],"description":"derived: only data that the daemon derives f\#
        rom revisions, such as names, conflicts and the search index; texts are not affected. Anything else, or absent: texts may be\#
         affected."}},"required":["note","dot","message"],"description":"Something that an audit found. note and dot are null where \#
        it concerns none."},"Waiting":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"revisions":{"typ\#
        e":"integer","minimum":0,"description":"The number of waiting revisions."},"parents":{"type":"array","items":{"$ref":"#/comp\#
        onents/schemas/Dot"},"description":"The missing parents, at most 100 of them."}},"required":["note","revisions","parents"],"\#
        description":"Revisions of one note from other replicas that wait for their parents."},"HeldRevision":{"type":"object","prop\#
        erties":{"note":{"$ref":"#/components/schemas/NoteId"},"dot":{"$ref":"#/components/schemas/Dot"},"reason":{"oneOf":[{"type":\#
        "string"},{"type":"null"}],"description":"Why the revision was not accepted, as a clause for people. null: it waits for its \#
        parents."},"author":{"$ref":"#/components/schemas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"inserts":{"type"\#
        :"string","description":"The text that the revision inserts, or its first 200 bytes."},"bytes":{"type":"integer","minimum":0\#
        ,"description":"The number of bytes that the revision inserts."}},"required":["note","dot","reason","author","modified","ins\#
        erts","bytes"],"description":"A revision of another store that is no part of its note: it waits for its parents, or was not \#
        accepted. The author and the time are those that its peer states, the author cut after 200 bytes."},"Selection":{"type":"obj\#
        ect","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start","end"],"\#
        description":"Offsets in the session's encoding. A text cursor starts where it ends."},"Presence":{"type":"object","properti\#
        es":{"note":{"$ref":"#/components/schemas/NoteId"},"version":{"$ref":"#/components/schemas/Version"},"selection":{"oneOf":[{\#
        "$ref":"#/components/schemas/Selection"},{"type":"null"}]}},"required":["note","version","selection"]},"Dependent":{"type":"\#
        object","properties":{"dependent":{"type":"integer","minimum":0},"client":{"$ref":"#/components/schemas/Client"},"label":{"o\#
        neOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"user":{"$ref":"#/components/schemas/User"},"watches":{"type"\#
        :"integer","minimum":0,"description":"The number of its watches."},"state":{"type":"string","enum":["synced","lagging","rese\#
        t"],"description":"synced: everything was sent. lagging: something is pending. reset: the daemon dropped lines and has not r\#
        eplaced them yet."},"outboxBytes":{"type":"integer","minimum":0,"description":"The size of everything that is pending."},"pr\#
        esence":{"oneOf":[{"$ref":"#/components/schemas/Presence"},{"type":"null"}],"description":"The note that the user has open o\#
        n this connection."}},"required":["dependent","client","label","user","watches","state","outboxBytes","presence"]}},"errors"\#
        :{"parse_error":{"code":-32700,"message":"The line is not valid JSON for this protocol.","data":{"kind":"parse_error","retry\#
        able":false,"details":["offset"]}},"invalid_request":{"code":-32600,"message":"The line is not a JSON-RPC request, or not al\#
        lowed at this point.","data":{"kind":"invalid_request","retryable":false,"details":["path"]}},"method_not_found":{"code":-32\#
        601,"message":"There is no such method.","data":{"kind":"method_not_found","retryable":false,"details":[]}},"invalid_params"\#
        :{"code":-32602,"message":"A param is missing, unknown, or of the wrong type or form.","data":{"kind":"invalid_params","retr\#
        yable":false,"details":["path","offset"]}},"internal":{"code":-32603,"message":"The daemon failed because of a bug.","data":\#
        {"kind":"internal","retryable":false,"details":[]}},"hello_required":{"code":1001,"message":"Send session.hello first.","dat\#
        a":{"kind":"hello_required","retryable":false,"details":[]}},"unsupported_protocol":{"code":1002,"message":"The client and t\#
        he daemon have no protocol version in common.","data":{"kind":"unsupported_protocol","retryable":false,"details":["supported\#
        "]}},"note_not_found":{"code":2001,"message":"There is no such note.","data":{"kind":"note_not_found","retryable":false,"det\#
        ails":[]}},"note_exists":{"code":2002,"message":"The id or the name is taken.","data":{"kind":"note_exists","retryable":fals\#
        e,"details":["id"]}},"unknown_base":{"code":2003,"message":"The base names a revision that is unknown or not this note's.","\#
        data":{"kind":"unknown_base","retryable":false,"details":["known"]}},"revision_gone":{"code":2004,"message":"Compaction or a\#
         purge removed the text of that version.","data":{"kind":"revision_gone","retryable":false,"details":["version"]}},"base_req\#
        uired":{"code":2005,"message":"A write to an existing note needs a base.","data":{"kind":"base_required","retryable":false,"\#
        details":["version"]}},"invalid_edit":{"code":2006,"message":"An edit does not fit the text of the base.","data":{"kind":"in\#
        valid_edit","retryable":false,"details":["index"]}},"invalid_name":{"code":2007,"message":"This is not a valid name for a no\#
        te.","data":{"kind":"invalid_name","retryable":false,"details":[]}},"cannot_purge":{"code":2008,"message":"The note cannot b\#
        e purged as it is.","data":{"kind":"cannot_purge","retryable":false,"details":["version"]}},"storage_full":{"code":3001,"mes\#
        sage":"The disk is full.","data":{"kind":"storage_full","retryable":true,"details":[]}},"storage_failed":{"code":3002,"messa\#
        ge":"The store failed to read or write.","data":{"kind":"storage_failed","retryable":true,"details":[]}},"read_only":{"code"\#
        :3003,"message":"The store is read-only.","data":{"kind":"read_only","retryable":false,"details":[]}},"line_too_long":{"code\#
        ":4001,"message":"The line is too long; the daemon skipped it. The third such line closes the connection.","data":{"kind":"l\#
        ine_too_long","retryable":false,"details":["limit"]}},"note_too_large":{"code":4002,"message":"The note would be too large."\#
        ,"data":{"kind":"note_too_large","retryable":false,"details":["bytes","limit"]}},"overloaded":{"code":4003,"message":"The da\#
        emon is overloaded.","data":{"kind":"overloaded","retryable":"true, except if the connection has too many watches","details"\#
        :[]}},"permission_denied":{"code":6001,"message":"The user does not have the access that this needs.","data":{"kind":"permis\#
        sion_denied","retryable":false,"details":[]}},"shutting_down":{"code":7001,"message":"The daemon is stopping.","data":{"kind\#
        ":"shutting_down","retryable":true,"details":[]}}}}}
        """#
}
