/*
 * One watch: its position in the commit order, its pending entries, catching up, its limit, resets,
 * and resuming from a cursor after its connection was cut, the daemon was restarted, or the store
 * was rolled back to an older copy.
 *
 * README.md maps each part to its file and function. A macro FAULT_x plants a fault;
 * `scripts/models` checks that each is found.
 *
 * A commit gives one note a state: in the watch's filter, outside it, or a tombstone. Commits are
 * numbered from 1.
 */

#ifndef NOTES
#define NOTES 2
#endif
#ifndef COMMITS
#define COMMITS 4
#endif
#ifndef STATES
#define STATES 3     /* 1: notes are always in the filter. 2: they leave it, too. 3: they are deleted, too. */
#endif
#ifndef OWN
#define OWN 0        /* commits of the watching connection itself */
#endif
#ifndef ECHO
#define ECHO 1
#endif
#ifndef MOVES
#define MOVES 1      /* Limits.movesMax */
#endif
#ifndef SHARE
#define SHARE 2      /* entries that may wait: Share.bytes / Limits.entryBytes */
#endif
#ifndef LOSSES
#define LOSSES 1     /* connections cut */
#endif
#ifndef ROLLBACKS
#define ROLLBACKS 0  /* the daemon is started again, over this store or an older copy of it */
#endif
#ifndef SHRINKS
#define SHRINKS 0    /* what waits is dropped for another reason: the share became less */
#endif
#define NONE 255

/* The states of a note. */
#define ABSENT 0
#define IN 1
#define OUT 2
#define GONE 3

mtype = { CHANGED, RESET, SYNCED, ANSWER };

/* The store. */
byte newest;
byte cn[COMMITS + 1];     /* the commit's note */
byte cs[COMMITS + 1];     /* the note's state then */
bool own[COMMITS + 1];    /* RecentCommits: whether the watching connection made it */
#if ROLLBACKS > 0
byte runOf[COMMITS + 1];    /* the run that made it */
byte runNow = 1;
#endif
byte at[NOTES + 1];       /* each note's newest commit */
byte owns;

/* The watch, as `Watch` and `CatchUp` have it. */
bool watching, dropped, catching;
byte position, base, target, told, pageEnd, snap = NONE, echoedThrough, seq;
byte page;                /* the item that was read and not sent; 0 for none. A page has one note here. */

typedef Entry { byte from; byte to; byte moves; bool untold; bool matched; bool shown; bool keeps; };
Entry e[SHARE + 1];
byte waiting;

chan line = [3] of { mtype, byte, byte };   /* kind; commit or cursor; seq modulo 8 */

/* The client. */
byte cursor;
#if ROLLBACKS > 0
byte cursorRun;
byte cursorTop;           /* the commit that must exist for the cursor to be of this store */
#endif
byte held[NOTES + 1];     /* the commit of its copy of the note; 0: it has none */
byte lastTo, lastSeq;
byte began;               /* the newest commit when its watch began */
byte from0;               /* and where it resumed */
bool heard[NOTES + 1];

byte losses, rollbacks, shrinks;

/* Each is true while its guarantee holds. */
bool G4_in_order_and_once = true;
bool G5_seq_has_no_gap = true;
bool G5_synced_is_all = true;
bool G6_cursor_covers = true;
bool G6_reset_goes_on_from_what_was_told = true;
bool G7_memory_is_bounded = true;

hidden byte i, j, k, n, c, p, v;
hidden byte hit, alone, reading, isOwn, isUntold, kept, tells;

#define matches(s) ((s) == IN)
/* The state of a note that the client should have. */
#define right(n) (held[n] == at[n] * (cs[at[n]] == IN))

/* The newest commit of a note up to `last`, in `p`. */
inline commitUpTo(note, last) {
    p = last;
    do
    :: p > 0 && cn[p] != note -> p--
    :: else -> break
    od
}

/* MARK: Commits */

