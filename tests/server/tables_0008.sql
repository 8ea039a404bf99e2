-- The tables of revision 0008, the first one, as SQLite makes them; "WITHOUT ROWID" is left out for PostgreSQL.
CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE rules (
    hash TEXT NOT NULL,
    tree TEXT NOT NULL,
    PRIMARY KEY (hash)
);
CREATE TABLE game (
    id TEXT NOT NULL,
    rules TEXT NOT NULL,
    status TEXT NOT NULL,
    clock TEXT NOT NULL,
    made_us BIGINT NOT NULL,
    changed_us BIGINT NOT NULL,
    invite TEXT,
    seed TEXT,
    due_us BIGINT,
    computer_us BIGINT,
    marked_us BIGINT,
    open_until_us BIGINT,
    PRIMARY KEY (id),
    FOREIGN KEY(rules) REFERENCES rules (hash)
);
CREATE INDEX game_by_status ON game (status, changed_us);
CREATE INDEX game_by_deadline ON game (due_us) WHERE due_us IS NOT NULL;
CREATE INDEX game_by_computer ON game (computer_us) WHERE computer_us IS NOT NULL;
CREATE INDEX game_by_challenge ON game (status, open_until_us) WHERE open_until_us IS NOT NULL;
CREATE TABLE event (
    game TEXT NOT NULL,
    seq INTEGER NOT NULL,
    t_us BIGINT NOT NULL,
    actor INTEGER,
    message TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (game, seq),
    UNIQUE (game, message),
    FOREIGN KEY(game) REFERENCES game (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE seat (
    game TEXT NOT NULL,
    player INTEGER NOT NULL,
    visitor TEXT NOT NULL,
    PRIMARY KEY (visitor, game, player),
    FOREIGN KEY(game) REFERENCES game (id) ON DELETE CASCADE
);
CREATE INDEX seat_by_game ON seat (game);
CREATE TABLE link (
    secret TEXT NOT NULL,
    game TEXT NOT NULL,
    player INTEGER NOT NULL,
    until_us BIGINT NOT NULL,
    PRIMARY KEY (secret),
    FOREIGN KEY(game) REFERENCES game (id) ON DELETE CASCADE
);
CREATE INDEX link_by_game ON link (game);
CREATE TABLE process (
    id INTEGER NOT NULL,
    beat_us BIGINT NOT NULL,
    has_ended BOOLEAN NOT NULL,
    claimed_us BIGINT,
    here TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE present (
    game TEXT NOT NULL,
    process INTEGER NOT NULL,
    first INTEGER NOT NULL,
    second INTEGER NOT NULL,
    spectators INTEGER NOT NULL,
    PRIMARY KEY (game, process),
    FOREIGN KEY(process) REFERENCES process (id) ON DELETE CASCADE
);
CREATE INDEX present_by_process ON present (process);
CREATE TABLE restart (
    id INTEGER NOT NULL,
    away_since_us BIGINT NOT NULL,
    back_us BIGINT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE clock (
    id INTEGER NOT NULL,
    at_us BIGINT NOT NULL,
    machine_us BIGINT NOT NULL,
    expected_us BIGINT,
    PRIMARY KEY (id)
);
CREATE TABLE classroom (
    code TEXT NOT NULL,
    revision BIGINT NOT NULL,
    changed_us BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (code)
);
CREATE INDEX classroom_by_change ON classroom (changed_us);
INSERT INTO alembic_version VALUES ('0008');
