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
        onents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"session.ping","summary":"Returns an empty\#
         object. Allowed before hello.","paramStructure":"by-name","params":[],"result":{"name":"nothing","schema":{"type":"object",\#
        "properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_re\#
        quest"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/err\#
        ors/internal"}]},{"name":"rpc.discover","summary":"Returns this document. Allowed before hello.","paramStructure":"by-name",\#
        "params":[],"result":{"name":"document","schema":{"type":"object"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$\#
        ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_\#
        too_long"},{"$ref":"#/components/errors/internal"}]},{"name":"note.create","summary":"Creates a note.","paramStructure":"by-\#
        name","params":[{"name":"text","required":true,"schema":{"type":"string","examples":["Hello\n"]}},{"name":"name","required":\#
        false,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}],"examples":["work/inbox"]}},{"name":"id",\#
        "required":false,"schema":{"$ref":"#/components/schemas/NoteId"},"description":"The client may choose it, so that a retry ca\#
        nnot create a second note."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}},{"name":"times","req\#
        uired":false,"schema":{"$ref":"#/components/schemas/FileTimes"}}],"result":{"name":"created","schema":{"type":"object","prop\#
        erties":{"note":{"$ref":"#/components/schemas/Note"},"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/componen\#
        ts/schemas/Version"},"replayed":{"type":"boolean"}},"required":["note"]}},"errors":[{"$ref":"#/components/errors/parse_error\#
        "},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors\#
        /line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components\#
        /errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/c\#
        omponents/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"\#
        $ref":"#/components/errors/note_too_large"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/note_e\#
        xists"},{"$ref":"#/components/errors/invalid_name"}]},{"name":"note.get","summary":"Returns a note, now or at a version, who\#
        le or as edits from a version.","paramStructure":"by-name","params":[{"name":"id","required":false,"schema":{"$ref":"#/compo\#
        nents/schemas/NoteId"}},{"name":"name","required":false,"schema":{"$ref":"#/components/schemas/NoteName"}},{"name":"at","req\#
        uired":false,"schema":{"$ref":"#/components/schemas/Version"}},{"name":"from","required":false,"schema":{"$ref":"#/component\#
        s/schemas/Version"}}],"result":{"name":"shown","schema":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/\#
        Note"}},"required":["note"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_requ\#
        est"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/error\#
        s/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/e\#
        rrors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref"\#
        :"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gon\#
        e"}],"x-exactly-one":["id","name"]},{"name":"note.list","summary":"Lists notes, sorted by name (bytes, null last) and id, or\#
         by newest commit.","paramStructure":"by-name","params":[{"name":"filter","required":false,"schema":{"$ref":"#/components/sc\#
        hemas/Filter"}},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"exampl\#
        es":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["01890a5d-ac96-774b-bcce-b302099a8057/work\#
        /inbox"]},"description":"The next of the previous page in the same order."},{"name":"order","required":false,"schema":{"type\#
        ":"string","enum":["name","newest"],"default":"name","examples":["newest"]}}],"result":{"name":"page","schema":{"type":"obje\#
        ct","properties":{"notes":{"type":"array","items":{"$ref":"#/components/schemas/Note"}},"next":{"oneOf":[{"type":"string"},{\#
        "type":"null"}]}},"required":["notes","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/e\#
        rrors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"\#
        #/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$re\#
        f":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permissio\#
        n_denied"}]},{"name":"tags.list","summary":"Lists the tags of living notes, sorted by bytes, with the number of notes that h\#
        ave each.","paramStructure":"by-name","params":[{"name":"prefix","required":false,"schema":{"type":"string","default":"","ex\#
        amples":["project/"]},"description":"What each tag begins with."},{"name":"limit","required":false,"schema":{"type":"integer\#
        ","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","exa\#
        mples":["project/notesd"]},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object\#
        ","properties":{"tags":{"type":"array","items":{"type":"object","properties":{"tag":{"type":"string"},"notes":{"type":"integ\#
        er","minimum":1}},"required":["tag","notes"]}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["tags","nex\#
        t"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/compone\#
        nts/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/\#
        components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"\#
        $ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"revisions.list","sum\#
        mary":"Lists the revisions of all notes in the order of commits, newest first. Needs \"revisions\" in capabilities.","paramS\#
        tructure":"by-name","params":[{"name":"author","required":false,"schema":{"$ref":"#/components/schemas/Label"},"description"\#
        :"The name of a user, a label, or the first parts of a label up to a slash."},{"name":"since","required":false,"schema":{"$r\#
        ef":"#/components/schemas/Time"},"description":"Lists no writes that were made before this time."},{"name":"limit","required\#
        ":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","required":fal\#
        se,"schema":{"type":"string","examples":["4711"]},"description":"The next of the previous page."}],"result":{"name":"page","\#
        schema":{"type":"object","properties":{"revisions":{"type":"array","items":{"type":"object","properties":{"note":{"$ref":"#/\#
        components/schemas/NoteId"},"revision":{"$ref":"#/components/schemas/Revision"}},"required":["note","revision"]}},"next":{"o\#
        neOf":[{"type":"string"},{"type":"null"}]}},"required":["revisions","next"]}},"errors":[{"$ref":"#/components/errors/parse_e\#
        rror"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/er\#
        rors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/compon\#
        ents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":\#
        "#/components/errors/permission_denied"}]},{"name":"revisions.known","summary":"Returns the revisions of the store, as dots.\#
         Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[],"result":{"name":"known","schema":{"type":"o\#
        bject","properties":{"known":{"$ref":"#/components/schemas/Dots"},"quarantined":{"$ref":"#/components/schemas/Dots"},"waitin\#
        g":{"type":"integer","minimum":0},"forms":{"type":"array","items":{"type":"integer","minimum":1}},"view":{"type":"integer","\#
        minimum":0}},"required":["known","quarantined","waiting","forms","view"]}},"errors":[{"$ref":"#/components/errors/parse_erro\#
        r"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/error\#
        s/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/component\#
        s/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/\#
        components/errors/permission_denied"}]},{"name":"revisions.watch","summary":"Sends the revisions that a peer lacks in revisi\#
        ons.page notifications, and then each revision as it is committed. Needs \"replication\" in capabilities.","paramStructure":\#
        "by-name","params":[{"name":"peer","required":true,"schema":{"type":"object","properties":{"store":{"$ref":"#/components/sch\#
        emas/ReplicaId"},"replica":{"$ref":"#/components/schemas/ReplicaId"}},"required":["store","replica"],"additionalProperties":\#
        false,"examples":[{"store":"aaaaaaaaaaaaaaaa","replica":"bbbbbbbbbbbbbbbb"}]},"description":"The store that receives the rev\#
        isions."},{"name":"known","required":true,"schema":{"$ref":"#/components/schemas/Dots"},"description":"The revisions that it\#
         holds."},{"name":"refuses","required":false,"schema":{"$ref":"#/components/schemas/Dots"},"description":"The revisions that\#
         it did not accept."}],"result":{"name":"watch","schema":{"type":"object","properties":{"watch":{"type":"integer","minimum":\#
        0},"lacks":{"type":"integer","minimum":0}},"required":["watch","lacks"]}},"errors":[{"$ref":"#/components/errors/parse_error\#
        "},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors\#
        /line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components\#
        /errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/c\#
        omponents/errors/permission_denied"}]},{"name":"revisions.proceed","summary":"States that the peer holds the pages up to a n\#
        umber. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[{"name":"watch","required":true,"schema"\#
        :{"type":"integer","minimum":0,"examples":[1]}},{"name":"seq","required":true,"schema":{"type":"integer","minimum":0,"exampl\#
        es":[1]},"description":"The number of the last page."},{"name":"lacking","required":false,"schema":{"type":"array","items":{\#
        "$ref":"#/components/schemas/Dot"},"examples":[[]]},"description":"The revisions of these pages that the peer does not hold.\#
        "}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/err\#
        ors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/co\#
        mponents/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref\#
        ":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/permission_den\#
        ied"}]},{"name":"revisions.adopt","summary":"Takes in revisions of a peer. Needs \"replication\" in capabilities.","paramStr\#
        ucture":"by-name","params":[{"name":"revisions","required":true,"schema":{"type":"array","maxItems":256,"items":{"$ref":"#/c\#
        omponents/schemas/WireRevision"},"examples":[[{"head":"Ag==","text":""}]]},"description":"At most 256 revisions and 16 begin\#
        nings of 1 MiB together, or one of them."},{"name":"beginnings","required":false,"schema":{"type":"array","maxItems":16,"ite\#
        ms":{"$ref":"#/components/schemas/NoteBeginning"},"examples":[[{"revision":{"head":"AghBfur8CHHkpm+EIsoA33oP6nhcgavM8AMBD+p4\#
        XIGrzPACAAAAAAAAAABcCHNob3BwaW5nAAABAARyb290CG5vdGVzY3Rsovnh+8JoAA==","text":""},"below":"0fea785c81abccf0:1-2","text":"Milk\#
        \\nBread\\n","name":"shopping","deleted":false,"last_line":"shown","created":"2026-11-26T12:02:22.368Z"}]]},"description":"T\#
        he beginnings of notes, which are taken in before the revisions."}],"result":{"name":"adopted","schema":{"type":"object","pr\#
        operties":{"committed":{"type":"integer","minimum":0},"known":{"type":"integer","minimum":0},"waiting":{"type":"array","item\#
        s":{"$ref":"#/components/schemas/Dot"}},"quarantined":{"type":"array","items":{"type":"object","properties":{"dot":{"$ref":"\#
        #/components/schemas/Dot"},"reason":{"type":"string"}},"required":["dot","reason"]}},"refused":{"type":"array","items":{"$re\#
        f":"#/components/schemas/Dot"}},"unreadable":{"type":"array","items":{"type":"integer","minimum":0}},"not_begun":{"type":"ar\#
        ray","items":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"reason":{"type":"string"}},"required"\#
        :["dot","reason"]},"description":"The beginnings of notes that were not accepted; absent if there are none."}},"required":["\#
        committed","known","waiting","quarantined","refused","unreadable"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"\#
        $ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line\#
        _too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/erro\#
        rs/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/compon\#
        ents/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"}]},{"nam\#
        e":"peers.list","summary":"Lists the stores that exchange revisions with this one. Needs \"replication\" in capabilities.","\#
        paramStructure":"by-name","params":[],"result":{"name":"peers","schema":{"type":"object","properties":{"peers":{"type":"arra\#
        y","items":{"type":"object","properties":{"store":{"$ref":"#/components/schemas/ReplicaId"},"connected":{"type":"boolean"},"\#
        lacks":{"type":"integer","minimum":0}},"required":["store","connected","lacks"]}}},"required":["peers"]}},"errors":[{"$ref":\#
        "#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_param\#
        s"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_\#
        required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/erro\#
        rs/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"peers.forget","summary":"Removes the record \#
        of what a peer holds. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[{"name":"store","required\#
        ":true,"schema":{"$ref":"#/components/schemas/ReplicaId"},"description":"The id of the peer's store."}],"result":{"name":"no\#
        thing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref\#
        ":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too\#
        _long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/o\#
        verloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components\#
        /errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"}]},{"name":"\#
        revisions.held","summary":"Lists the revisions of other stores that are no part of their notes: those that were not accepted\#
        , then those that wait for their parents. Needs \"replication\" in capabilities.","paramStructure":"by-name","params":[{"nam\#
        e":"dot","required":false,"schema":{"$ref":"#/components/schemas/Dot"},"description":"Lists only the revisions with this dot\#
        , with their whole texts."},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default"\#
        :100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["quarantined/12"]},"descriptio\#
        n":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"revisions":{"type":"a\#
        rray","items":{"$ref":"#/components/schemas/HeldRevision"}},"quarantined":{"type":"integer","minimum":0,"description":"The n\#
        umber of all revisions that were not accepted."},"waiting":{"type":"integer","minimum":0,"description":"The number of all re\#
        visions that wait for their parents."},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["revisions","quaran\#
        tined","waiting","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request\#
        "},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/i\#
        nternal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/erro\#
        rs/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":\#
        "revisions.drop","summary":"Removes revisions that are no part of their notes. A peer that offers one again brings it back. \#
        Needs admin, and \"replication\" in capabilities.","paramStructure":"by-name","params":[{"name":"dots","required":true,"sche\#
        ma":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"minItems":1,"maxItems":1000,"examples":[["9f86d081884c7d65:\#
        7"]]},"description":"The dots of revisions that wait for their parents or were not accepted, between 1 and 1,000. Dots of ot\#
        her revisions have no effect."}],"result":{"name":"dropped","schema":{"type":"object","properties":{"dropped":{"type":"integ\#
        er","minimum":0,"description":"The number of removed revisions; several may have one dot."}},"required":["dropped"]}},"error\#
        s":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/i\#
        nvalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/e\#
        rrors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/com\#
        ponents/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"}\#
        ,{"$ref":"#/components/errors/read_only"}]},{"name":"links.to","summary":"Lists the links that mean a note, from the newest \#
        linking note to the oldest.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/component\#
        s/schemas/NoteId"}},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"ex\#
        amples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["01890a5d-ac96-774b-bcce-b302099a8057/\#
        0"]},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"links\#
        ":{"type":"array","items":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"},"version":{"$ref":"#/co\#
        mponents/schemas/Version"},"range":{"type":"object","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"inte\#
        ger","minimum":0}},"required":["start","end"]},"kind":{"type":"string","enum":["wiki","embed","path","id"]},"target":{"type"\#
        :"string"},"fragment":{"oneOf":[{"type":"string"},{"type":"null"}]},"snippet":{"type":"string"}},"required":["note","version\#
        ","range","kind","target","fragment","snippet"]}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["links",\#
        "next"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/com\#
        ponents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref"\#
        :"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"\#
        },{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/per\#
        mission_denied"},{"$ref":"#/components/errors/note_not_found"}]},{"name":"links.missing","summary":"Lists the targets of lin\#
        ks that mean nothing, sorted by bytes.","paramStructure":"by-name","params":[{"name":"limit","required":false,"schema":{"typ\#
        e":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"s\#
        tring","examples":["01890a5d-ac96-774b-bcce-b302099a8057/0/wiki/nowhere"]},"description":"The next of the previous page."}],\#
        "result":{"name":"page","schema":{"type":"object","properties":{"targets":{"type":"array","items":{"type":"object","properti\#
        es":{"kind":{"type":"string","enum":["wiki","embed","path","id"]},"target":{"type":"string"},"links":{"type":"integer","mini\#
        mum":1},"notes":{"type":"array","items":{"$ref":"#/components/schemas/NoteId"}}},"required":["kind","target","links","notes"\#
        ]}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["targets","next"]}},"errors":[{"$ref":"#/components/er\#
        rors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/c\#
        omponents/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$re\#
        f":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_faile\#
        d"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"links.resolve","\#
        summary":"Lists the notes that link targets can mean, the meaning first.","paramStructure":"by-name","params":[{"name":"targ\#
        ets","required":true,"schema":{"type":"array","minItems":1,"maxItems":100,"items":{"type":"object","properties":{"kind":{"ty\#
        pe":"string","enum":["wiki","embed","path","id"],"examples":["wiki"]},"target":{"$ref":"#/components/schemas/LinkTarget"}},"\#
        required":["kind","target"],"additionalProperties":false},"examples":[[{"kind":"wiki","target":"inbox"}]]}},{"name":"from","\#
        required":false,"schema":{"$ref":"#/components/schemas/NoteId"},"description":"The linking note. Without it, the linking not\#
        e counts as one at the root."}],"result":{"name":"meanings","schema":{"type":"object","properties":{"found":{"type":"array",\#
        "description":"The answers in the order of the targets: at least one, and fewer than targets if these can mean very many not\#
        es.","items":{"type":"object","properties":{"notes":{"type":"array","items":{"$ref":"#/components/schemas/Note"}},"more":{"t\#
        ype":"integer","minimum":0}},"required":["notes","more"]}}},"required":["found"]}},"errors":[{"$ref":"#/components/errors/pa\#
        rse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/componen\#
        ts/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/c\#
        omponents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$\#
        ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_\#
        not_found"}]},{"name":"note.search","summary":"Searches notes by their contents, best first.","paramStructure":"by-name","pa\#
        rams":[{"name":"query","required":true,"schema":{"$ref":"#/components/schemas/SearchQuery"},"description":"Words that a note\#
         must all contain; docs/protocol.md describes the whole syntax."},{"name":"limit","required":false,"schema":{"type":"integer\#
        ","minimum":1,"maximum":100,"default":20,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examp\#
        les":["3fe5555555555555.0000000000000421"]},"description":"The next of the previous page."}],"result":{"name":"page","schema\#
        ":{"type":"object","properties":{"hits":{"type":"array","items":{"$ref":"#/components/schemas/Hit"}},"next":{"oneOf":[{"type\#
        ":"string"},{"type":"null"}]},"truncated":{"type":"boolean","description":"Whether more than 10,000 notes matched. The daemo\#
        n finds only the newest 10,000 of them."}},"required":["hits","next","truncated"]}},"errors":[{"$ref":"#/components/errors/p\#
        arse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/compone\#
        nts/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/\#
        components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"\#
        $ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"note.save","summary":"\#
        Writes a whole text, a name, or both, on a base.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema"\#
        :{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"de\#
        scription":"The version whose text the client was showing. Without it: base_required.","x-missing":"base_required"},{"name":\#
        "text","required":false,"schema":{"type":"string","examples":["Hello\n"]}},{"name":"name","required":false,"schema":{"oneOf"\#
        :[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}],"examples":["work/done"]},"description":"null clears the name."}\#
        ,{"name":"resolves","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"examples":\#
        [["0123456789abcdef0123456789abcdef"]]},"description":"Ids of conflicts that are open at the base."},{"name":"op","required"\#
        :false,"schema":{"$ref":"#/components/schemas/Op"}},{"name":"times","required":false,"schema":{"$ref":"#/components/schemas/\#
        ChangeTime"}}],"result":{"name":"outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/\#
        errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#\#
        /components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$\#
        ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_fai\#
        led"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/err\#
        ors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/compo\#
        nents/errors/note_exists"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":\#
        "#/components/errors/base_required"},{"$ref":"#/components/errors/invalid_name"}],"x-at-least-one":["text","name","resolves"\#
        ]},{"name":"note.edit","summary":"Writes edits to the text of a base.","paramStructure":"by-name","params":[{"name":"id","re\#
        quired":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/\#
        schemas/Version"},"description":"The version whose text the client was showing. Without it: base_required.","x-missing":"bas\#
        e_required"},{"name":"edits","required":true,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Edit"},"examples\#
        ":[[{"start":0,"end":0,"text":"a"}]]}},{"name":"resolves","required":false,"schema":{"type":"array","items":{"$ref":"#/compo\#
        nents/schemas/ConflictId"},"examples":[["0123456789abcdef0123456789abcdef"]]},"description":"Ids of conflicts that are open \#
        at the base."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schem\#
        a":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/error\#
        s/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/co\#
        mponents/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"\#
        #/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_de\#
        nied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/not\#
        e_too_large"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/component\#
        s/errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{"$ref":"#/components/errors/invalid_edit"}]},{"name":\#
        "note.delete","summary":"Marks a note as deleted. Its text can still be read at its versions.","paramStructure":"by-name","p\#
        arams":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema\#
        ":{"$ref":"#/components/schemas/Version"},"description":"The version whose text the client was showing. Without it: base_req\#
        uired.","x-missing":"base_required"},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"\#
        name":"outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$re\#
        f":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_to\#
        o_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/\#
        overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/component\#
        s/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#\#
        /components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"}\#
        ,{"$ref":"#/components/errors/base_required"}]},{"name":"note.undo","summary":"Withdraws revisions of a note, as if they had\#
         not been made. Withdrawing a withdrawal redoes.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema"\#
        :{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"de\#
        scription":"A version that includes the revisions. Without it: base_required.","x-missing":"base_required"},{"name":"revisio\#
        ns","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"minItems":1,"maxItems":10000,"exa\#
        mples":[["9f86d081884c7d65:7"]]},"description":"The revisions to withdraw."},{"name":"ops","required":false,"schema":{"type"\#
        :"array","items":{"$ref":"#/components/schemas/Op"},"minItems":1,"maxItems":10000,"examples":[["7f3a"]]},"description":"The \#
        ops of writes of the same user to this note, in place of revisions."},{"name":"op","required":false,"schema":{"$ref":"#/comp\#
        onents/schemas/Op"}},{"name":"times","required":false,"schema":{"$ref":"#/components/schemas/ChangeTime"},"description":"The\#
         time of change that the note shows after the undo."},{"name":"preview","required":false,"schema":{"type":"boolean","default\#
        ":false,"examples":[true]},"description":"Returns the result and writes nothing. Needs \"preview\" in capabilities."}],"resu\#
        lt":{"name":"outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"}\#
        ,{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/l\#
        ine_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/e\#
        rrors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/com\#
        ponents/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$r\#
        ef":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_\#
        gone"},{"$ref":"#/components/errors/base_required"},{"$ref":"#/components/errors/note_too_large"}],"x-exactly-one":["revisio\#
        ns","ops"]},{"name":"note.purge","summary":"Erases everything that the note does not show any more. Needs admin, and \"purge\#
        \" in capabilities.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schema\#
        s/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The current versi\#
        on. Without it: base_required.","x-missing":"base_required"},{"name":"op","required":false,"schema":{"$ref":"#/components/sc\#
        hemas/Op"}}],"result":{"name":"purge","schema":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"ver\#
        sion":{"$ref":"#/components/schemas/Version"},"beyond":{"type":"array","items":{"type":"object","properties":{"place":{"type\#
        ":"string","enum":["backup","copies","exports","drafts"]},"path":{"type":"string","description":"The absolute path of a back\#
        up; otherwise absent."}},"required":["place"]},"description":"The places that may have the erased text and that the daemon d\#
        oes not reach."},"replayed":{"type":"boolean","description":"true if an earlier request with the same op did this."}},"requi\#
        red":["dot","version","beyond"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_\#
        request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/e\#
        rrors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/componen\#
        ts/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$\#
        ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_not_foun\#
        d"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/ba\#
        se_required"},{"$ref":"#/components/errors/cannot_purge"}]},{"name":"note.history","summary":"Lists the revisions of a note,\#
         newest first.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/Not\#
        eId"}},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}\#
        },{"name":"before","required":false,"schema":{"$ref":"#/components/schemas/Dot"},"description":"The next of the previous pag\#
        e."}],"result":{"name":"page","schema":{"type":"object","properties":{"revisions":{"type":"array","items":{"$ref":"#/compone\#
        nts/schemas/Revision"}},"next":{"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"null"}]}},"required":["revisions","nex\#
        t"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/compone\#
        nts/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/\#
        components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"\#
        $ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/no\#
        te_not_found"}]},{"name":"notes.watch","summary":"Sends a notification for each change to the notes that match a filter, fro\#
        m now on or from a cursor.","paramStructure":"by-name","params":[{"name":"filter","required":false,"schema":{"$ref":"#/compo\#
        nents/schemas/Filter"}},{"name":"include","required":false,"schema":{"type":"string","enum":["meta","text","edits"],"default\#
        ":"meta","examples":["text"]}},{"name":"since","required":false,"schema":{"$ref":"#/components/schemas/Cursor"}},{"name":"sn\#
        apshot","required":false,"schema":{"type":"boolean","default":true,"examples":[false]}},{"name":"echo","required":false,"sch\#
        ema":{"type":"boolean","default":true,"examples":[false]}}],"result":{"name":"watch","schema":{"type":"object","properties":\#
        {"watch":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"},"reset":{"type":"boolean"}},"require\#
        d":["watch","cursor","reset"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_re\#
        quest"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/err\#
        ors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components\#
        /errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"n\#
        ame":"notes.unwatch","summary":"Ends a watch.","paramStructure":"by-name","params":[{"name":"watch","required":true,"schema"\#
        :{"type":"integer","minimum":1,"examples":[1]}}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"requi\#
        red":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/com\#
        ponents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref"\#
        :"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"\#
        }]},{"name":"presence.set","summary":"Publishes which note the user has open on this connection. A client may send it withou\#
        t id; it then gets no response.","paramStructure":"by-name","params":[{"name":"note","required":true,"schema":{"oneOf":[{"$r\#
        ef":"#/components/schemas/NoteId"},{"type":"null"}],"examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"description":"null\#
         publishes that no note is open, and excludes version and selection."},{"name":"version","required":false,"schema":{"$ref":"\#
        #/components/schemas/Version"},"description":"The version that the user sees."},{"name":"selection","required":false,"schema\#
        ":{"oneOf":[{"$ref":"#/components/schemas/Selection"},{"type":"null"}],"examples":[{"start":0,"end":0}]},"description":"Offs\#
        ets in the text of version. null means no selection.","x-needs":"version"}],"result":{"name":"nothing","schema":{"type":"obj\#
        ect","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/inval\#
        id_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/component\#
        s/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/compo\#
        nents/errors/shutting_down"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$re\#
        f":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/storage_failed"}]},{"name":"dependents.list","summary":\#
        "Lists the connected clients.","paramStructure":"by-name","params":[],"result":{"name":"dependents","schema":{"type":"object\#
        ","properties":{"dependents":{"type":"array","items":{"$ref":"#/components/schemas/Dependent"}}},"required":["dependents"]}}\#
        ,"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/e\#
        rrors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/compo\#
        nents/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"nam\#
        e":"daemon.status","summary":"Returns the daemon's version, counts, sizes and state.","paramStructure":"by-name","params":[]\#
        ,"result":{"name":"status","schema":{"type":"object","properties":{"version":{"type":"string"},"store":{"$ref":"#/components\#
        /schemas/ReplicaId"},"replica":{"$ref":"#/components/schemas/ReplicaId"},"startedAt":{"$ref":"#/components/schemas/Time"},"n\#
        otes":{"type":"integer","minimum":0},"tombstones":{"type":"integer","minimum":0},"revisions":{"type":"integer","minimum":0},\#
        "conflicted":{"type":"integer","minimum":0,"description":"Notes with open conflicts."},"dependents":{"type":"integer","minim\#
        um":0},"commits":{"type":"integer","minimum":0},"lastCommitAt":{"oneOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"\#
        }]},"storeBytes":{"type":"integer","minimum":0},"walBytes":{"type":"integer","minimum":0},"state":{"type":"string","enum":["\#
        ok","full","read_only"],"description":"full: no room is left; reads still work."},"scrubbed":{"type":"boolean","description"\#
        :"false while the log or the search index may still contain text that a purge erased; otherwise absent."}},"required":["vers\#
        ion","store","replica","startedAt","notes","tombstones","revisions","conflicted","dependents","commits","lastCommitAt","stor\#
        eBytes","walBytes","state"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_requ\#
        est"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/error\#
        s/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/e\#
        rrors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"nam\#
        e":"daemon.audit","summary":"Rereads the whole store and compares it with the notes that the daemon serves. May take a while\#
         and send progress. The daemon reports a damaged store and keeps running.","paramStructure":"by-name","params":[],"result":{\#
        "name":"audit","schema":{"type":"object","properties":{"ok":{"type":"boolean","description":"Whether there are no findings."\#
        },"notes":{"type":"integer","minimum":0},"revisions":{"type":"integer","minimum":0},"findings":{"type":"array","items":{"$re\#
        f":"#/components/schemas/Finding"}},"waiting":{"type":"array","items":{"$ref":"#/components/schemas/Waiting"},"description":\#
        "Revisions that arrived before their parents, by note. Not a fault."},"quarantined":{"type":"array","items":{"$ref":"#/compo\#
        nents/schemas/HeldRevision"},"description":"Revisions of other stores that were not accepted. Not a fault."},"compacted":{"t\#
        ype":"integer","minimum":0,"description":"The number of revisions whose texts compaction removed."}},"required":["ok","notes\#
        ","revisions","findings"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_reques\#
        t"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/\#
        internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/err\#
        ors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name"\#
        :"daemon.config","summary":"Returns the settings in effect and the source of each. Needs admin, and \"config\" in capabiliti\#
        es.","paramStructure":"by-name","params":[],"result":{"name":"config","schema":{"type":"object","properties":{"settings":{"t\#
        ype":"array","items":{"$ref":"#/components/schemas/Setting"}}},"required":["settings"]}},"errors":[{"$ref":"#/components/err\#
        ors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/co\#
        mponents/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref\#
        ":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/permission_den\#
        ied"}]},{"name":"daemon.backup","summary":"Copies the store into a file while the daemon serves others. The file contains ev\#
        erything that the daemon answered before the request; when the response arrives, it is whole and on disk. May take a while a\#
        nd send progress, in bytes.","paramStructure":"by-name","params":[{"name":"path","required":false,"schema":{"type":"string",\#
        "examples":["/mnt/usb/notes.db"]},"description":"An absolute path on the daemon's machine where no file exists; or a directo\#
        ry there, in which the daemon names the file after the time; or a file name without a slash, in the directory backups of the\#
         store. Without it, the daemon names a file there after the time. Only the daemon's user and root may send more than a file \#
        name; others get 6001."}],"result":{"name":"backup","schema":{"type":"object","properties":{"path":{"type":"string","descrip\#
        tion":"The absolute path of the file."},"bytes":{"type":"integer","minimum":0}},"required":["path","bytes"]}},"errors":[{"$r\#
        ef":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_p\#
        arams"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/he\#
        llo_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/\#
        errors/storage_full"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/comp\#
        onents/errors/permission_denied"}]},{"name":"daemon.metrics","summary":"Returns the daemon's counters since its start, and t\#
        he size of its store.","paramStructure":"by-name","params":[],"result":{"name":"metrics","schema":{"type":"object","properti\#
        es":{"text":{"type":"string","description":"A complete OpenMetrics 1.0 text: connections, dependents, requests and their dur\#
        ations, errors by kind, commits, sizes. It contains no name and no text of any note."}},"required":["text"]}},"errors":[{"$r\#
        ef":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_p\#
        arams"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/he\#
        llo_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/\#
        errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]}],"x-notifications":[{"name":"note.changed","summa\#
        ry":"Reports a changed note. change says what happened to it under the filter.","params":{"type":"object","properties":{"wat\#
        ch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0,"description":"Rises by exactly 1 from 1 within a wat\#
        ch."},"cursor":{"$ref":"#/components/schemas/Cursor"},"change":{"type":"string","enum":["snapshot","left","deleted","created\#
        ","restored","conflicted","resolved","edited"]},"note":{"oneOf":[{"$ref":"#/components/schemas/Note"},{"$ref":"#/components/\#
        schemas/NoteLeft"}]},"coalesced":{"type":"integer","minimum":2,"description":"The number of changes that the line covers. Ab\#
        sent if it is 1."},"origin":{"type":"object","properties":{"dependent":{"type":"integer","minimum":0},"label":{"oneOf":[{"$r\#
        ef":"#/components/schemas/Label"},{"type":"null"}]}},"required":["dependent","label"],"description":"The connection that mad\#
        e the newest change. Absent if an earlier run of the daemon made it, or if it is not among the last 32,768 commits."}},"requ\#
        ired":["watch","seq","cursor","change","note"]}},{"name":"watch.synced","summary":"The watch has sent its snapshot, or what \#
        the client missed.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","\#
        minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["watch","seq","cursor"]}},{"name":"watch.bookmark",\#
        "summary":"A watch sends this after every 30 seconds with nothing to send.","params":{"type":"object","properties":{"watch":\#
        {"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"requir\#
        ed":["watch","seq","cursor"]}},{"name":"watch.reset","summary":"The watch dropped lines. What changed since the last deliver\#
        ed cursor follows.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","\#
        minimum":0},"reason":{"type":"string"}},"required":["watch","seq","reason"]}},{"name":"session.closing","summary":"The last \#
        line before the daemon closes the connection.","params":{"type":"object","properties":{"reason":{"type":"string"},"retryAfte\#
        rMs":{"oneOf":[{"type":"integer","minimum":0},{"type":"null"}]}},"required":["reason","retryAfterMs"]}},{"name":"progress","\#
        summary":"The progress of a long request. The daemon may send it any number of times before the response.","params":{"type":\#
        "object","properties":{"id":{"oneOf":[{"type":"integer"},{"type":"string"}],"description":"The id of the request."},"done":{\#
        "type":"integer","minimum":0},"total":{"type":"integer","minimum":0}},"required":["id","done","total"]}},{"name":"presence.c\#
        hanged","summary":"Reports which note a dependent has open, to each connection with a watch that covers the note.","params":\#
        {"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"dependent":{"type":"integer","minimum":0},"lab\#
        el":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"user":{"$ref":"#/components/schemas/User"},"version":\#
        {"oneOf":[{"$ref":"#/components/schemas/Version"},{"type":"null"}],"description":"The version that the user sees there; empt\#
        y if the dependent sent none; null if the dependent left the note."},"selection":{"oneOf":[{"$ref":"#/components/schemas/Sel\#
        ection"},{"type":"null"}]}},"required":["note","dependent","label","user","version","selection"]}},{"name":"revisions.page",\#
        "summary":"Carries revisions to a peer, in the order of their commits.","params":{"type":"object","properties":{"watch":{"ty\#
        pe":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"left":{"type":"integer","minimum":0,"description":"The numb\#
        er of revisions that the peer lacked when the watch started and that follow."},"beginnings":{"type":"array","items":{"$ref":\#
        "#/components/schemas/NoteBeginning"},"description":"Notes of which the peer lacks revisions whose texts are gone; absent if\#
         there are none."},"revisions":{"type":"array","items":{"$ref":"#/components/schemas/WireRevision"}},"gone":{"type":"array",\#
        "items":{"$ref":"#/components/schemas/Dot"},"description":"Revisions that the store cannot send: their rows are damaged, or \#
        their texts were compacted and the beginning of the note is too large."}},"required":["watch","seq","left","revisions","gone\#
        "]}}],"components":{"schemas":{"NoteId":{"type":"string","pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-\#
        [0-9a-f]{12}$","description":"A UUID of version 7 in lower case.","examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"Dot"\#
        :{"type":"string","pattern":"^[0-9a-f]{16}:[1-9][0-9]*$","description":"The globally unique name of one revision: the replic\#
        a that made it, and a counter.","examples":["9f86d081884c7d65:7"]},"Dots":{"type":"string","pattern":"^([0-9a-f]{16}:[1-9][0\#
        -9]*(-[1-9][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)?)*( [0-9a-f]{16}:[1-9][0-9]*(-[1-9][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)?)*)*)?\#
        $","description":"A set of dots: for each replica ranges of counters. Replicas and ranges ascend, and ranges do not touch.",\#
        "examples":["9f86d081884c7d65:1-7,9"]},"Base64":{"type":"string","pattern":"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0\#
        -9+/]{3}=)?$","description":"Bytes as in RFC 4648, with padding.","examples":["Ag=="]},"NoteBeginning":{"type":"object","des\#
        cription":"A note at the oldest revision whose text is left, or at a purge.","properties":{"revision":{"$ref":"#/components/\#
        schemas/WireRevision"},"below":{"type":"string","description":"The dots in the past of the revision."},"erased":{"type":"str\#
        ing","description":"Those of them that a purge erased; absent if there are none."},"text":{"type":"string"},"name":{"type":"\#
        string","description":"The name of the note there; absent if it has none."},"deleted":{"type":"boolean"},"last_line":{"type"\#
        :"string","enum":["shown","hidden","absent"]},"created":{"type":"string"}},"required":["revision","below","text","deleted","\#
        last_line","created"]},"WireRevision":{"type":"object","properties":{"head":{"$ref":"#/components/schemas/Base64","descripti\#
        on":"The canonical bytes of the revision (docs/causality.md), without those of its replacements, whose counts stay."},"text"\#
        :{"type":"string","description":"The replacements, joined in order."}},"required":["head","text"],"additionalProperties":fal\#
        se},"Version":{"type":"string","pattern":"^([0-9a-f]{16}:[1-9][0-9]*( [0-9a-f]{16}:[1-9][0-9]*)*)?$","description":"A set of\#
         revisions, written as its maximal dots, sorted and joined by single spaces; usually one dot. The empty string is the versio\#
        n in which nothing was seen. A client may send dots in any order and repeat them.","examples":["9f86d081884c7d65:7"]},"Curso\#
        r":{"type":"string","description":"A place in a store's commit order. Opaque to clients.","examples":["42.9f86d081884c7d65"]\#
        },"ConflictId":{"type":"string","pattern":"^[0-9a-f]{32}$","examples":["0123456789abcdef0123456789abcdef"]},"ReplicaId":{"ty\#
        pe":"string","pattern":"^[0-9a-f]{16}$","examples":["9f86d081884c7d65"]},"Time":{"type":"string","pattern":"^[0-9]{4}-[0-9]{\#
        2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"RFC 3339 in UTC, with milliseconds. For people only.","e\#
        xamples":["2026-11-20T23:29:57.123Z"]},"FileTimes":{"type":"object","properties":{"modified":{"$ref":"#/components/schemas/T\#
        ime"},"created":{"$ref":"#/components/schemas/Time"}},"required":["modified"],"additionalProperties":false,"examples":[{"mod\#
        ified":"2019-05-04T10:00:00.000Z","created":"2019-05-01T09:00:00.000Z"}],"description":"The times that a file states. For pe\#
        ople only."},"ChangeTime":{"type":"object","properties":{"modified":{"$ref":"#/components/schemas/Time"}},"required":["modif\#
        ied"],"additionalProperties":false,"examples":[{"modified":"2019-05-04T10:00:00.000Z"}]},"NoteName":{"type":"string","minLen\#
        gth":1,"description":"A path such as work/inbox: parts of 1 to 255 bytes between single slashes, none of them . or .., no co\#
        ntrol characters, at most 1,024 bytes in all.","examples":["work/inbox"]},"Op":{"type":"string","minLength":1,"description":\#
        "A name for this write, of at most 64 bytes, different for each write of the user. The daemon makes a repeated write only on\#
        ce.","examples":["7f3a"]},"Label":{"type":"string","description":"At most 1,024 bytes.","examples":["laptop/vim"]},"LinkTarg\#
        et":{"type":"string","description":"At most 3,500 bytes.","examples":["work/inbox"]},"PositionEncoding":{"type":"string","en\#
        um":["utf-8","utf-16","utf-32"],"description":"The unit of offsets: code units of UTF-8 or UTF-16, or Unicode scalars."},"Ed\#
        it":{"type":"object","properties":{"start":{"type":"integer"},"end":{"type":"integer"},"text":{"type":"string"}},"required":\#
        ["start","end","text"],"description":"Replaces a range of a text. Offsets count in the text before any edit of the list, in \#
        the session's encoding. Edits are sorted and do not overlap.","examples":[{"start":0,"end":0,"text":"a"}]},"Filter":{"type":\#
        "object","properties":{"ids":{"type":"array","items":{"$ref":"#/components/schemas/NoteId"}},"prefix":{"type":"string"},"tag\#
        ":{"type":"string"},"conflicted":{"type":"boolean"},"deleted":{"type":"boolean","description":"true: only tombstones; otherw\#
        ise none."}},"required":[],"additionalProperties":false,"description":"A note must match all members.","examples":[{"prefix"\#
        :"work/"}]},"Client":{"type":"object","properties":{"name":{"$ref":"#/components/schemas/Label"},"version":{"$ref":"#/compon\#
        ents/schemas/Label"}},"required":["name"],"examples":[{"name":"notesctl","version":"0.1.0"}]},"User":{"type":"object","prope\#
        rties":{"uid":{"type":"integer","minimum":0},"name":{"type":"string"}},"required":["uid","name"]},"Author":{"type":"object",\#
        "properties":{"user":{"type":"string"},"label":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["user","label"]},"\#
        Limits":{"type":"object","properties":{"maxLineBytes":{"type":"integer","minimum":0,"description":"The length of a line, wit\#
        hout its LF."},"maxNoteBytes":{"type":"integer","minimum":0},"maxInFlight":{"type":"integer","minimum":0,"description":"The \#
        number of requests without a response."},"maxDepth":{"type":"integer","minimum":0,"description":"The depth of nested arrays \#
        and objects."},"maxResponseBytes":{"type":"integer","minimum":0,"description":"The size of all unread responses."}},"require\#
        d":["maxLineBytes","maxNoteBytes","maxInFlight","maxDepth","maxResponseBytes"]},"SearchQuery":{"type":"string","maxLength":4\#
        096,"examples":["milk bread"]},"Hit":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"},"snippet":{"\#
        type":"string","description":"An exact piece of the note's text, around the first match."},"ranges":{"type":"array","items":\#
        {"type":"object","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["sta\#
        rt","end"]},"description":"The matches in the snippet, in the session's encoding, ascending and separate."}},"required":["no\#
        te","snippet","ranges"]},"Conflict":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/ConflictId"},"kind":{"\#
        type":"string","enum":["text","name","deletion"]},"range":{"type":"object","properties":{"start":{"type":"integer","minimum"\#
        :0},"end":{"type":"integer","minimum":0}},"required":["start","end"],"description":"Whole lines of the merged text, in the s\#
        ession's encoding; all of it for a deletion, an empty range at its start for a name."},"base":{"oneOf":[{"type":"string"},{"\#
        type":"null"}],"description":"What all sides started from: the lines, the name or null, or null for a deletion."},"sides":{"\#
        type":"array","items":{"$ref":"#/components/schemas/Side"}}},"required":["id","kind","range"],"description":"A mark where co\#
        ncurrent writes touch. base and sides are present where the note has text or edits, and in outcomes."},"Side":{"type":"objec\#
        t","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"withdrawn":{"type":"boolean","description":"true: the revision i\#
        s withdrawn, and text is what its parents show; otherwise absent."},"author":{"$ref":"#/components/schemas/Author"},"modifie\#
        d":{"$ref":"#/components/schemas/Time"},"text":{"type":"string","description":"The text of this side in place of the range; \#
        its whole text if another side deleted the note."},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}\#
        ]},"deleted":{"type":"boolean","description":"true: this side deleted the note."}},"required":["dot","author","modified"],"d\#
        escription":"One side of a conflict, at its newest revision, or a withdrawn revision. It has one of text, name and deleted."\#
        },"Note":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId"},"name":{"oneOf":[{"$ref":"#/components/s\#
        chemas/NoteName"},{"type":"null"}]},"version":{"$ref":"#/components/schemas/Version"},"siblings":{"type":"array","items":{"$\#
        ref":"#/components/schemas/Dot"}},"vector":{"type":"object","additionalProperties":{"type":"integer"}},"conflicts":{"type":"\#
        array","items":{"$ref":"#/components/schemas/Conflict"}},"title":{"type":"string"},"tags":{"type":"array","items":{"type":"s\#
        tring"}},"created":{"$ref":"#/components/schemas/Time"},"modified":{"$ref":"#/components/schemas/Time"},"author":{"$ref":"#/\#
        components/schemas/Author"},"bytes":{"type":"integer","minimum":0},"deleted":{"type":"boolean"},"text":{"type":"string"},"ba\#
        se":{"$ref":"#/components/schemas/Version"},"edits":{"type":"array","items":{"$ref":"#/components/schemas/Edit"}}},"required\#
        ":["id","name","version","conflicts","title","tags","created","modified","author","bytes","deleted"],"description":"siblings\#
         and vector are present only in note.get; text or edits where the client asked for them; base with edits in watch lines."},"\#
        NoteLeft":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId"},"version":{"$ref":"#/components/schemas\#
        /Version"}},"required":["id","version"],"description":"A note that no longer matches the filter."},"MergedText":{"type":"obj\#
        ect","properties":{"version":{"$ref":"#/components/schemas/Version"},"edits":{"type":"array","items":{"$ref":"#/components/s\#
        chemas/Edit"}},"conflicts":{"type":"array","items":{"$ref":"#/components/schemas/Conflict"}},"text":{"type":"string"},"delet\#
        ed":{"type":"boolean","description":"true if the note is deleted; otherwise absent."}},"required":["version","conflicts"],"d\#
        escription":"The state that the daemon shows, if its version is not that of the outcome, and always after note.undo. edits t\#
        urn the text sent, or after note.undo the text of base, into the merged text; version is the base to use once the client sho\#
        ws the merged text."},"Outcome":{"type":"object","properties":{"outcome":{"type":"string","enum":["saved","merged","conflict\#
        ed","unchanged"]},"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/components/schemas/Version"},"note":{"$ref"\#
        :"#/components/schemas/MergedText"},"replayed":{"type":"boolean"}},"required":["outcome","version"],"description":"dot is ab\#
        sent if the outcome is unchanged. replayed is present if the client sent the op before."},"Revision":{"type":"object","prope\#
        rties":{"dot":{"$ref":"#/components/schemas/Dot"},"parents":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"ve\#
        rsion":{"$ref":"#/components/schemas/Version"},"author":{"$ref":"#/components/schemas/Author"},"modified":{"$ref":"#/compone\#
        nts/schemas/Time"},"bytes":{"type":"integer","minimum":0},"deleted":{"type":"boolean"},"name":{"oneOf":[{"$ref":"#/component\#
        s/schemas/NoteName"},{"type":"null"}]},"kind":{"type":"string","enum":["saved","edited","undo","purge"]},"compacted":{"type"\#
        :"boolean","description":"true if compaction removed the text; otherwise absent."},"withdraws":{"type":"array","items":{"$re\#
        f":"#/components/schemas/Dot"},"description":"The revisions that an undo withdraws; otherwise absent."},"withdrawn":{"type":\#
        "boolean","description":"true if the revision is withdrawn in the newest version; otherwise absent."},"resolves":{"type":"ar\#
        ray","items":{"$ref":"#/components/schemas/ConflictId"},"description":"The conflicts that the write named as resolved; other\#
        wise absent."},"times":{"$ref":"#/components/schemas/FileTimes"}},"required":["dot","parents","version","author","modified",\#
        "bytes","deleted","name","kind"]},"Setting":{"type":"object","properties":{"key":{"type":"string","examples":["limits.depth_\#
        max"]},"value":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"As in the configuration file; null if the setting\#
         is unset and the daemon chooses."},"source":{"type":"string","description":"A file, \"environment NAME\", \"option NAME\", \#
        \"service manager\" or \"default\"."},"reloadable":{"type":"boolean","description":"Whether a running daemon can apply a cha\#
        nge."},"pending":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"The value that the next start will use, if it d\#
        iffers."}},"required":["key","value","source","reloadable","pending"]},"Finding":{"type":"object","properties":{"note":{"one\#
        Of":[{"$ref":"#/components/schemas/NoteId"},{"type":"null"}]},"dot":{"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"n\#
        ull"}]},"message":{"type":"string","description":"A sentence for people."},"affects":{"type":"string","enum":["texts","deriv\#
        ed"],"description":"derived: only data that the daemon derives from revisions, such as names, conflicts and the search index\#
        ; texts are not affected. Anything else, or absent: texts may be affected."}},"required":["note","dot","message"],"descripti\#
        on":"Something that an audit found. note and dot are null where it concerns none."},"Waiting":{"type":"object","properties":\#
        {"note":{"$ref":"#/components/schemas/NoteId"},"revisions":{"type":"integer","minimum":0,"description":"The number of waitin\#
        g revisions."},"parents":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"description":"The missing parents, at \#
        most 100 of them."}},"required":["note","revisions","parents"],"description":"Revisions of one note from other replicas that\#
         wait for their parents."},"HeldRevision":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"dot"\#
        :{"$ref":"#/components/schemas/Dot"},"reason":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"Why the revision w\#
        as not accepted, as a clause for people. null: it waits for its parents."},"author":{"$ref":"#/components/schemas/Author"},"\#
        modified":{"$ref":"#/components/schemas/Time"},"inserts":{"type":"string","description":"The text that the revision inserts,\#
         or its first 200 bytes."},"bytes":{"type":"integer","minimum":0,"description":"The number of bytes that the revision insert\#
        s."}},"required":["note","dot","reason","author","modified","inserts","bytes"],"description":"A revision of another store th\#
        at is no part of its note: it waits for its parents, or was not accepted. The author and the time are those that its peer st\#
        ates, the author cut after 200 bytes."},"Selection":{"type":"object","properties":{"start":{"type":"integer","minimum":0},"e\#
        nd":{"type":"integer","minimum":0}},"required":["start","end"],"description":"Offsets in the session's encoding. A text curs\#
        or starts where it ends."},"Presence":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"version"\#
        :{"$ref":"#/components/schemas/Version"},"selection":{"oneOf":[{"$ref":"#/components/schemas/Selection"},{"type":"null"}]}},\#
        "required":["note","version","selection"]},"Dependent":{"type":"object","properties":{"dependent":{"type":"integer","minimum\#
        ":0},"client":{"$ref":"#/components/schemas/Client"},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}\#
        ]},"user":{"$ref":"#/components/schemas/User"},"watches":{"type":"integer","minimum":0,"description":"The number of its watc\#
        hes."},"state":{"type":"string","enum":["synced","lagging","reset"],"description":"synced: everything was sent. lagging: som\#
        ething is pending. reset: the daemon dropped lines and has not replaced them yet."},"outboxBytes":{"type":"integer","minimum\#
        ":0,"description":"The size of everything that is pending."},"presence":{"oneOf":[{"$ref":"#/components/schemas/Presence"},{\#
        "type":"null"}],"description":"The note that the user has open on this connection."}},"required":["dependent","client","labe\#
        l","user","watches","state","outboxBytes","presence"]}},"errors":{"parse_error":{"code":-32700,"message":"The line is not va\#
        lid JSON for this protocol.","data":{"kind":"parse_error","retryable":false,"details":["offset"]}},"invalid_request":{"code"\#
        :-32600,"message":"The line is not a JSON-RPC request, or not allowed at this point.","data":{"kind":"invalid_request","retr\#
        yable":false,"details":["path"]}},"method_not_found":{"code":-32601,"message":"There is no such method.","data":{"kind":"met\#
        hod_not_found","retryable":false,"details":[]}},"invalid_params":{"code":-32602,"message":"A param is missing, unknown, or o\#
        f the wrong type or form.","data":{"kind":"invalid_params","retryable":false,"details":["path","offset"]}},"internal":{"code\#
        ":-32603,"message":"The daemon failed because of a bug.","data":{"kind":"internal","retryable":false,"details":[]}},"hello_r\#
        equired":{"code":1001,"message":"Send session.hello first.","data":{"kind":"hello_required","retryable":false,"details":[]}}\#
        ,"unsupported_protocol":{"code":1002,"message":"The client and the daemon have no protocol version in common.","data":{"kind\#
        ":"unsupported_protocol","retryable":false,"details":["supported"]}},"note_not_found":{"code":2001,"message":"There is no su\#
        ch note.","data":{"kind":"note_not_found","retryable":false,"details":[]}},"note_exists":{"code":2002,"message":"The id or t\#
        he name is taken.","data":{"kind":"note_exists","retryable":false,"details":["id"]}},"unknown_base":{"code":2003,"message":"\#
        The base names a revision that is unknown or not this note's.","data":{"kind":"unknown_base","retryable":false,"details":["k\#
        nown"]}},"revision_gone":{"code":2004,"message":"Compaction or a purge removed the text of that version.","data":{"kind":"re\#
        vision_gone","retryable":false,"details":["version"]}},"base_required":{"code":2005,"message":"A write to an existing note n\#
        eeds a base.","data":{"kind":"base_required","retryable":false,"details":["version"]}},"invalid_edit":{"code":2006,"message"\#
        :"An edit does not fit the text of the base.","data":{"kind":"invalid_edit","retryable":false,"details":["index"]}},"invalid\#
        _name":{"code":2007,"message":"This is not a valid name for a note.","data":{"kind":"invalid_name","retryable":false,"detail\#
        s":[]}},"cannot_purge":{"code":2008,"message":"The note cannot be purged as it is.","data":{"kind":"cannot_purge","retryable\#
        ":false,"details":["version"]}},"storage_full":{"code":3001,"message":"The disk is full.","data":{"kind":"storage_full","ret\#
        ryable":true,"details":[]}},"storage_failed":{"code":3002,"message":"The store failed to read or write.","data":{"kind":"sto\#
        rage_failed","retryable":true,"details":[]}},"read_only":{"code":3003,"message":"The store is read-only.","data":{"kind":"re\#
        ad_only","retryable":false,"details":[]}},"line_too_long":{"code":4001,"message":"The line is too long; the daemon skipped i\#
        t. The third such line closes the connection.","data":{"kind":"line_too_long","retryable":false,"details":["limit"]}},"note_\#
        too_large":{"code":4002,"message":"The note would be too large.","data":{"kind":"note_too_large","retryable":false,"details"\#
        :["bytes","limit"]}},"overloaded":{"code":4003,"message":"The daemon is overloaded.","data":{"kind":"overloaded","retryable"\#
        :"true, except if the connection has too many watches","details":[]}},"permission_denied":{"code":6001,"message":"The user d\#
        oes not have the access that this needs.","data":{"kind":"permission_denied","retryable":false,"details":[]}},"shutting_down\#
        ":{"code":7001,"message":"The daemon is stopping.","data":{"kind":"shutting_down","retryable":true,"details":[]}}}}}
        """#
}
