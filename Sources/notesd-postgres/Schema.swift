/// The schema `notes` of a database.
///
/// `notesd-postgres` calls the functions and touches no table, except for the commands of an administrator.
/// All tables and functions belong to the role `notes_owner`, which cannot log in.
enum Schema {
    /// The version that this program creates and uses. `notes.schema_version()` returns that of a database.
    static let version = 2
    /// The versions that this program can use. Version 1 has no files.
    static let usable = 1...version
    /// The first version with files.
    static let versionWithFiles = 2

    /// Creates the schema, in one implicit transaction.
    static let sql = firstSQL + filesSQL

    /// Creates version 1.
    ///
    /// - An append only inserts: one old snapshot, such as that of a dump, would make updated rows slow.
    /// - The lock on the row of the space makes positions rise in the order of commits, so a reader that saw a
    ///   position has seen all before it.
    /// - `notes.fold` moves the dots of rows into `notes.range`, so that `notes.known` reads few rows.
    private static let firstSQL = #"""
        DO $$ BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'notes_owner') THEN CREATE ROLE notes_owner NOLOGIN; END IF;
            IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
                EXECUTE format('GRANT notes_owner TO %I', current_user);
            END IF;
        END $$;
        CREATE SCHEMA notes AUTHORIZATION notes_owner;
        SET LOCAL ROLE notes_owner;
        CREATE TABLE notes.space (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
            store bytea NOT NULL UNIQUE CHECK (octet_length(store) = 8), folded bigint NOT NULL DEFAULT 0);
        CREATE TABLE notes.member (space integer NOT NULL REFERENCES notes.space, role name NOT NULL, writes boolean NOT NULL,
            PRIMARY KEY (space, role));
        CREATE TABLE notes.revision (space integer NOT NULL, position bigint NOT NULL, replica bytea NOT NULL,
            counter bigint NOT NULL, body bytea NOT NULL CHECK (octet_length(body) <= 16777216),
            PRIMARY KEY (space, position), UNIQUE (space, replica, counter));
        CREATE TABLE notes.range (space integer NOT NULL, replica bytea NOT NULL, low bigint NOT NULL, high bigint NOT NULL,
            PRIMARY KEY (space, replica, low));

        CREATE FUNCTION notes.schema_version() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 1';

        CREATE FUNCTION notes.check_member(space_id integer, must_write boolean) RETURNS void
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            IF NOT EXISTS (SELECT FROM notes.member m WHERE m.space = space_id AND m.role = session_user
                AND (m.writes OR NOT must_write)) THEN
                RAISE insufficient_privilege USING MESSAGE = format('the role %s is not a member of the space%s', session_user,
                    CASE WHEN must_write THEN ', or may only read it' ELSE '' END);
            END IF;
        END $$;

        CREATE FUNCTION notes.open(space_name text, OUT id integer, OUT store bytea, OUT writes boolean)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            SELECT s.id, s.store, m.writes INTO id, store, writes FROM notes.space s
                JOIN notes.member m ON m.space = s.id AND m.role = session_user WHERE s.name = space_name;
            IF id IS NULL THEN
                RAISE insufficient_privilege
                    USING MESSAGE = format('there is no space %s of which the role %s is a member', space_name, session_user);
            END IF;
        END $$;

        CREATE FUNCTION notes.counter(body bytea) RETURNS bigint
        LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
        DECLARE value bigint := 0; shift int := 0; byte int;
        BEGIN
            IF octet_length(body) < 26 THEN RETURN NULL; END IF;
            FOR i IN 25..33 LOOP
                IF i >= octet_length(body) THEN RETURN NULL; END IF;
                byte := get_byte(body, i);
                value := value | ((byte & 127)::bigint << shift);
                IF byte < 128 THEN RETURN CASE WHEN value >= 1 AND (byte > 0 OR shift = 0) THEN value END; END IF;
                shift := shift + 7;
            END LOOP;
            RETURN NULL;
        END $$;

        CREATE FUNCTION notes.append(space_id integer, bodies bytea[], OUT outcomes text, OUT newest bigint)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
        DECLARE results text[];
        BEGIN
            PERFORM notes.check_member(space_id, true);
            PERFORM FROM notes.space s WHERE s.id = space_id FOR NO KEY UPDATE;
            SELECT coalesce(max(r.position), 0) INTO newest FROM notes.revision r WHERE r.space = space_id;
            WITH offered AS MATERIALIZED (
                SELECT o.n, o.body, substring(o.body FROM 18 FOR 8) AS replica, notes.counter(o.body) AS counter
                FROM unnest(bodies) WITH ORDINALITY AS o(body, n)),
            first AS MATERIALIZED (
                SELECT DISTINCT ON (f.replica, f.counter) f.n, f.replica, f.counter, f.body, r.body AS held
                FROM offered f LEFT JOIN LATERAL (SELECT h.body FROM notes.revision h
                    WHERE h.space = space_id AND h.replica = f.replica AND h.counter = f.counter LIMIT 1) r ON true
                WHERE f.counter IS NOT NULL ORDER BY f.replica, f.counter, f.n),
            added AS (
                INSERT INTO notes.revision (space, position, replica, counter, body)
                SELECT space_id, newest + row_number() OVER (ORDER BY f.n), f.replica, f.counter, f.body
                FROM first f WHERE f.held IS NULL)
            SELECT array_agg(CASE WHEN o.counter IS NULL THEN 'unreadable' WHEN o.body <> coalesce(f.held, f.body) THEN 'taken'
                    WHEN f.held IS NOT NULL OR o.n > f.n THEN 'known' ELSE 'committed' END ORDER BY o.n)
                INTO results FROM offered o LEFT JOIN first f USING (replica, counter);
            IF 'committed' = ANY (results) THEN PERFORM pg_notify('notes_' || space_id, ''); END IF;
            outcomes := array_to_string(results, ',');
            newest := newest + (SELECT count(*) FROM unnest(results) AS u(word) WHERE u.word = 'committed');
        END $$;

        CREATE FUNCTION notes.newest(space_id integer, OUT place bigint, OUT replica bytea, OUT counter bigint,
            OUT unfolded bigint)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            PERFORM notes.check_member(space_id, false);
            SELECT r.position, r.replica, r.counter, r.position - s.folded INTO place, replica, counter, unfolded
                FROM notes.revision r JOIN notes.space s ON s.id = r.space
                WHERE r.space = space_id ORDER BY r.position DESC LIMIT 1;
        END $$;

        CREATE FUNCTION notes.known(space_id integer) RETURNS TABLE (replica bytea, low bigint, high bigint)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            PERFORM notes.check_member(space_id, false);
            RETURN QUERY
            WITH parts AS (
                SELECT g.replica, g.low, g.high FROM notes.range g WHERE g.space = space_id
                UNION ALL SELECT r.replica, r.counter, r.counter FROM notes.revision r JOIN notes.space s ON s.id = r.space
                WHERE r.space = space_id AND r.position > s.folded),
            edges AS (SELECT p.*, p.low > coalesce(max(p.high) OVER (PARTITION BY p.replica ORDER BY p.low
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), -1) + 1 AS starts FROM parts p),
            islands AS (SELECT e.*, count(*) FILTER (WHERE e.starts) OVER (PARTITION BY e.replica ORDER BY e.low) AS island
                FROM edges e)
            SELECT i.replica, min(i.low), max(i.high) FROM islands i GROUP BY i.replica, i.island;
        END $$;

        CREATE FUNCTION notes.fold(space_id integer) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE replicas bytea[]; lows bigint[]; highs bigint[]; newest bigint;
        BEGIN
            PERFORM notes.check_member(space_id, true);
            PERFORM FROM notes.space s WHERE s.id = space_id FOR UPDATE;
            SELECT coalesce(max(r.position), 0) INTO newest FROM notes.revision r WHERE r.space = space_id;
            SELECT array_agg(k.replica), array_agg(k.low), array_agg(k.high) INTO replicas, lows, highs FROM notes.known(space_id) k;
            DELETE FROM notes.range g WHERE g.space = space_id;
            INSERT INTO notes.range SELECT space_id, u.* FROM unnest(replicas, lows, highs) u;
            UPDATE notes.space s SET folded = newest WHERE s.id = space_id;
        END $$;

        CREATE FUNCTION notes.first(space_id integer, replicas bytea[], lows bigint[], highs bigint[]) RETURNS bigint
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            PERFORM notes.check_member(space_id, false);
            RETURN (SELECT min(f.place) FROM unnest(replicas, lows, highs) AS w(replica, low, high)
                CROSS JOIN LATERAL (SELECT min(r.position) AS place FROM notes.revision r
                    WHERE r.space = space_id AND r.replica = w.replica AND r.counter BETWEEN w.low AND w.high) f);
        END $$;

        CREATE FUNCTION notes.read(space_id integer, after bigint, rows_max integer, bytes_max bigint)
        RETURNS TABLE (place bigint, replica bytea, counter bigint, body bytea)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            PERFORM notes.check_member(space_id, false);
            RETURN QUERY
            SELECT r.position, r.replica, r.counter, NULL::bytea FROM notes.revision r
            WHERE r.space = space_id AND r.position = after
            UNION ALL
            (SELECT s.position, s.replica, s.counter, s.body FROM (
                SELECT t.*, sum(octet_length(t.body)) OVER (ORDER BY t.position) - octet_length(t.body) AS bytes_before
                FROM (SELECT * FROM notes.revision r WHERE r.space = space_id AND r.position > after
                    ORDER BY r.position LIMIT rows_max) t) s
            WHERE s.bytes_before < bytes_max)
            ORDER BY 1;
        END $$;

        CREATE FUNCTION notes.admit(space_id integer, new_role name, may_write boolean) RETURNS void
        LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            INSERT INTO notes.member AS m (space, role, writes) VALUES (space_id, new_role, may_write)
                ON CONFLICT (space, role) DO UPDATE SET writes = excluded.writes;
            EXECUTE format('GRANT USAGE ON SCHEMA notes TO %I', new_role);
            EXECUTE format('GRANT EXECUTE ON FUNCTION notes.schema_version, notes.open, notes.append, notes.newest, '
                'notes.known, notes.fold, notes.first, notes.read TO %I', new_role);
        END $$;

        CREATE FUNCTION notes.dismiss(space_id integer, old_role name) RETURNS boolean
        LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            DELETE FROM notes.member m WHERE m.space = space_id AND m.role = old_role;
            IF NOT FOUND THEN RETURN false; END IF;
            IF NOT EXISTS (SELECT FROM notes.member m WHERE m.role = old_role)
                AND EXISTS (SELECT FROM pg_roles p WHERE p.rolname = old_role) THEN
                EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA notes FROM %I', old_role);
                EXECUTE format('REVOKE ALL ON SCHEMA notes FROM %I', old_role);
            END IF;
            RETURN true;
        END $$;

        REVOKE ALL ON ALL FUNCTIONS IN SCHEMA notes FROM PUBLIC;
        RESET ROLE;
        """#
}
