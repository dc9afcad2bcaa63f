extension Schema {
    /// Adds what version 2 has to version 1, in one implicit transaction: the bytes of files.
    ///
    /// - `notes.file` has the files that revisions name, and `notes.file_part` their bytes. Parts are only appended, under a
    ///   lock on the file, so two members who upload one file continue each other's upload.
    /// - The function that appends the last part compares the hash, so no member can make other bytes a whole file.
    /// - `notes.append` gets further parameters and `notes.read` another name, so a gateway that began with version 1 fails,
    ///   at its next look at the latest, and begins anew.
    /// - Parts are not compressed, since most files are already, and `substring` then reads only what it returns.
    static let filesSQL = #"""
        SET LOCAL ROLE notes_owner;
        ALTER TABLE notes.space
            ADD COLUMN file_bytes_max bigint NOT NULL DEFAULT 67108864 CHECK (file_bytes_max BETWEEN 0 AND 268435456),
            ADD COLUMN total_bytes_max bigint CHECK (total_bytes_max >= 0);
        CREATE TABLE notes.file (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, space integer NOT NULL,
            hash bytea NOT NULL CHECK (octet_length(hash) = 32), bytes bigint NOT NULL CHECK (bytes BETWEEN 1 AND 9007199254740992),
            whole boolean NOT NULL DEFAULT false, UNIQUE (space, hash, bytes));
        CREATE INDEX file_missing ON notes.file (space, hash, bytes) WHERE NOT whole;
        CREATE TABLE notes.file_part (file bigint NOT NULL, place bigint NOT NULL,
            data bytea NOT NULL CHECK (octet_length(data) BETWEEN 1 AND 786432), PRIMARY KEY (file, place));
        ALTER TABLE notes.file_part ALTER COLUMN data SET STORAGE EXTERNAL;

        CREATE OR REPLACE FUNCTION notes.schema_version() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 2';

        CREATE FUNCTION notes.file_name(space_id integer, hashes bytea[], sizes bigint[]) RETURNS void
        LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
            INSERT INTO notes.file (space, hash, bytes) SELECT space_id, u.hash, u.bytes FROM unnest(hashes, sizes) AS u(hash, bytes)
                ON CONFLICT DO NOTHING
        $$;

        ALTER FUNCTION notes.append(integer, bytea[]) RENAME TO append_bodies;
        CREATE FUNCTION notes.append(space_id integer, bodies bytea[], hashes bytea[], sizes bigint[],
            OUT outcomes text, OUT newest bigint)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            SELECT a.outcomes, a.newest INTO outcomes, newest FROM notes.append_bodies(space_id, bodies) a;
            IF cardinality(hashes) > 0 THEN PERFORM notes.file_name(space_id, hashes, sizes); END IF;
        END $$;

        ALTER FUNCTION notes.read(integer, bigint, integer, bigint) RENAME TO read_rows;

        CREATE FUNCTION notes.file_have(space_id integer, hashes bytea[]) RETURNS TABLE (place bigint)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
        BEGIN
            PERFORM notes.check_member(space_id, false);
            RETURN QUERY SELECT u.n - 1 FROM unnest(hashes) WITH ORDINALITY AS u(hash, n)
                WHERE NOT EXISTS (SELECT FROM notes.file f WHERE f.space = space_id AND f.hash = u.hash AND f.whole) ORDER BY 1;
        END $$;

        CREATE FUNCTION notes.file_missing(space_id integer, after bytea, rows_max integer)
        RETURNS TABLE (hash bytea, bytes bigint)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
        BEGIN
            PERFORM notes.check_member(space_id, false);
            RETURN QUERY SELECT f.hash, f.bytes FROM notes.file f WHERE f.space = space_id AND NOT f.whole AND f.hash > after
                AND NOT EXISTS (SELECT FROM notes.file w WHERE w.space = space_id AND w.hash = f.hash AND w.whole)
                ORDER BY f.hash, f.bytes LIMIT rows_max;
        END $$;

        CREATE FUNCTION notes.file_hash(file_id bigint) RETURNS bytea
        LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
            SELECT sha256(string_agg(p.data, ''::bytea ORDER BY p.place)) FROM notes.file_part p WHERE p.file = file_id
        $$;

        CREATE FUNCTION notes.file_put(space_id integer, file_hash bytea, file_bytes bigint, first_byte bigint, part bytea,
            OUT state text, OUT place bigint)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
        DECLARE file_id bigint; is_whole boolean; file_max bigint; total_max bigint; total bigint;
        BEGIN
            PERFORM notes.check_member(space_id, true);
            SELECT f.id, f.whole INTO file_id, is_whole FROM notes.file f
                WHERE f.space = space_id AND f.hash = file_hash AND f.bytes = file_bytes FOR NO KEY UPDATE;
            IF file_id IS NULL THEN state := 'unwanted'; RETURN; END IF;
            IF is_whole THEN state := 'there'; place := file_bytes; RETURN; END IF;
            SELECT s.file_bytes_max, s.total_bytes_max INTO file_max, total_max FROM notes.space s WHERE s.id = space_id;
            IF file_bytes > file_max THEN state := 'large'; place := file_max; RETURN; END IF;
            place := coalesce((SELECT p.place + octet_length(p.data) FROM notes.file_part p WHERE p.file = file_id
                ORDER BY p.place DESC LIMIT 1), 0);
            IF place = 0 AND total_max IS NOT NULL THEN
                PERFORM FROM notes.space s WHERE s.id = space_id FOR NO KEY UPDATE;
                SELECT coalesce(sum(f.bytes), 0) INTO total FROM notes.file f WHERE f.space = space_id
                    AND (f.whole OR EXISTS (SELECT FROM notes.file_part p WHERE p.file = f.id));
                IF file_bytes > total_max - total THEN state := 'full'; place := total_max; RETURN; END IF;
            END IF;
            state := 'at';
            IF first_byte <> place OR octet_length(part) = 0 THEN RETURN; END IF;
            IF octet_length(part) > file_bytes - place THEN
                RAISE invalid_parameter_value USING MESSAGE = 'the part has bytes after the end of the file';
            END IF;
            INSERT INTO notes.file_part (file, place, data) VALUES (file_id, first_byte, part);
            place := first_byte + octet_length(part);
            IF place < file_bytes THEN RETURN; END IF;
            IF notes.file_hash(file_id) = file_hash THEN
                UPDATE notes.file f SET whole = true WHERE f.id = file_id;
                state := 'there';
            ELSE
                DELETE FROM notes.file_part p WHERE p.file = file_id;
                state := 'differs'; place := 0;
            END IF;
        END $$;

        CREATE FUNCTION notes.file_get(space_id integer, file_hash bytea, first_byte bigint, length integer)
        RETURNS TABLE (bytes bigint, data bytea)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
        BEGIN
            PERFORM notes.check_member(space_id, false);
            RETURN QUERY SELECT f.bytes, (SELECT substring(p.data FROM (first_byte - p.place + 1)::integer FOR length)
                    FROM notes.file_part p WHERE p.file = f.id AND p.place <= first_byte
                        AND first_byte < f.bytes ORDER BY p.place DESC LIMIT 1)
                FROM notes.file f WHERE f.space = space_id AND f.hash = file_hash AND f.whole LIMIT 1;
        END $$;

        CREATE FUNCTION notes.file_check(space_id integer, file_hash bytea) RETURNS boolean
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
        DECLARE file_id bigint;
        BEGIN
            PERFORM notes.check_member(space_id, false);
            SELECT f.id INTO file_id FROM notes.file f WHERE f.space = space_id AND f.hash = file_hash AND f.whole FOR NO KEY UPDATE;
            IF file_id IS NULL THEN RETURN false; END IF;
            IF notes.file_hash(file_id) = file_hash THEN RETURN true; END IF;
            DELETE FROM notes.file_part p WHERE p.file = file_id;
            UPDATE notes.file f SET whole = false WHERE f.id = file_id;
            RETURN false;
        END $$;

        CREATE OR REPLACE FUNCTION notes.admit(space_id integer, new_role name, may_write boolean) RETURNS void
        LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            INSERT INTO notes.member AS m (space, role, writes) VALUES (space_id, new_role, may_write)
                ON CONFLICT (space, role) DO UPDATE SET writes = excluded.writes;
            EXECUTE format('GRANT USAGE ON SCHEMA notes TO %I', new_role);
            EXECUTE format('GRANT EXECUTE ON FUNCTION notes.schema_version, notes.open, notes.append, notes.newest, '
                'notes.known, notes.fold, notes.first, notes.read_rows, notes.file_have, notes.file_missing, notes.file_put, '
                'notes.file_get, notes.file_check TO %I', new_role);
        END $$;

        REVOKE ALL ON ALL FUNCTIONS IN SCHEMA notes FROM PUBLIC;
        DO $$
        DECLARE one record;
        BEGIN
            FOR one IN SELECT m.space, m.role, m.writes FROM notes.member m JOIN pg_roles r ON r.rolname = m.role LOOP
                PERFORM notes.admit(one.space, one.role, one.writes);
            END LOOP;
            -- Roles that back the tables up.
            FOR one IN SELECT DISTINCT g.grantee::text AS role FROM information_schema.role_table_grants g
                WHERE g.table_schema = 'notes' AND g.table_name = 'revision' AND g.privilege_type = 'SELECT'
                AND g.grantee <> 'notes_owner' LOOP
                EXECUTE format('GRANT SELECT ON notes.file, notes.file_part TO %I', one.role);
                EXECUTE format('GRANT SELECT ON SEQUENCE notes.file_id_seq TO %I', one.role);
            END LOOP;
        END $$;
        RESET ROLE;
        """#
}