inline drop() {
    i = 0;
    do
    :: i < waiting ->
        e[i].from = 0; e[i].to = 0; e[i].moves = 0; e[i].untold = false; e[i].matched = false; e[i].shown = false; e[i].keeps = false;
        i++
    :: else -> break
    od;
    i = 0;
#ifdef FAULT_SEQ_BEFORE_WRITING
    seq = (seq + waiting) % 8;
#endif
    waiting = 0; page = 0;
#ifdef FAULT_DROP_IS_FORGOTTEN
    catching = false
#else
#ifndef FAULT_RESET_FROM_WHAT_WAS_READ
    if
    :: catching -> position = told
    :: else -> snap = NONE
    fi;
#endif
    base = position; target = position; told = position; pageEnd = position;
    catching = true; dropped = true
#endif
}

#define isReading (catching && !dropped && position < target)

inline keepWithinShare() {
    v = waiting + (page > 0);
    if
    :: isReading && waiting + 1 > v -> v = waiting + 1
    :: else -> skip
    fi;
#ifndef FAULT_NO_LIMIT
    if
    :: v > SHARE -> drop()
    :: else -> skip
    fi;
#endif
    v = 0
}

inline clear(x) {
    e[x].from = 0; e[x].to = 0; e[x].moves = 0; e[x].untold = false; e[x].matched = false; e[x].shown = false; e[x].keeps = false
}

inline copyEntry(x, y) {
    e[x].from = e[y].from; e[x].to = e[y].to; e[x].moves = e[y].moves; e[x].untold = e[y].untold;
    e[x].matched = e[y].matched; e[x].shown = e[y].shown; e[x].keeps = e[y].keeps
}

/* Removes entry `k`. */
inline removeEntry() {
    j = k;
    do
    :: j + 1 < waiting -> copyEntry(j, j + 1); j++
    :: else -> break
    od;
    clear(j);
    waiting--; j = 0
}

/* `Outbox.move`: the note's entry moves to its newest commit `c`; `hit` is set if it did, `kept` if
 * it keeps its place. */
inline move(prev) {
    hit = false; kept = false; k = 0;
    do
    :: k < waiting && (prev == 0 || e[k].to != prev) -> k++
    :: else -> break
    od;
    if
#ifdef FAULT_OWN_IS_NOT_MOVED
    :: k < waiting && e[k].moves >= MOVES -> e[k].keeps = true; kept = true
#else
    :: k < waiting && e[k].moves >= MOVES && !(isOwn && !ECHO) -> e[k].keeps = true; kept = true
#endif
    :: k < waiting && !kept ->
        hit = true;
        e[k].to = c;
        e[k].moves = (e[k].moves < MOVES -> e[k].moves + 1 : MOVES);
        e[k].matched = e[k].matched || matches(cs[c]);
        e[k].shown = e[k].shown || (isOwn && matches(cs[c]));
#ifndef FAULT_MOVED_KEEPS_ITS_TURN
        if
        :: k + 1 < waiting ->
            copyEntry(SHARE, k);
            j = k;
            do
            :: j + 1 < waiting -> copyEntry(j, j + 1); j++
            :: else -> break
            od;
            copyEntry(j, SHARE); j = 0;
            if
            :: waiting <= SHARE -> clear(SHARE)
            :: else -> skip
            fi
        :: else -> skip
        fi
#endif
    :: else -> skip
    fi;
    k = 0
}

