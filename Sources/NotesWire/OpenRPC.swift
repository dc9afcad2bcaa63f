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
        ,"enum":["read","write","admin"]},"positionEncoding":{"$ref":"#/components/schemas/PositionEncoding"},"limits":{"$ref":"#/co\#
        mponents/schemas/Limits"},"capabilities":{"type":"array","items":{"type":"string"}},"cursor":{"$ref":"#/components/schemas/C\#
        ursor"}},"required":["protocol","server","store","replica","dependent","user","access","positionEncoding","limits","capabili\#
        ties","cursor"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref\#
        ":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"}\#
        ,{"$ref":"#/components/errors/unsupported_protocol"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/\#
        errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"session.ping","summary":"Returns an empty object\#
        . Allowed before hello.","paramStructure":"by-name","params":[],"result":{"name":"nothing","schema":{"type":"object","proper\#
        ties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"}\#
        ,{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/int\#
        ernal"}]},{"name":"rpc.discover","summary":"Returns this document. Allowed before hello.","paramStructure":"by-name","params\#
        ":[],"result":{"name":"document","schema":{"type":"object"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#\#
        /components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_lon\#
        g"},{"$ref":"#/components/errors/internal"}]},{"name":"note.create","summary":"Creates a note.","paramStructure":"by-name","\#
        params":[{"name":"text","required":true,"schema":{"type":"string","examples":["Hello\n"]}},{"name":"name","required":false,"\#
        schema":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}],"examples":["work/inbox"]}},{"name":"id","requir\#
        ed":false,"schema":{"$ref":"#/components/schemas/NoteId"},"description":"The client may choose it, so that a retry cannot cr\#
        eate a second note."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}},{"name":"times","required":\#
        false,"schema":{"$ref":"#/components/schemas/FileTimes"}}],"result":{"name":"created","schema":{"type":"object","properties"\#
        :{"note":{"$ref":"#/components/schemas/Note"},"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/components/sche\#
        mas/Version"},"replayed":{"type":"boolean"}},"required":["note"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$r\#
        ef":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_t\#
        oo_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors\#
        /overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/componen\#
        ts/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"\#
        #/components/errors/note_too_large"},{"$ref":"#/components/errors/note_exists"},{"$ref":"#/components/errors/invalid_name"}]\#
        },{"name":"note.get","summary":"Returns a note, now or at a version, whole or as edits from a version.","paramStructure":"by\#
        -name","params":[{"name":"id","required":false,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"name","required":fa\#
        lse,"schema":{"$ref":"#/components/schemas/NoteName"}},{"name":"at","required":false,"schema":{"$ref":"#/components/schemas/\#
        Version"}},{"name":"from","required":false,"schema":{"$ref":"#/components/schemas/Version"}}],"result":{"name":"shown","sche\#
        ma":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"}},"required":["note"]}},"errors":[{"$ref":"#/c\#
        omponents/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},\#
        {"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_requ\#
        ired"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/s\#
        torage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/co\#
        mponents/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"}],"x-exactly-one":["id","name"]},{"name":"note.li\#
        st","summary":"Lists notes, sorted by name (bytes, null last) and id, or by newest commit.","paramStructure":"by-name","para\#
        ms":[{"name":"filter","required":false,"schema":{"$ref":"#/components/schemas/Filter"}},{"name":"limit","required":false,"sc\#
        hema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","required":false,"schema"\#
        :{"type":"string","examples":["01890a5d-ac96-774b-bcce-b302099a8057/work/inbox"]},"description":"The next of the previous pa\#
        ge in the same order."},{"name":"order","required":false,"schema":{"type":"string","enum":["name","newest"],"default":"name"\#
        ,"examples":["newest"]}}],"result":{"name":"page","schema":{"type":"object","properties":{"notes":{"type":"array","items":{"\#
        $ref":"#/components/schemas/Note"}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["notes","next"]}},"err\#
        ors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors\#
        /invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components\#
        /errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/c\#
        omponents/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"tags.list","summary":"Lists th\#
        e tags of living notes, sorted by bytes, with the number of notes that have each.","paramStructure":"by-name","params":[{"na\#
        me":"prefix","required":false,"schema":{"type":"string","default":"","examples":["project/"]},"description":"What each tag b\#
        egins with."},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples\#
        ":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["project/notesd"]},"description":"The next o\#
        f the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"tags":{"type":"array","items":{"typ\#
        e":"object","properties":{"tag":{"type":"string"},"notes":{"type":"integer","minimum":1}},"required":["tag","notes"]}},"next\#
        ":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["tags","next"]}},"errors":[{"$ref":"#/components/errors/parse_e\#
        rror"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/er\#
        rors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/compon\#
        ents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":\#
        "#/components/errors/permission_denied"}]},{"name":"revisions.list","summary":"Lists the revisions of all notes in the order\#
         of commits, newest first. Needs \"revisions\" in capabilities.","paramStructure":"by-name","params":[{"name":"author","requ\#
        ired":false,"schema":{"$ref":"#/components/schemas/Label"},"description":"The name of a user, a label, or the first parts of\#
         a label up to a slash."},{"name":"since","required":false,"schema":{"$ref":"#/components/schemas/Time"},"description":"List\#
        s no writes that were made before this time."},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maxi\#
        mum":1000,"default":100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["4711"]},"d\#
        escription":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"revisions":{\#
        "type":"array","items":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"revision":{"$ref":"#/co\#
        mponents/schemas/Revision"}},"required":["note","revision"]}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"require\#
        d":["revisions","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"\#
        },{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/in\#
        ternal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/error\#
        s/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"\#
        revisions.known","summary":"Returns the revisions of the store, as dots. Needs \"replication\" in capabilities.","paramStruc\#
        ture":"by-name","params":[],"result":{"name":"known","schema":{"type":"object","properties":{"known":{"$ref":"#/components/s\#
        chemas/Dots"},"quarantined":{"$ref":"#/components/schemas/Dots"},"waiting":{"type":"integer","minimum":0},"forms":{"type":"a\#
        rray","items":{"type":"integer","minimum":1}},"view":{"type":"integer","minimum":0}},"required":["known","quarantined","wait\#
        ing","forms","view"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{\#
        "$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/inter\#
        nal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/s\#
        hutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"rev\#
        isions.watch","summary":"Sends the revisions that a peer lacks in revisions.page notifications, and then each revision as it\#
         is committed. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[{"name":"peer","required":true,"\#
        schema":{"type":"object","properties":{"store":{"$ref":"#/components/schemas/ReplicaId"},"replica":{"$ref":"#/components/sch\#
        emas/ReplicaId"}},"required":["store","replica"],"additionalProperties":false,"examples":[{"store":"aaaaaaaaaaaaaaaa","repli\#
        ca":"bbbbbbbbbbbbbbbb"}]},"description":"The store that receives the revisions."},{"name":"known","required":true,"schema":{\#
        "$ref":"#/components/schemas/Dots"},"description":"The revisions that it holds."},{"name":"refuses","required":false,"schema\#
        ":{"$ref":"#/components/schemas/Dots"},"description":"The revisions that it did not accept."}],"result":{"name":"watch","sch\#
        ema":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"lacks":{"type":"integer","minimum":0}},"required\#
        ":["watch","lacks"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"\#
        $ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/intern\#
        al"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/sh\#
        utting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"revi\#
        sions.proceed","summary":"States that the peer holds the pages up to a number. Needs \"replication\" in capabilities.","para\#
        mStructure":"by-name","params":[{"name":"watch","required":true,"schema":{"type":"integer","minimum":0,"examples":[1]}},{"na\#
        me":"seq","required":true,"schema":{"type":"integer","minimum":0,"examples":[1]},"description":"The number of the last page.\#
        "},{"name":"lacking","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"examples":[[]]},\#
        "description":"The revisions of these pages that the peer does not hold."}],"result":{"name":"nothing","schema":{"type":"obj\#
        ect","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/inval\#
        id_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/component\#
        s/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/compo\#
        nents/errors/shutting_down"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"revisions.adopt","summary":"Takes i\#
        n revisions of a peer. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[{"name":"revisions","req\#
        uired":true,"schema":{"type":"array","maxItems":256,"items":{"$ref":"#/components/schemas/WireRevision"},"examples":[[{"head\#
        ":"Ag==","text":""}]]},"description":"At most 256 revisions of 1 MiB together, or one revision."}],"result":{"name":"adopted\#
        ","schema":{"type":"object","properties":{"committed":{"type":"integer","minimum":0},"known":{"type":"integer","minimum":0},\#
        "waiting":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"quarantined":{"type":"array","items":{"type":"object\#
        ","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"reason":{"type":"string"}},"required":["dot","reason"]}},"refused\#
        ":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"unreadable":{"type":"array","items":{"type":"integer","minim\#
        um":0}}},"required":["committed","known","waiting","quarantined","refused","unreadable"]}},"errors":[{"$ref":"#/components/e\#
        rrors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/\#
        components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$r\#
        ef":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_fail\#
        ed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/erro\#
        rs/read_only"}]},{"name":"peers.list","summary":"Lists the stores that exchange revisions with this one. Needs \"replication\#
        \" in capabilities.","paramStructure":"by-name","params":[],"result":{"name":"peers","schema":{"type":"object","properties":\#
        {"peers":{"type":"array","items":{"type":"object","properties":{"store":{"$ref":"#/components/schemas/ReplicaId"},"connected\#
        ":{"type":"boolean"},"lacks":{"type":"integer","minimum":0}},"required":["store","connected","lacks"]}}},"required":["peers"\#
        ]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/component\#
        s/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/co\#
        mponents/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$r\#
        ef":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"peers.forget","summary\#
        ":"Removes the record of what a peer holds. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[{"n\#
        ame":"store","required":true,"schema":{"$ref":"#/components/schemas/ReplicaId"},"description":"The id of the peer's store."}\#
        ],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/error\#
        s/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/comp\#
        onents/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":\#
        "#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"}\#
        ,{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/r\#
        ead_only"}]},{"name":"links.to","summary":"Lists the links that mean a note, from the newest linking note to the oldest.","p\#
        aramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"li\#
        mit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after",\#
        "required":false,"schema":{"type":"string","examples":["01890a5d-ac96-774b-bcce-b302099a8057/0"]},"description":"The next of\#
         the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"links":{"type":"array","items":{"typ\#
        e":"object","properties":{"note":{"$ref":"#/components/schemas/Note"},"version":{"$ref":"#/components/schemas/Version"},"ran\#
        ge":{"type":"object","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":[\#
        "start","end"]},"kind":{"type":"string","enum":["wiki","embed","path","id"]},"target":{"type":"string"},"fragment":{"oneOf":\#
        [{"type":"string"},{"type":"null"}]},"snippet":{"type":"string"}},"required":["note","version","range","kind","target","frag\#
        ment","snippet"]}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["links","next"]}},"errors":[{"$ref":"#/\#
        components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"}\#
        ,{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_req\#
        uired"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/\#
        storage_failed"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/com\#
        ponents/errors/note_not_found"}]},{"name":"links.missing","summary":"Lists the targets of links that mean nothing, sorted by\#
         bytes.","paramStructure":"by-name","params":[{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maxim\#
        um":1000,"default":100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["01890a5d-ac\#
        96-774b-bcce-b302099a8057/0/wiki/nowhere"]},"description":"The next of the previous page."}],"result":{"name":"page","schema\#
        ":{"type":"object","properties":{"targets":{"type":"array","items":{"type":"object","properties":{"kind":{"type":"string","e\#
        num":["wiki","embed","path","id"]},"target":{"type":"string"},"links":{"type":"integer","minimum":1},"notes":{"type":"array"\#
        ,"items":{"$ref":"#/components/schemas/NoteId"}}},"required":["kind","target","links","notes"]}},"next":{"oneOf":[{"type":"s\#
        tring"},{"type":"null"}]}},"required":["targets","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/c\#
        omponents/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"\#
        },{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloa\#
        ded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/error\#
        s/storage_full"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"links.resolve","summary":"Lists the notes that \#
        link targets can mean, the meaning first.","paramStructure":"by-name","params":[{"name":"targets","required":true,"schema":{\#
        "type":"array","minItems":1,"maxItems":100,"items":{"type":"object","properties":{"kind":{"type":"string","enum":["wiki","em\#
        bed","path","id"],"examples":["wiki"]},"target":{"$ref":"#/components/schemas/LinkTarget"}},"required":["kind","target"],"ad\#
        ditionalProperties":false},"examples":[[{"kind":"wiki","target":"inbox"}]]}},{"name":"from","required":false,"schema":{"$ref\#
        ":"#/components/schemas/NoteId"},"description":"The linking note. Without it, the linking note counts as one at the root."}]\#
        ,"result":{"name":"meanings","schema":{"type":"object","properties":{"found":{"type":"array","description":"The answers in t\#
        he order of the targets: at least one, and fewer than targets if these can mean very many notes.","items":{"type":"object","\#
        properties":{"notes":{"type":"array","items":{"$ref":"#/components/schemas/Note"}},"more":{"type":"integer","minimum":0}},"r\#
        equired":["notes","more"]}}},"required":["found"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/componen\#
        ts/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$re\#
        f":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{\#
        "$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/stora\#
        ge_full"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"}]},{"name":"note.sea\#
        rch","summary":"Searches notes by their contents, best first.","paramStructure":"by-name","params":[{"name":"query","require\#
        d":true,"schema":{"$ref":"#/components/schemas/SearchQuery"},"description":"Words that a note must all contain; docs/protoco\#
        l.md describes the whole syntax."},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":100,"de\#
        fault":20,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["3fe5555555555555.0000000\#
        000000421"]},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properties"\#
        :{"hits":{"type":"array","items":{"$ref":"#/components/schemas/Hit"}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]},"\#
        truncated":{"type":"boolean","description":"Whether more than 10,000 notes matched. The daemon finds only the newest 10,000 \#
        of them."}},"required":["hits","next","truncated"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/compone\#
        nts/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$r\#
        ef":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},\#
        {"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/stor\#
        age_full"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"note.save","summary":"Writes a whole text, a name, or\#
         both, on a base.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/\#
        NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The version whose t\#
        ext the client was showing. Without it: base_required.","x-missing":"base_required"},{"name":"text","required":false,"schema\#
        ":{"type":"string","examples":["Hello\n"]}},{"name":"name","required":false,"schema":{"oneOf":[{"$ref":"#/components/schemas\#
        /NoteName"},{"type":"null"}],"examples":["work/done"]},"description":"null clears the name."},{"name":"resolves","required":\#
        false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"examples":[["0123456789abcdef0123456789ab\#
        cdef"]]},"description":"Ids of conflicts that are open at the base."},{"name":"op","required":false,"schema":{"$ref":"#/comp\#
        onents/schemas/Op"}},{"name":"times","required":false,"schema":{"$ref":"#/components/schemas/ChangeTime"}}],"result":{"name"\#
        :"outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#\#
        /components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_lon\#
        g"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overl\#
        oaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/err\#
        ors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/comp\#
        onents/errors/note_too_large"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/note_exists"},{"$r\#
        ef":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_requi\#
        red"},{"$ref":"#/components/errors/invalid_name"}],"x-at-least-one":["text","name","resolves"]},{"name":"note.edit","summary\#
        ":"Writes edits to the text of a base.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"\#
        #/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description"\#
        :"The version whose text the client was showing. Without it: base_required.","x-missing":"base_required"},{"name":"edits","r\#
        equired":true,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Edit"},"examples":[[{"start":0,"end":0,"text":"\#
        a"}]]}},{"name":"resolves","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"exa\#
        mples":[["0123456789abcdef0123456789abcdef"]]},"description":"Ids of conflicts that are open at the base."},{"name":"op","re\#
        quired":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/components/schema\#
        s/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/\#
        components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$r\#
        ef":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_do\#
        wn"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/er\#
        rors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/compon\#
        ents/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref\#
        ":"#/components/errors/base_required"},{"$ref":"#/components/errors/invalid_edit"}]},{"name":"note.delete","summary":"Marks \#
        a note as deleted. Its text can still be read at its versions.","paramStructure":"by-name","params":[{"name":"id","required"\#
        :true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas\#
        /Version"},"description":"The version whose text the client was showing. Without it: base_required.","x-missing":"base_requi\#
        red"},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref\#
        ":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid\#
        _request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/\#
        errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/compone\#
        nts/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"\#
        $ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_not_fou\#
        nd"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/b\#
        ase_required"}]},{"name":"note.undo","summary":"Withdraws revisions of a note, as if they had not been made. Withdrawing a w\#
        ithdrawal redoes.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/\#
        NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"A version that incl\#
        udes the revisions. Without it: base_required.","x-missing":"base_required"},{"name":"revisions","required":false,"schema":{\#
        "type":"array","items":{"$ref":"#/components/schemas/Dot"},"minItems":1,"maxItems":10000,"examples":[["9f86d081884c7d65:7"]]\#
        },"description":"The revisions to withdraw."},{"name":"ops","required":false,"schema":{"type":"array","items":{"$ref":"#/com\#
        ponents/schemas/Op"},"minItems":1,"maxItems":10000,"examples":[["7f3a"]]},"description":"The ops of writes of the same user \#
        to this note, in place of revisions."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}},{"name":"t\#
        imes","required":false,"schema":{"$ref":"#/components/schemas/ChangeTime"},"description":"The time of change that the note s\#
        hows after the undo."},{"name":"preview","required":false,"schema":{"type":"boolean","default":false,"examples":[true]},"des\#
        cription":"Returns the result and writes nothing. Needs \"preview\" in capabilities."}],"result":{"name":"outcome","schema":\#
        {"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/i\#
        nvalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/compo\#
        nents/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/c\#
        omponents/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denie\#
        d"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_n\#
        ot_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/er\#
        rors/base_required"},{"$ref":"#/components/errors/note_too_large"}],"x-exactly-one":["revisions","ops"]},{"name":"note.purge\#
        ","summary":"Erases everything that the note does not show any more. Needs admin, and \"purge\" in capabilities.","paramStru\#
        cture":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","req\#
        uired":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The current version. Without it: base_required."\#
        ,"x-missing":"base_required"},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"\#
        purge","schema":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/components/sch\#
        emas/Version"},"beyond":{"type":"array","items":{"type":"object","properties":{"place":{"type":"string","enum":["backup","co\#
        pies","exports","drafts"]},"path":{"type":"string","description":"The absolute path of a backup; otherwise absent."}},"requi\#
        red":["place"]},"description":"The places that may have the erased text and that the daemon does not reach."},"replayed":{"t\#
        ype":"boolean","description":"true if an earlier request with the same op did this."}},"required":["dot","version","beyond"]\#
        }},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components\#
        /errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/com\#
        ponents/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$re\#
        f":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/stora\#
        ge_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/error\#
        s/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{"$ref":"#/compon\#
        ents/errors/cannot_purge"}]},{"name":"note.history","summary":"Lists the revisions of a note, newest first.","paramStructure\#
        ":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"limit","require\#
        d":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"before","required":f\#
        alse,"schema":{"$ref":"#/components/schemas/Dot"},"description":"The next of the previous page."}],"result":{"name":"page","\#
        schema":{"type":"object","properties":{"revisions":{"type":"array","items":{"$ref":"#/components/schemas/Revision"}},"next":\#
        {"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"null"}]}},"required":["revisions","next"]}},"errors":[{"$ref":"#/comp\#
        onents/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$\#
        ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_require\#
        d"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/stor\#
        age_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"}]},{"name":"notes\#
        .watch","summary":"Sends a notification for each change to the notes that match a filter, from now on or from a cursor.","pa\#
        ramStructure":"by-name","params":[{"name":"filter","required":false,"schema":{"$ref":"#/components/schemas/Filter"}},{"name"\#
        :"include","required":false,"schema":{"type":"string","enum":["meta","text","edits"],"default":"meta","examples":["text"]}},\#
        {"name":"since","required":false,"schema":{"$ref":"#/components/schemas/Cursor"}},{"name":"snapshot","required":false,"schem\#
        a":{"type":"boolean","default":true,"examples":[false]}},{"name":"echo","required":false,"schema":{"type":"boolean","default\#
        ":true,"examples":[false]}}],"result":{"name":"watch","schema":{"type":"object","properties":{"watch":{"type":"integer","min\#
        imum":0},"cursor":{"$ref":"#/components/schemas/Cursor"},"reset":{"type":"boolean"}},"required":["watch","cursor","reset"]}}\#
        ,"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/e\#
        rrors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/compo\#
        nents/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref"\#
        :"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"notes.unwatch","summary":\#
        "Ends a watch.","paramStructure":"by-name","params":[{"name":"watch","required":true,"schema":{"type":"integer","minimum":1,\#
        "examples":[1]}}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/\#
        components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"}\#
        ,{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_req\#
        uired"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"presence.set","sum\#
        mary":"Publishes which note the user has open on this connection. A client may send it without id; it then gets no response.\#
        ","paramStructure":"by-name","params":[{"name":"note","required":true,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteI\#
        d"},{"type":"null"}],"examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"description":"null publishes that no note is open\#
        , and excludes version and selection."},{"name":"version","required":false,"schema":{"$ref":"#/components/schemas/Version"},\#
        "description":"The version that the user sees."},{"name":"selection","required":false,"schema":{"oneOf":[{"$ref":"#/componen\#
        ts/schemas/Selection"},{"type":"null"}],"examples":[{"start":0,"end":0}]},"description":"Offsets in the text of version. nul\#
        l means no selection.","x-needs":"version"}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required"\#
        :[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/compone\#
        nts/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/\#
        components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"\#
        $ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revisio\#
        n_gone"},{"$ref":"#/components/errors/storage_failed"}]},{"name":"dependents.list","summary":"Lists the connected clients.",\#
        "paramStructure":"by-name","params":[],"result":{"name":"dependents","schema":{"type":"object","properties":{"dependents":{"\#
        type":"array","items":{"$ref":"#/components/schemas/Dependent"}}},"required":["dependents"]}},"errors":[{"$ref":"#/component\#
        s/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":\#
        "#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{\#
        "$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"daemon.status","summary":"R\#
        eturns the daemon's version, counts, sizes and state.","paramStructure":"by-name","params":[],"result":{"name":"status","sch\#
        ema":{"type":"object","properties":{"version":{"type":"string"},"store":{"$ref":"#/components/schemas/ReplicaId"},"replica":\#
        {"$ref":"#/components/schemas/ReplicaId"},"startedAt":{"$ref":"#/components/schemas/Time"},"notes":{"type":"integer","minimu\#
        m":0},"tombstones":{"type":"integer","minimum":0},"revisions":{"type":"integer","minimum":0},"conflicted":{"type":"integer",\#
        "minimum":0,"description":"Notes with open conflicts."},"dependents":{"type":"integer","minimum":0},"commits":{"type":"integ\#
        er","minimum":0},"lastCommitAt":{"oneOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"storeBytes":{"type":"integ\#
        er","minimum":0},"walBytes":{"type":"integer","minimum":0},"state":{"type":"string","enum":["ok","full","read_only"],"descri\#
        ption":"full: no room is left; reads still work."},"scrubbed":{"type":"boolean","description":"false while the log or the se\#
        arch index may still contain text that a purge erased; otherwise absent."}},"required":["version","store","replica","started\#
        At","notes","tombstones","revisions","conflicted","dependents","commits","lastCommitAt","storeBytes","walBytes","state"]}},"\#
        errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/err\#
        ors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/compone\#
        nts/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"\#
        #/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.audit","summary":"Re\#
        reads the whole store and compares it with the notes that the daemon serves. May take a while and send progress. The daemon \#
        reports a damaged store and keeps running.","paramStructure":"by-name","params":[],"result":{"name":"audit","schema":{"type"\#
        :"object","properties":{"ok":{"type":"boolean","description":"Whether there are no findings."},"notes":{"type":"integer","mi\#
        nimum":0},"revisions":{"type":"integer","minimum":0},"findings":{"type":"array","items":{"$ref":"#/components/schemas/Findin\#
        g"}},"waiting":{"type":"array","items":{"$ref":"#/components/schemas/Waiting"},"description":"Revisions that arrived before \#
        their parents, by note. Not a fault."},"compacted":{"type":"integer","minimum":0,"description":"The number of revisions whos\#
        e texts compaction removed."}},"required":["ok","notes","revisions","findings"]}},"errors":[{"$ref":"#/components/errors/par\#
        se_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/component\#
        s/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/co\#
        mponents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$r\#
        ef":"#/components/errors/permission_denied"}]},{"name":"daemon.config","summary":"Returns the settings in effect and the sou\#
        rce of each. Needs admin, and \"config\" in capabilities.","paramStructure":"by-name","params":[],"result":{"name":"config",\#
        "schema":{"type":"object","properties":{"settings":{"type":"array","items":{"$ref":"#/components/schemas/Setting"}}},"requir\#
        ed":["settings"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$re\#
        f":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"\#
        },{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutt\#
        ing_down"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.backup","summary":"Copies the store into a fil\#
        e while the daemon serves others. The file contains everything that the daemon answered before the request; when the respons\#
        e arrives, it is whole and on disk. May take a while and send progress, in bytes.","paramStructure":"by-name","params":[{"na\#
        me":"path","required":false,"schema":{"type":"string","examples":["/mnt/usb/notes.db"]},"description":"An absolute path on t\#
        he daemon's machine where no file exists; or a directory there, in which the daemon names the file after the time; or a file\#
         name without a slash, in the directory backups of the store. Without it, the daemon names a file there after the time. Only\#
         the daemon's user and root may send more than a file name; others get 6001."}],"result":{"name":"backup","schema":{"type":"\#
        object","properties":{"path":{"type":"string","description":"The absolute path of the file."},"bytes":{"type":"integer","min\#
        imum":0}},"required":["path","bytes"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/in\#
        valid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/compon\#
        ents/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/co\#
        mponents/errors/shutting_down"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/storage_failed"},{"\#
        $ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.metrics","summary"\#
        :"Returns the daemon's counters since its start, and the size of its store.","paramStructure":"by-name","params":[],"result"\#
        :{"name":"metrics","schema":{"type":"object","properties":{"text":{"type":"string","description":"A complete OpenMetrics 1.0\#
         text: connections, dependents, requests and their durations, errors by kind, commits, sizes. It contains no name and no tex\#
        t of any note."}},"required":["text"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/in\#
        valid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/compon\#
        ents/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/co\#
        mponents/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied\#
        "}]}],"x-notifications":[{"name":"note.changed","summary":"Reports a changed note. change says what happened to it under the\#
         filter.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0\#
        ,"description":"Rises by exactly 1 from 1 within a watch."},"cursor":{"$ref":"#/components/schemas/Cursor"},"change":{"type"\#
        :"string","enum":["snapshot","left","deleted","created","restored","conflicted","resolved","edited"]},"note":{"oneOf":[{"$re\#
        f":"#/components/schemas/Note"},{"$ref":"#/components/schemas/NoteLeft"}]},"coalesced":{"type":"integer","minimum":2,"descri\#
        ption":"The number of changes that the line covers. Absent if it is 1."},"origin":{"type":"object","properties":{"dependent"\#
        :{"type":"integer","minimum":0},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]}},"required":["depe\#
        ndent","label"],"description":"The connection that made the newest change. Absent if an earlier run of the daemon made it, o\#
        r if it is not among the last 32,768 commits."}},"required":["watch","seq","cursor","change","note"]}},{"name":"watch.synced\#
        ","summary":"The watch has sent its snapshot, or what the client missed.","params":{"type":"object","properties":{"watch":{"\#
        type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required\#
        ":["watch","seq","cursor"]}},{"name":"watch.bookmark","summary":"A watch sends this after every 30 seconds with nothing to s\#
        end.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"c\#
        ursor":{"$ref":"#/components/schemas/Cursor"}},"required":["watch","seq","cursor"]}},{"name":"watch.reset","summary":"The wa\#
        tch dropped lines. What changed since the last delivered cursor follows.","params":{"type":"object","properties":{"watch":{"\#
        type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"reason":{"type":"string"}},"required":["watch","seq","rea\#
        son"]}},{"name":"session.closing","summary":"The last line before the daemon closes the connection.","params":{"type":"objec\#
        t","properties":{"reason":{"type":"string"},"retryAfterMs":{"oneOf":[{"type":"integer","minimum":0},{"type":"null"}]}},"requ\#
        ired":["reason","retryAfterMs"]}},{"name":"progress","summary":"The progress of a long request. The daemon may send it any n\#
        umber of times before the response.","params":{"type":"object","properties":{"id":{"oneOf":[{"type":"integer"},{"type":"stri\#
        ng"}],"description":"The id of the request."},"done":{"type":"integer","minimum":0},"total":{"type":"integer","minimum":0}},\#
        "required":["id","done","total"]}},{"name":"presence.changed","summary":"Reports which note a dependent has open, to each co\#
        nnection with a watch that covers the note.","params":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/No\#
        teId"},"dependent":{"type":"integer","minimum":0},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},\#
        "user":{"$ref":"#/components/schemas/User"},"version":{"oneOf":[{"$ref":"#/components/schemas/Version"},{"type":"null"}],"de\#
        scription":"The version that the user sees there; empty if the dependent sent none; null if the dependent left the note."},"\#
        selection":{"oneOf":[{"$ref":"#/components/schemas/Selection"},{"type":"null"}]}},"required":["note","dependent","label","us\#
        er","version","selection"]}},{"name":"revisions.page","summary":"Carries revisions to a peer, in the order of their commits.\#
        ","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"left"\#
        :{"type":"integer","minimum":0,"description":"The number of revisions that the peer lacked when the watch started and that f\#
        ollow."},"revisions":{"type":"array","items":{"$ref":"#/components/schemas/WireRevision"}},"gone":{"type":"array","items":{"\#
        $ref":"#/components/schemas/Dot"},"description":"Revisions that the store cannot send, because their texts were compacted or\#
         their rows are damaged."}},"required":["watch","seq","left","revisions","gone"]}}],"components":{"schemas":{"NoteId":{"type\#
        ":"string","pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$","description":"A UUID of versio\#
        n 7 in lower case.","examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"Dot":{"type":"string","pattern":"^[0-9a-f]{16}:[1-\#
        9][0-9]*$","description":"The globally unique name of one revision: the replica that made it, and a counter.","examples":["9\#
        f86d081884c7d65:7"]},"Dots":{"type":"string","pattern":"^([0-9a-f]{16}:[1-9][0-9]*(-[1-9][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)\#
        ?)*( [0-9a-f]{16}:[1-9][0-9]*(-[1-9][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)?)*)*)?$","description":"A set of dots: for each repl\#
        ica ranges of counters. Replicas and ranges ascend, and ranges do not touch.","examples":["9f86d081884c7d65:1-7,9"]},"Base64\#
        ":{"type":"string","pattern":"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$","description":"Bytes as in RFC 4\#
        648, with padding.","examples":["Ag=="]},"WireRevision":{"type":"object","properties":{"head":{"$ref":"#/components/schemas/\#
        Base64","description":"The canonical bytes of the revision (docs/causality.md), without those of its replacements, whose cou\#
        nts stay."},"text":{"type":"string","description":"The replacements, joined in order."}},"required":["head","text"],"additio\#
        nalProperties":false},"Version":{"type":"string","pattern":"^([0-9a-f]{16}:[1-9][0-9]*( [0-9a-f]{16}:[1-9][0-9]*)*)?$","desc\#
        ription":"A set of revisions, written as its maximal dots, sorted and joined by single spaces; usually one dot. The empty st\#
        ring is the version in which nothing was seen. A client may send dots in any order and repeat them.","examples":["9f86d08188\#
        4c7d65:7"]},"Cursor":{"type":"string","description":"A place in a store's commit order. Opaque to clients.","examples":["42.\#
        9f86d081884c7d65"]},"ConflictId":{"type":"string","pattern":"^[0-9a-f]{32}$","examples":["0123456789abcdef0123456789abcdef"]\#
        },"ReplicaId":{"type":"string","pattern":"^[0-9a-f]{16}$","examples":["9f86d081884c7d65"]},"Time":{"type":"string","pattern"\#
        :"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"RFC 3339 in UTC, with milliseconds. Fo\#
        r people only.","examples":["2026-11-20T23:29:57.123Z"]},"FileTimes":{"type":"object","properties":{"modified":{"$ref":"#/co\#
        mponents/schemas/Time"},"created":{"$ref":"#/components/schemas/Time"}},"required":["modified"],"additionalProperties":false\#
        ,"examples":[{"modified":"2019-05-04T10:00:00.000Z","created":"2019-05-01T09:00:00.000Z"}],"description":"The times that a f\#
        ile states. For people only."},"ChangeTime":{"type":"object","properties":{"modified":{"$ref":"#/components/schemas/Time"}},\#
        "required":["modified"],"additionalProperties":false,"examples":[{"modified":"2019-05-04T10:00:00.000Z"}]},"NoteName":{"type\#
        ":"string","minLength":1,"description":"A path such as work/inbox: parts of 1 to 255 bytes between single slashes, none of t\#
        hem . or .., no control characters, at most 1,024 bytes in all.","examples":["work/inbox"]},"Op":{"type":"string","minLength\#
        ":1,"description":"A name for this write, of at most 64 bytes, different for each write of the user. The daemon makes a repe\#
        ated write only once.","examples":["7f3a"]},"Label":{"type":"string","description":"At most 1,024 bytes.","examples":["lapto\#
        p/vim"]},"LinkTarget":{"type":"string","description":"At most 3,500 bytes.","examples":["work/inbox"]},"PositionEncoding":{"\#
        type":"string","enum":["utf-8","utf-16","utf-32"],"description":"The unit of offsets: code units of UTF-8 or UTF-16, or Unic\#
        ode scalars."},"Edit":{"type":"object","properties":{"start":{"type":"integer"},"end":{"type":"integer"},"text":{"type":"str\#
        ing"}},"required":["start","end","text"],"description":"Replaces a range of a text. Offsets count in the text before any edi\#
        t of the list, in the session's encoding. Edits are sorted and do not overlap.","examples":[{"start":0,"end":0,"text":"a"}]}\#
        ,"Filter":{"type":"object","properties":{"ids":{"type":"array","items":{"$ref":"#/components/schemas/NoteId"}},"prefix":{"ty\#
        pe":"string"},"tag":{"type":"string"},"conflicted":{"type":"boolean"},"deleted":{"type":"boolean","description":"true: only \#
        tombstones; otherwise none."}},"required":[],"additionalProperties":false,"description":"A note must match all members.","ex\#
        amples":[{"prefix":"work/"}]},"Client":{"type":"object","properties":{"name":{"$ref":"#/components/schemas/Label"},"version"\#
        :{"$ref":"#/components/schemas/Label"}},"required":["name"],"examples":[{"name":"notesctl","version":"0.1.0"}]},"User":{"typ\#
        e":"object","properties":{"uid":{"type":"integer","minimum":0},"name":{"type":"string"}},"required":["uid","name"]},"Author"\#
        :{"type":"object","properties":{"user":{"type":"string"},"label":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":[\#
        "user","label"]},"Limits":{"type":"object","properties":{"maxLineBytes":{"type":"integer","minimum":0,"description":"The len\#
        gth of a line, without its LF."},"maxNoteBytes":{"type":"integer","minimum":0},"maxInFlight":{"type":"integer","minimum":0,"\#
        description":"The number of requests without a response."},"maxDepth":{"type":"integer","minimum":0,"description":"The depth\#
         of nested arrays and objects."},"maxResponseBytes":{"type":"integer","minimum":0,"description":"The size of all unread resp\#
        onses."}},"required":["maxLineBytes","maxNoteBytes","maxInFlight","maxDepth","maxResponseBytes"]},"SearchQuery":{"type":"str\#
        ing","maxLength":4096,"examples":["milk bread"]},"Hit":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/N\#
        ote"},"snippet":{"type":"string","description":"An exact piece of the note's text, around the first match."},"ranges":{"type\#
        ":"array","items":{"type":"object","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}\#
        },"required":["start","end"]},"description":"The matches in the snippet, in the session's encoding, ascending and separate."\#
        }},"required":["note","snippet","ranges"]},"Conflict":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/Conf\#
        lictId"},"kind":{"type":"string","enum":["text","name","deletion"]},"range":{"type":"object","properties":{"start":{"type":"\#
        integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start","end"],"description":"Whole lines of the mer\#
        ged text, in the session's encoding; all of it for a deletion, an empty range at its start for a name."},"base":{"oneOf":[{"\#
        type":"string"},{"type":"null"}],"description":"What all sides started from: the lines, the name or null, or null for a dele\#
        tion."},"sides":{"type":"array","items":{"$ref":"#/components/schemas/Side"}}},"required":["id","kind","range"],"description\#
        ":"A mark where concurrent writes touch. base and sides are present where the note has text or edits, and in outcomes."},"Si\#
        de":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"withdrawn":{"type":"boolean","description":"tr\#
        ue: the revision is withdrawn, and text is what its parents show; otherwise absent."},"author":{"$ref":"#/components/schemas\#
        /Author"},"modified":{"$ref":"#/components/schemas/Time"},"text":{"type":"string","description":"The text of this side in pl\#
        ace of the range; its whole text if another side deleted the note."},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName\#
        "},{"type":"null"}]},"deleted":{"type":"boolean","description":"true: this side deleted the note."}},"required":["dot","auth\#
        or","modified"],"description":"One side of a conflict, at its newest revision, or a withdrawn revision. It has one of text, \#
        name and deleted."},"Note":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId"},"name":{"oneOf":[{"$re\#
        f":"#/components/schemas/NoteName"},{"type":"null"}]},"version":{"$ref":"#/components/schemas/Version"},"siblings":{"type":"\#
        array","items":{"$ref":"#/components/schemas/Dot"}},"vector":{"type":"object","additionalProperties":{"type":"integer"}},"co\#
        nflicts":{"type":"array","items":{"$ref":"#/components/schemas/Conflict"}},"title":{"type":"string"},"tags":{"type":"array",\#
        "items":{"type":"string"}},"created":{"$ref":"#/components/schemas/Time"},"modified":{"$ref":"#/components/schemas/Time"},"a\#
        uthor":{"$ref":"#/components/schemas/Author"},"bytes":{"type":"integer","minimum":0},"deleted":{"type":"boolean"},"text":{"t\#
        ype":"string"},"base":{"$ref":"#/components/schemas/Version"},"edits":{"type":"array","items":{"$ref":"#/components/schemas/\#
        Edit"}}},"required":["id","name","version","conflicts","title","tags","created","modified","author","bytes","deleted"],"desc\#
        ription":"siblings and vector are present only in note.get; text or edits where the client asked for them; base with edits i\#
        n watch lines."},"NoteLeft":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId"},"version":{"$ref":"#/\#
        components/schemas/Version"}},"required":["id","version"],"description":"A note that no longer matches the filter."},"Merged\#
        Text":{"type":"object","properties":{"version":{"$ref":"#/components/schemas/Version"},"edits":{"type":"array","items":{"$re\#
        f":"#/components/schemas/Edit"}},"conflicts":{"type":"array","items":{"$ref":"#/components/schemas/Conflict"}},"text":{"type\#
        ":"string"},"deleted":{"type":"boolean","description":"true if the note is deleted; otherwise absent."}},"required":["versio\#
        n","conflicts"],"description":"The state that the daemon shows, if its version is not that of the outcome, and always after \#
        note.undo. edits turn the text sent, or after note.undo the text of base, into the merged text; version is the base to use o\#
        nce the client shows the merged text."},"Outcome":{"type":"object","properties":{"outcome":{"type":"string","enum":["saved",\#
        "merged","conflicted","unchanged"]},"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/components/schemas/Versio\#
        n"},"note":{"$ref":"#/components/schemas/MergedText"},"replayed":{"type":"boolean"}},"required":["outcome","version"],"descr\#
        iption":"dot is absent if the outcome is unchanged. replayed is present if the client sent the op before."},"Revision":{"typ\#
        e":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"parents":{"type":"array","items":{"$ref":"#/components/\#
        schemas/Dot"}},"version":{"$ref":"#/components/schemas/Version"},"author":{"$ref":"#/components/schemas/Author"},"modified":\#
        {"$ref":"#/components/schemas/Time"},"bytes":{"type":"integer","minimum":0},"deleted":{"type":"boolean"},"name":{"oneOf":[{"\#
        $ref":"#/components/schemas/NoteName"},{"type":"null"}]},"kind":{"type":"string","enum":["saved","edited","undo","purge"]},"\#
        compacted":{"type":"boolean","description":"true if compaction removed the text; otherwise absent."},"withdraws":{"type":"ar\#
        ray","items":{"$ref":"#/components/schemas/Dot"},"description":"The revisions that an undo withdraws; otherwise absent."},"w\#
        ithdrawn":{"type":"boolean","description":"true if the revision is withdrawn in the newest version; otherwise absent."},"res\#
        olves":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"description":"The conflicts that the write named \#
        as resolved; otherwise absent."},"times":{"$ref":"#/components/schemas/FileTimes"}},"required":["dot","parents","version","a\#
        uthor","modified","bytes","deleted","name","kind"]},"Setting":{"type":"object","properties":{"key":{"type":"string","example\#
        s":["limits.depth_max"]},"value":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"As in the configuration file; n\#
        ull if the setting is unset and the daemon chooses."},"source":{"type":"string","description":"A file, \"environment NAME\",\#
         \"option NAME\", \"service manager\" or \"default\"."},"reloadable":{"type":"boolean","description":"Whether a running daem\#
        on can apply a change."},"pending":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"The value that the next start\#
         will use, if it differs."}},"required":["key","value","source","reloadable","pending"]},"Finding":{"type":"object","propert\#
        ies":{"note":{"oneOf":[{"$ref":"#/components/schemas/NoteId"},{"type":"null"}]},"dot":{"oneOf":[{"$ref":"#/components/schema\#
        s/Dot"},{"type":"null"}]},"message":{"type":"string","description":"A sentence for people."},"affects":{"type":"string","enu\#
        m":["texts","derived"],"description":"derived: only data that the daemon derives from revisions, such as names, conflicts an\#
        d the search index; texts are not affected. Anything else, or absent: texts may be affected."}},"required":["note","dot","me\#
        ssage"],"description":"Something that an audit found. note and dot are null where it concerns none."},"Waiting":{"type":"obj\#
        ect","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"revisions":{"type":"integer","minimum":0,"description":"Th\#
        e number of waiting revisions."},"parents":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"description":"The mi\#
        ssing parents, at most 100 of them."}},"required":["note","revisions","parents"],"description":"Revisions of one note from o\#
        ther replicas that wait for their parents."},"Selection":{"type":"object","properties":{"start":{"type":"integer","minimum":\#
        0},"end":{"type":"integer","minimum":0}},"required":["start","end"],"description":"Offsets in the session's encoding. A text\#
         cursor starts where it ends."},"Presence":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"ver\#
        sion":{"$ref":"#/components/schemas/Version"},"selection":{"oneOf":[{"$ref":"#/components/schemas/Selection"},{"type":"null"\#
        }]}},"required":["note","version","selection"]},"Dependent":{"type":"object","properties":{"dependent":{"type":"integer","mi\#
        nimum":0},"client":{"$ref":"#/components/schemas/Client"},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"n\#
        ull"}]},"user":{"$ref":"#/components/schemas/User"},"watches":{"type":"integer","minimum":0,"description":"The number of its\#
         watches."},"state":{"type":"string","enum":["synced","lagging","reset"],"description":"synced: everything was sent. lagging\#
        : something is pending. reset: the daemon dropped lines and has not replaced them yet."},"outboxBytes":{"type":"integer","mi\#
        nimum":0,"description":"The size of everything that is pending."},"presence":{"oneOf":[{"$ref":"#/components/schemas/Presenc\#
        e"},{"type":"null"}],"description":"The note that the user has open on this connection."}},"required":["dependent","client",\#
        "label","user","watches","state","outboxBytes","presence"]}},"errors":{"parse_error":{"code":-32700,"message":"The line is n\#
        ot valid JSON for this protocol.","data":{"kind":"parse_error","retryable":false,"details":["offset"]}},"invalid_request":{"\#
        code":-32600,"message":"The line is not a JSON-RPC request, or not allowed at this point.","data":{"kind":"invalid_request",\#
        "retryable":false,"details":["path"]}},"method_not_found":{"code":-32601,"message":"There is no such method.","data":{"kind"\#
        :"method_not_found","retryable":false,"details":[]}},"invalid_params":{"code":-32602,"message":"A param is missing, unknown,\#
         or of the wrong type or form.","data":{"kind":"invalid_params","retryable":false,"details":["path","offset"]}},"internal":{\#
        "code":-32603,"message":"The daemon failed because of a bug.","data":{"kind":"internal","retryable":false,"details":[]}},"he\#
        llo_required":{"code":1001,"message":"Send session.hello first.","data":{"kind":"hello_required","retryable":false,"details"\#
        :[]}},"unsupported_protocol":{"code":1002,"message":"The client and the daemon have no protocol version in common.","data":{\#
        "kind":"unsupported_protocol","retryable":false,"details":["supported"]}},"note_not_found":{"code":2001,"message":"There is \#
        no such note.","data":{"kind":"note_not_found","retryable":false,"details":[]}},"note_exists":{"code":2002,"message":"The id\#
         or the name is taken.","data":{"kind":"note_exists","retryable":false,"details":["id"]}},"unknown_base":{"code":2003,"messa\#
        ge":"The base names a revision that is unknown or not this note's.","data":{"kind":"unknown_base","retryable":false,"details\#
        ":["known"]}},"revision_gone":{"code":2004,"message":"Compaction or a purge removed the text of that version.","data":{"kind\#
        ":"revision_gone","retryable":false,"details":["version"]}},"base_required":{"code":2005,"message":"A write to an existing n\#
        ote needs a base.","data":{"kind":"base_required","retryable":false,"details":["version"]}},"invalid_edit":{"code":2006,"mes\#
        sage":"An edit does not fit the text of the base.","data":{"kind":"invalid_edit","retryable":false,"details":["index"]}},"in\#
        valid_name":{"code":2007,"message":"This is not a valid name for a note.","data":{"kind":"invalid_name","retryable":false,"d\#
        etails":[]}},"cannot_purge":{"code":2008,"message":"The note cannot be purged as it is.","data":{"kind":"cannot_purge","retr\#
        yable":false,"details":["version"]}},"storage_full":{"code":3001,"message":"The disk is full.","data":{"kind":"storage_full"\#
        ,"retryable":true,"details":[]}},"storage_failed":{"code":3002,"message":"The store failed to read or write.","data":{"kind"\#
        :"storage_failed","retryable":true,"details":[]}},"read_only":{"code":3003,"message":"The store is read-only.","data":{"kind\#
        ":"read_only","retryable":false,"details":[]}},"line_too_long":{"code":4001,"message":"The line is too long; the daemon skip\#
        ped it. The third such line closes the connection.","data":{"kind":"line_too_long","retryable":false,"details":["limit"]}},"\#
        note_too_large":{"code":4002,"message":"The note would be too large.","data":{"kind":"note_too_large","retryable":false,"det\#
        ails":["bytes","limit"]}},"overloaded":{"code":4003,"message":"The daemon is overloaded.","data":{"kind":"overloaded","retry\#
        able":"true, except if the connection has too many watches","details":[]}},"permission_denied":{"code":6001,"message":"The u\#
        ser does not have the access that this needs.","data":{"kind":"permission_denied","retryable":false,"details":[]}},"shutting\#
        _down":{"code":7001,"message":"The daemon is stopping.","data":{"kind":"shutting_down","retryable":true,"details":[]}}}}}
        """#
}
