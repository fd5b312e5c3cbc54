/** The request log and its sums: one row for each call that ended, sums by hour, and sums by day for accounts and keys (decision 0058). */
/** Sums of calls, written alike in three tables. */
const SUMS = ['requests', 'errors', 'refused', 'input', 'cached_input', 'cache_write', 'output', 'images', 'charged']
  .map((name) => `${name} INTEGER NOT NULL`)
  .join(', ');
/** Calls by the time to their first event, and by their whole time: 24 columns each, every bound 1.5 times the one before. */
const columns = (letter: string): string => Array.from({ length: 24 }, (_, index) => `${letter}${index} INTEGER NOT NULL`).join(', ');
const FIRST = columns('f');
const TOTAL = columns('t');

export const SQL = `
  CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL UNIQUE,
    ended_at INTEGER NOT NULL,
    account_id TEXT,
    key_id TEXT,
    model TEXT,
    operation TEXT,
    upstream TEXT,
    status INTEGER NOT NULL,
    code TEXT,
    outcome TEXT NOT NULL,
    is_stream INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    first_ms INTEGER,
    total_ms INTEGER NOT NULL,
    input INTEGER NOT NULL,
    cached_input INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    output INTEGER NOT NULL,
    images INTEGER NOT NULL,
    charged INTEGER,
    repeats INTEGER NOT NULL,
    details TEXT NOT NULL
  ) STRICT;
  CREATE INDEX requests_by_time ON requests (ended_at, id);
  CREATE INDEX requests_by_account ON requests (account_id, ended_at, id);
  CREATE INDEX requests_by_key ON requests (key_id, ended_at, id);

  -- The sums of closed hours stay when the rows are gone. An empty text stands for none.
  CREATE TABLE activity_hours (
    hour INTEGER NOT NULL,
    model TEXT NOT NULL,
    upstream TEXT NOT NULL,
    operation TEXT NOT NULL,
    code TEXT NOT NULL,
    ${SUMS},
    ${FIRST},
    ${TOTAL},
    PRIMARY KEY (hour, model, upstream, operation, code)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE account_days (
    day INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    model TEXT NOT NULL,
    ${SUMS},
    PRIMARY KEY (day, account_id, model)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX account_days_by_account ON account_days (account_id, day);
  CREATE TABLE key_days (
    account_id TEXT NOT NULL,
    day INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    model TEXT NOT NULL,
    ${SUMS},
    PRIMARY KEY (account_id, day, key_id, model)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX key_days_by_day ON key_days (day);
  CREATE INDEX key_days_by_key ON key_days (key_id, day);

  -- Closed hours, compared with the ledger once each: what the books took in, and what the sums by hour say.
  CREATE TABLE activity_checks (
    hour INTEGER PRIMARY KEY NOT NULL,
    first_entry INTEGER NOT NULL,
    booked INTEGER NOT NULL,
    summed INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- What was refused before is in the log from here on. The table stays, empty, for processes of the version before.
  INSERT INTO requests (request_id, ended_at, account_id, key_id, model, operation, upstream, status, code, outcome, is_stream, attempts,
      first_ms, total_ms, input, cached_input, cache_write, output, images, charged, repeats, details)
    SELECT request_id, created_at, account_id, key_id, NULL, operation, NULL, status, code,
      CASE WHEN status BETWEEN 400 AND 499 THEN 'refused' ELSE 'failed' END, 0, 0, NULL, 0, 0, 0, 0, 0, 0, NULL, 0,
      json_object('param', param, 'message', message, 'asked', model, 'attempts', json(attempts))
    FROM refusals ORDER BY id;
  DELETE FROM refusals;
`;