/* `Watch.committed` for commit `c`, whose note was at `p` before. */
inline committed() {
    if
    :: watching && !dropped && (matches(cs[p]) || matches(cs[c]) || waiting > 0 || catching) ->
        move(p);
        isUntold = catching && p > position && p <= target;
        if
        :: hit -> tells = true
        :: kept ->
#ifdef FAULT_KEPT_IS_FORGOTTEN
            tells = false
#else
#ifdef FAULT_OWN_IS_NOT_MOVED
            tells = !(isOwn && !ECHO)
#else
            tells = true
#endif
#endif
        :: !hit && !kept && isUntold -> tells = matches(cs[p]) || matches(cs[c]) || snap == NONE || target > snap
        :: else -> tells = (matches(cs[p]) || matches(cs[c])) && (ECHO || !isOwn)
        fi;
        if
        :: tells && !hit ->
            if
            :: waiting == 0 && !catching -> position = c - 1
            :: else -> skip
            fi;
            if
            :: isUntold && page == p -> page = 0
            :: else -> skip
            fi;
            e[waiting].from = p; e[waiting].to = c; e[waiting].untold = isUntold;
            e[waiting].matched = matches(cs[p]) || matches(cs[c]); e[waiting].shown = isOwn && matches(cs[c]);
            waiting++
        :: else -> skip
        fi;
        if
        :: tells -> keepWithinShare()
        :: else -> skip
        fi;
        G7_memory_is_bounded = (waiting + (page > 0) <= SHARE); assert(G7_memory_is_bounded);
        hit = false; kept = false; isUntold = false; tells = false
    :: else -> skip
    fi
}

inline commit(note, state, mine) {
    newest++; c = newest; p = at[note]; isOwn = mine;
    cn[c] = note; cs[c] = state; own[c] = mine; at[note] = c;
#if ROLLBACKS > 0
    runOf[c] = runNow;
#endif
    committed();
    if
    :: mine -> owns++; line!ANSWER, c, 0
    :: else -> skip
    fi;
    c = 0; p = 0; isOwn = false
}

active proctype Writers()
{
    byte note, state;
    do
    :: newest < COMMITS ->
        atomic {
            select (note : 1 .. NOTES);
            select (state : 1 .. STATES);
            if
            :: state == GONE && cs[at[note]] == ABSENT -> state = IN
            :: else -> skip
            fi;
            if
            :: d_step { commit(note, state, false) }
            :: owns < OWN && watching && len(line) < 3 -> d_step { commit(note, state, true) }
            fi;
            note = 0; state = 0
        }
#if ROLLBACKS == 0
    :: newest == COMMITS -> break
#endif
    :: break
    od
}

/* MARK: Notifications */

#define nextSeq seq = (seq + 1) % 8

/* The other members of a notification. `Watch.reached`: its cursor also names the store's newest
 * commit, unless the watch has received everything by then. */
#if ROLLBACKS > 0
#define stamp(c) (seq + 8 * (catching || waiting > 0 -> newest : c))
#else
#define stamp(c) seq
#endif

/* Whether all commits of commit `c`'s note after the base are the watcher's own, in `alone`. */
inline isOwnAlone() {
    alone = !ECHO && c > echoedThrough; p = c;
    do
    :: p > base ->
        alone = alone && (cn[p] != cn[c] || own[p]);
        p--
    :: else -> break
    od;
    p = 0
}

#ifdef FAULT_CURSOR_AHEAD
#define cursorOf(c) newest
#else
#define cursorOf(c) c
#endif

/* `Watch.nextOfPage`, the read: the next note by its newest commit. One per page. */
inline readPage() {
    c = position + 1;
    do
    :: c <= target && at[cn[c]] != c -> c++
    :: else -> break
    od;
    if
    :: c > target -> pageEnd = target
    :: else ->
        pageEnd = c;
        /* CatchUp.kind and isOwnAlone. */
        tells = true;
        if
        :: snap != NONE && !matches(cs[c]) && c <= snap -> tells = false
        :: snap != NONE && matches(cs[c]) -> skip
        :: else ->
            isOwnAlone();
            tells = !alone
        fi;
#ifdef FAULT_LEFT_IS_FORGOTTEN
        tells = tells && matches(cs[c]);
#endif
        if
        :: tells -> page = c
        :: else -> skip
        fi
    fi;
    c = 0; tells = false; alone = false
}

/* `Watch.line(of:)` for the first entry. */
inline tellFirst() {
    c = e[0].to; position = c;
    if
    :: e[0].untold && catching ->
        tells = true;
        if
        :: snap != NONE && matches(cs[c]) -> skip
        :: else -> isOwnAlone(); tells = !alone
        fi
    :: else ->
        if
        :: cs[c] == GONE -> tells = e[0].matched
        :: cs[c] == IN -> tells = true
        :: else -> tells = matches(cs[e[0].from]) || e[0].shown
        fi
    fi;
#ifndef FAULT_ECHO_IS_FORGOTTEN
    if
    :: tells && e[0].keeps -> echoedThrough = newest
    :: else -> skip
    fi;
#endif
    k = 0; removeEntry(); k = 0;
    if
    :: tells ->
        nextSeq; line!CHANGED, c, stamp(c);
        if
        :: catching -> told = c
        :: else -> skip
        fi
    :: else -> skip
    fi;
    c = 0; tells = false; alone = false
}

#ifdef FAULT_SYNCED_TOO_EARLY
#define owesNone true
#else
#define owesNone (!(waiting > 0 && e[0].untold) && !(waiting > 1 && e[1].untold) && !(waiting > 2 && e[2].untold))
#endif

/* `Watch.next`. */
inline next() {
    if
    :: dropped ->
        dropped = false; base = position; target = newest; told = position; pageEnd = position; page = 0;
        nextSeq; line!RESET, base, stamp(base)
    :: !dropped && page > 0 ->
        position = page; told = page;
        nextSeq; line!CHANGED, page, stamp(page);
        page = 0
    :: else ->
        if
        :: catching && pageEnd > position -> position = pageEnd
        :: else -> skip
        fi;
        if
        :: catching && position < target -> readPage()
        :: catching && position >= target && owesNone ->
            catching = false; base = 0; target = 0; told = 0; pageEnd = 0; snap = NONE;
            nextSeq; line!SYNCED, (waiting == 0 -> newest : position), stamp(newest)
        :: else -> tellFirst()
        fi
    fi
}

#define isOwed (watching && (dropped || page > 0 || catching || waiting > 0))

/* The engine's turns for this dependent, while its socket accepts data. */
active proctype Telling()
{
endIdle:
    do
    :: d_step { isOwed && nfull(line) -> next(); skip }
    od
}

/* MARK: The client */

inline forget() {
    i = 0;
    do
    :: i <= COMMITS -> own[i] = false; i++
    :: else -> break
    od;
    drop();
    i = 0;
    do
    :: len(line) > 0 -> line?_, _, _
    :: else -> break
    od;
    watching = false; dropped = false; catching = false; position = 0; base = 0; target = 0; told = 0; pageEnd = 0; snap = NONE;
    echoedThrough = 0; seq = 0; lastSeq = 0; lastTo = 0; began = 0; from0 = 0;
    n = 1;
    do
    :: n <= NOTES -> heard[n] = false; n++
    :: else -> break
    od;
    n = 0
}

inline forgetHeld() {
    n = 1;
    do
    :: n <= NOTES -> held[n] = 0; n++
    :: else -> break
    od;
    n = 0; cursor = 0
#if ROLLBACKS > 0
    ; cursorTop = 0; cursorRun = 0
#endif
}

#if ROLLBACKS > 0 && !defined(FAULT_CURSOR_WITHOUT_RUN)
#define isKnown (cursorTop <= newest && (cursorTop == 0 || runOf[cursorTop] == cursorRun))
#else
#define isKnown (cursor <= newest)
#endif

/* `Engine.watch`: from its cursor, or a snapshot if it has none or the store does not know it. */
inline watch() {
    if
    :: cursor > 0 && isKnown -> position = cursor; snap = NONE
    :: else -> forgetHeld(); position = 0; snap = newest
    fi;
    base = position; target = newest; told = position; pageEnd = position;
    catching = true; watching = true; began = newest; from0 = position; lastTo = position
}

/* Every change up to the cursor was sent: the client's copy of a note that did not change since is
 * right. */
inline judgeCursor() {
    n = 1;
    do
    :: n <= NOTES ->
        G6_cursor_covers = (at[n] > cursor || right(n)); assert(G6_cursor_covers);
        n++
    :: else -> break
    od;
    n = 0
}

/* Every note that was in the filter when the watch began, and stayed, was sent by now. */
inline judgeSynced() {
    n = 1;
    do
    :: n <= NOTES ->
        hit = false; alone = true; j = 1;
        do
        :: j <= newest ->
            if
            :: cn[j] == n && j <= began -> hit = (j > from0); alone = matches(cs[j])
            :: cn[j] == n && j > began -> alone = alone && matches(cs[j])
            :: else -> skip
            fi;
            j++
        :: else -> break
        od;
        G5_synced_is_all = !(hit && alone && !heard[n]); assert(G5_synced_is_all);
        n++
    :: else -> break
    od;
    n = 0; j = 0; hit = false; alone = false
}

/* After a reset that resumes, the filter contains nothing that the client lacks. */
inline judgeReset(b) {
    n = 1;
    do
    :: n <= NOTES ->
        commitUpTo(n, b);
        G6_reset_goes_on_from_what_was_told = !(p > cursor && matches(cs[p]) && held[n] < p);
        assert(G6_reset_goes_on_from_what_was_told);
        n++
    :: else -> break
    od;
    n = 0; p = 0
}

inline judgeSeq(s) {
    G5_seq_has_no_gap = ((lastSeq + 1) % 8 == s % 8); assert(G5_seq_has_no_gap);
    lastSeq = s % 8
}

inline moveCursor(to) {
    cursor = to;
#if ROLLBACKS > 0
#ifdef FAULT_CURSOR_NAMES_ITSELF
    cursorTop = cursor;
#else
    cursorTop = s / 8;
#endif
    cursorRun = (cursorTop > 0 -> runOf[cursorTop] : 0);
#endif
    judgeCursor()
}

active proctype Client()
{
    byte x, s;
endIdle:
    do
    :: atomic { !watching -> d_step { watch(); skip } }
    :: atomic { line?CHANGED, x, s -> d_step {
        judgeSeq(s);
        G4_in_order_and_once = (x > lastTo); assert(G4_in_order_and_once);
        lastTo = x;
        held[cn[x]] = (matches(cs[x]) -> x : 0); heard[cn[x]] = true;
        moveCursor(cursorOf(x)); x = 0; s = 0 } }
    :: atomic { line?SYNCED, x, s -> d_step { judgeSeq(s); moveCursor(x); judgeSynced(); x = 0; s = 0 } }
    :: atomic { line?RESET, x, s -> d_step { judgeSeq(s); judgeReset(x); x = 0; s = 0 } }
    :: atomic { line?ANSWER, x, _ -> d_step { held[cn[x]] = (matches(cs[x]) -> x : 0); heard[cn[x]] = true; x = 0 } }
    od
}

/* Cuts the connection, or ends the daemon and restarts it on this store or an older copy. It may
 * stop doing so at any time. */
active proctype Fate()
{
    byte back;
    do
    :: d_step { losses < LOSSES && watching -> losses++; forget(); skip }
#if SHRINKS > 0
    :: d_step { shrinks < SHRINKS && watching && !dropped && waiting > 0 -> shrinks++; drop(); skip }
#endif
#if ROLLBACKS > 0
    :: atomic { rollbacks < ROLLBACKS -> rollbacks++; d_step { forget(); skip };
        select (back : 0 .. COMMITS);
        if
        :: back < newest -> d_step {
            do
            :: newest > back -> cn[newest] = 0; cs[newest] = 0; runOf[newest] = 0; newest--
            :: else -> break
            od;
            n = 1;
            do
            :: n <= NOTES -> commitUpTo(n, newest); at[n] = p; n++
            :: else -> break
            od;
            n = 0; p = 0 }
        :: else -> skip
        fi;
        back = 0; runNow++ }
#endif
    :: break
    od
}

#ifdef LIVE
/* Time passes when nothing else happens, so a quiescent state is a cycle, too. */
hidden byte tick;
active proctype Clock()
{
    do
    :: tick = 0
    od
}
#endif

/* The newest state always arrives. */
#if NOTES == 2
#define allRight (right(1) && right(2))
#else
#define allRight (right(1) && right(2) && right(3))
#endif
ltl G5 { <>[] allRight }
