/** The tables of both engines. Amounts are micro-dollars, times milliseconds since 1970. A name is compared by its bytes, whatever the locale of the database. */

/** Keywords that differ between the SQL dialects. */
export interface SqlTypes {
  readonly int: string;
  readonly bytes: string;
  readonly bool: string;
  readonly no: string;
  /** Text that is compared by bytes. */
  readonly name: string;
  /** A number that the engine increments. */
  readonly rowId: string;
  /** A number that the engine increments and never reuses. */
  readonly counter: string;
  /** The end of a table whose rows are found by primary key. */
  readonly end: string;
  /** The end of a table whose rows have a separate row number. */
  readonly rowsEnd: string;
  /** The end of a table whose rows change thousands of times per second. */
  readonly hotEnd: string;
  /** An extra column of a table that keeps the order of its rows. */
  readonly place: string;
  /** Columns that an index contains but isn't ordered by. */
  including(column: string): string;
}

const countColumns = ['requests', 'errors', 'rejected', 'input', 'cached_input', 'cache_write', 'output', 'images', 'charged', 'missed'];
const costColumns = ['vendor_cost', 'costed', 'costed_charged'];
/** Histogram columns: requests by time to first event (f) and by total time (t), in steps of 50%. */
const histogramColumns = ['f', 't'].flatMap((name) => Array.from({ length: 24 }, (_, index) => `${name}${index}`));

/**
 * Conditions of partial indexes: entries created by operators, and entries in an owner's ledger. A query must repeat the condition to use
 * the index.
 * The engine evaluates them for each inserted row. Comparisons cost a third of `IN`, for which SQLite builds a table each time.
 */
export const OPERATOR_ENTRIES_CONDITION = "kind <> 'charge' AND kind <> 'overrun'";
export const OWNER_ENTRIES_CONDITION = "book <> 'revenue' AND book <> 'funding' AND book <> 'overrun'";

export const buildTables = (types: SqlTypes): string =>
  buildAccessTables(types) +
  buildMoneyTables(types) +
  buildResponseTables(types) +
  buildRequestLogTables(types) +
  buildOperationTables(types);

const buildAccessTables = ({ int, bytes, name, end, rowsEnd, place }: SqlTypes): string => `
  CREATE TABLE accounts (
    id ${name} PRIMARY KEY NOT NULL, name ${name} NOT NULL UNIQUE, created_at ${int} NOT NULL, group_name TEXT NOT NULL DEFAULT 'default',
    suspended_at ${int}, limits TEXT, self_service TEXT${place}
  )${rowsEnd};
  CREATE INDEX accounts_by_time ON accounts (created_at, id);

  CREATE TABLE keys (
    id ${name} PRIMARY KEY NOT NULL, account_id ${name} NOT NULL REFERENCES accounts (id), name TEXT NOT NULL,
    hash ${bytes} NOT NULL UNIQUE CHECK (length(hash) = 32), last_four TEXT NOT NULL,
    created_at ${int} NOT NULL, expires_at ${int}, revoked_at ${int}, permissions TEXT, ip_ranges TEXT, limits TEXT,
    cap_micros ${int} CHECK (cap_micros >= 0), cap_period TEXT CHECK (cap_period IN ('day', 'week', 'month', 'never')),
    replaced_by ${name}, cap_owner ${name}, made_by TEXT${place}
  )${rowsEnd};
  CREATE INDEX keys_by_account ON keys (account_id);
  CREATE INDEX keys_by_time ON keys (created_at, id);
  CREATE INDEX keys_by_last_four ON keys (last_four);
  CREATE INDEX keys_capped ON keys (id) WHERE cap_micros IS NOT NULL AND revoked_at IS NULL;

  CREATE TABLE admin_keys (
    id ${name} PRIMARY KEY NOT NULL, name TEXT NOT NULL, hash ${bytes} NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at ${int} NOT NULL, revoked_at ${int}, role TEXT NOT NULL DEFAULT 'admin' CHECK (role IN ('viewer', 'billing', 'admin'))
  )${end};
  CREATE TABLE pepper_fingerprint (id ${int} PRIMARY KEY NOT NULL CHECK (id = 1), fingerprint ${bytes} NOT NULL)${rowsEnd};

  -- Sessions of browsers and tokens of setup links: few rows, each deleted when it ends.
  CREATE TABLE sessions (
    id ${name} PRIMARY KEY NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('console', 'portal', 'console_setup', 'portal_setup')),
    hash ${bytes} NOT NULL UNIQUE, key_id TEXT, created_at ${int} NOT NULL, seen_at ${int} NOT NULL, expires_at ${int} NOT NULL,
    issuer TEXT, subject TEXT, name TEXT, role TEXT
  )${rowsEnd};
`;

const buildMoneyTables = ({ int, bool, no, name, rowId, counter, end, rowsEnd, hotEnd, including }: SqlTypes): string => `
  CREATE TABLE balances (
    account_id ${name} PRIMARY KEY NOT NULL REFERENCES accounts (id),
    balance ${int} NOT NULL DEFAULT 0, held ${int} NOT NULL DEFAULT 0 CHECK (held >= 0), CHECK (balance >= held)
  )${hotEnd};

  CREATE TABLE subscriptions (
    id ${name} PRIMARY KEY NOT NULL, account_id ${name} NOT NULL REFERENCES accounts (id), plan TEXT NOT NULL,
    included ${int} NOT NULL CHECK (included >= 0), period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month')),
    on_exhaustion TEXT NOT NULL CHECK (on_exhaustion IN ('stop', 'balance')), price_list TEXT NOT NULL,
    starts_at ${int} NOT NULL, ends_at ${int}, cancelled_at ${int}
  )${rowsEnd};
  CREATE INDEX subscriptions_by_account ON subscriptions (account_id, starts_at);

  -- What was taken of a subscription ('sub:…') or of the cap of a key in one period.
  CREATE TABLE allowances (
    owner ${name} NOT NULL, period_start ${int} NOT NULL,
    used ${int} NOT NULL DEFAULT 0 CHECK (used >= 0), held ${int} NOT NULL DEFAULT 0 CHECK (held >= 0), PRIMARY KEY (owner, period_start)
  )${hotEnd};

  CREATE TABLE price_versions (
    version ${counter}, price_list ${name} NOT NULL, model ${name} NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('config', 'admin')), prices TEXT NOT NULL, created_at ${int} NOT NULL
  )${rowsEnd};
  CREATE INDEX price_versions_by_model ON price_versions (price_list, model, version);

  -- One for each call that was held money for.
  CREATE TABLE charges (
    request_id ${name} PRIMARY KEY NOT NULL, account_id ${name} NOT NULL, key_id ${name} NOT NULL, model TEXT NOT NULL, operation TEXT NOT NULL,
    price_version ${int} NOT NULL, multiplier ${int} NOT NULL, state TEXT NOT NULL CHECK (state IN ('held', 'posted', 'voided', 'expired')),
    node TEXT NOT NULL, source ${name} NOT NULL, source_period ${int}, cap_owner ${name}, cap_period ${int},
    held ${int} NOT NULL CHECK (held >= 0), charged ${int} NOT NULL DEFAULT 0 CHECK (charged >= 0 AND charged <= held),
    overrun ${int} NOT NULL DEFAULT 0 CHECK (overrun >= 0), usage TEXT, estimated ${bool} NOT NULL DEFAULT ${no}, outcome TEXT,
    created_at ${int} NOT NULL, settled_at ${int}
  )${end};
  CREATE INDEX charges_open ON charges (node) WHERE state = 'held';
  CREATE INDEX charges_by_account ON charges (account_id, created_at);
  CREATE TABLE attempts (request_id ${name} PRIMARY KEY NOT NULL, attempts TEXT NOT NULL)${end};

  -- The books: each transfer has two lines, which add up to 0.
  CREATE TABLE entries (
    id ${rowId}, transfer ${name} NOT NULL, kind TEXT NOT NULL, book ${name} NOT NULL, amount ${int} NOT NULL, note TEXT, created_at ${int} NOT NULL
  )${rowsEnd};
  CREATE UNIQUE INDEX entries_named ON entries (transfer, book) WHERE ${OPERATOR_ENTRIES_CONDITION};
  CREATE INDEX entries_of_operators ON entries (book, created_at, id) WHERE ${OPERATOR_ENTRIES_CONDITION};
  CREATE INDEX entries_by_owner ON entries (book, created_at, id${including('amount')} WHERE ${OWNER_ENTRIES_CONDITION};
`;

/** The second migration. */
export const buildClosingTables = ({ int, name, end }: SqlTypes): string => `
  -- Has a row only within a transaction that closes a part of the books: no other may delete entries.
  CREATE TABLE closing (id ${int} PRIMARY KEY NOT NULL CHECK (id = 1))${end};
  -- What the entries add up to, book by book, as far as they were checked; that entry itself is the row 'entry'.
  CREATE TABLE checked_books (book ${name} PRIMARY KEY NOT NULL, amount ${int} NOT NULL)${end};
`;

/** The third migration: columns that older versions leave empty. */
export const buildAlertColumns = ({ int }: SqlTypes): string => `
  -- An alert about the balance opens below it; null: below the amount of the configuration.
  ALTER TABLE accounts ADD COLUMN alert_below ${int};
  CREATE INDEX accounts_with_threshold ON accounts (id) WHERE alert_below IS NOT NULL;
  ALTER TABLE alerts ADD COLUMN acknowledged_at ${int};
  ALTER TABLE alerts ADD COLUMN acknowledged_by TEXT;
  ALTER TABLE alerts ADD COLUMN snoozed_until ${int};
`;

/**
 * The fourth migration, only for SQLite, which stores rows in the order of their primary key.
 * The totals of a day are adjacent, key by key, so that adding up all keys needs no sorting.
 */
export const buildKeyDaysByDayMigration = ({ int, name, end }: SqlTypes): string => `
  CREATE TABLE key_days_next (
    account_id ${name} NOT NULL, day ${int} NOT NULL, key_id ${name} NOT NULL, model ${name} NOT NULL, ${formatCountColumns(int, countColumns)},
    PRIMARY KEY (day, key_id, model, account_id)
  )${end};
  INSERT INTO key_days_next SELECT account_id, day, key_id, model, ${countColumns.join(', ')} FROM key_days ORDER BY day, key_id, model, account_id;
  DROP TABLE key_days;
  ALTER TABLE key_days_next RENAME TO key_days;
  CREATE INDEX key_days_by_account ON key_days (account_id, day);
  CREATE INDEX key_days_by_key ON key_days (key_id, day);
`;

/** The fifth migration. */
export const buildChargedBeforeColumn = ({ int }: SqlTypes): string => `
  -- The part of 'used' that was charged before the cap was set, so that none of the entries moved it.
  ALTER TABLE allowances ADD COLUMN charged_before ${int} NOT NULL DEFAULT 0;
`;

/** The sixth migration. */
export const buildRunTables = ({ int, bytes, name, end }: SqlTypes): string => `
  -- Responses under way, and those that ended minutes ago, whose events can still be read.
  CREATE TABLE response_runs (
    account_id ${name} NOT NULL, response_id ${name} NOT NULL, node ${name} NOT NULL, ended_at ${int}, cancelled_at ${int},
    PRIMARY KEY (account_id, response_id)
  )${end};
  CREATE INDEX response_runs_open ON response_runs (node) WHERE ended_at IS NULL;
  CREATE INDEX response_runs_ended ON response_runs (ended_at) WHERE ended_at IS NOT NULL;
  -- Their events, several in a row as they were written.
  CREATE TABLE response_events (
    account_id ${name} NOT NULL, response_id ${name} NOT NULL, first_block ${int} NOT NULL, blocks ${int} NOT NULL, bytes ${int} NOT NULL, frames ${bytes} NOT NULL,
    PRIMARY KEY (account_id, response_id, first_block),
    FOREIGN KEY (account_id, response_id) REFERENCES response_runs (account_id, response_id) ON DELETE CASCADE
  )${end};
`;

/** The seventh migration. */
export const buildCapTables = ({ int, name, end }: SqlTypes): string => {
  const columns = ['cap_day', 'cap_week', 'cap_month', 'cap_never'];
  const addColumns = (table: string): string =>
    columns.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} ${int} CHECK (${column} >= 0);`).join('\n  ');
  return `
  -- Spending caps. Older versions read only 'cap_micros' and 'cap_period' of keys, so these repeat the first cap.
  ${addColumns('keys')}
  ${addColumns('accounts')}
  UPDATE keys SET ${columns.map((column) => `${column} = CASE WHEN 'cap_' || cap_period = '${column}' THEN cap_micros END`).join(', ')} WHERE cap_micros IS NOT NULL;
  CREATE INDEX accounts_capped ON accounts (id) WHERE coalesce(cap_day, cap_week, cap_month, cap_never) IS NOT NULL;
  -- The caps of the keys that this key was created with, which its calls count toward as well.
  ALTER TABLE keys ADD COLUMN inherited_caps TEXT;
  -- What a charge counts toward besides 'cap_owner'.
  CREATE TABLE charge_caps (
    request_id ${name} NOT NULL, owner ${name} NOT NULL, period_start ${int} NOT NULL, PRIMARY KEY (request_id, owner, period_start)
  )${end};
`;
};

/** The eighth migration. */
export const buildEndUserTables = ({ int, name, end }: SqlTypes): string => {
  const counts = countColumns.join(', ');
  return `
  ALTER TABLE requests ADD COLUMN end_user TEXT;
  ALTER TABLE requests ADD COLUMN tag TEXT;
  CREATE INDEX requests_by_end_user ON requests (end_user, ended_at, id) WHERE end_user IS NOT NULL;
  CREATE TABLE end_user_hours (
    hour ${int} NOT NULL, account_id ${name} NOT NULL, key_id ${name} NOT NULL, model ${name} NOT NULL, end_user ${name} NOT NULL, tag ${name} NOT NULL,
    ${formatCountColumns(int, countColumns)}, PRIMARY KEY (hour, account_id, key_id, model, end_user, tag)
  )${end};
  -- Without key and model, so that a month of many end users is read in time.
  CREATE TABLE end_user_days (
    day ${int} NOT NULL, account_id ${name} NOT NULL, end_user ${name} NOT NULL, tag ${name} NOT NULL,
    ${formatCountColumns(int, countColumns)}, PRIMARY KEY (day, account_id, end_user, tag)
  )${end};
  CREATE INDEX end_user_days_by_account ON end_user_days (account_id, day);
  -- Earlier calls have neither, so that every grouping of them has the same total.
  INSERT INTO end_user_hours SELECT hour, account_id, key_id, model, '', '', ${counts} FROM key_hours;
  INSERT INTO end_user_days SELECT day, account_id, '', '', ${countColumns.map((column) => `sum(${column})`).join(', ')} FROM key_days GROUP BY day, account_id;
`;
};

/** The ninth migration: columns that older versions leave empty. */
export const SESSION_CLIENT_COLUMNS = `
  ALTER TABLE sessions ADD COLUMN address TEXT;
  ALTER TABLE sessions ADD COLUMN browser TEXT;
`;

const buildResponseTables = ({ int, bytes, name, end }: SqlTypes): string => `
  -- Stored responses. Their JSON is kept as text, unchanged: JSONB refuses zero characters and loses the order of fields.
  CREATE TABLE responses (
    account_id ${name} NOT NULL, id ${name} NOT NULL, previous_id ${name}, upstream TEXT NOT NULL, created_at ${int} NOT NULL,
    input TEXT NOT NULL, response TEXT NOT NULL, PRIMARY KEY (account_id, id)
  )${end};
  CREATE INDEX responses_by_age ON responses (created_at);
  CREATE TABLE response_items (
    account_id ${name} NOT NULL, id ${name} NOT NULL, response_id ${name} NOT NULL, item TEXT NOT NULL, PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, response_id) REFERENCES responses (account_id, id) ON DELETE CASCADE
  )${end};
  CREATE INDEX response_items_by_response ON response_items (account_id, response_id);
  -- Where the items are in these texts, so that one can be read without the others.
  CREATE TABLE response_outlines (
    account_id ${name} NOT NULL, response_id ${name} NOT NULL, output_at ${int} NOT NULL, output_bytes ${int} NOT NULL, outline TEXT NOT NULL,
    PRIMARY KEY (account_id, response_id), FOREIGN KEY (account_id, response_id) REFERENCES responses (account_id, id) ON DELETE CASCADE
  )${end};
  CREATE TABLE kept_bytes (account_id ${name} PRIMARY KEY NOT NULL, bytes ${int} NOT NULL)${end};

  -- A repeated request gets the answer of the first.
  CREATE TABLE idempotency (
    account_id ${name} NOT NULL, idempotency_key ${name} NOT NULL, fingerprint TEXT NOT NULL, request_id ${name} NOT NULL, node ${name} NOT NULL,
    created_at ${int} NOT NULL, content_type TEXT, answer ${bytes}, PRIMARY KEY (account_id, idempotency_key)
  )${end};
  CREATE INDEX idempotency_by_age ON idempotency (created_at);
`;

const formatCountColumns = (int: string, columns: readonly string[]): string =>
  columns.map((column) => `${column} ${int} NOT NULL`).join(', ');

function buildRequestLogTables({ int, name, rowId, end, rowsEnd }: SqlTypes): string {
  const formatSeriesColumns = (time: string): string =>
    `${time} ${int} NOT NULL, model ${name} NOT NULL, upstream ${name} NOT NULL, operation ${name} NOT NULL, code ${name} NOT NULL,
    ${formatCountColumns(int, [...countColumns, ...costColumns])},
    ${formatCountColumns(int, histogramColumns)},
    PRIMARY KEY (${time}, model, upstream, operation, code)`;
  return `
  CREATE TABLE requests (
    id ${rowId}, request_id ${name} NOT NULL UNIQUE, ended_at ${int} NOT NULL, account_id ${name}, key_id ${name}, model TEXT, operation TEXT,
    upstream TEXT, session TEXT, status ${int} NOT NULL, code TEXT, outcome TEXT NOT NULL, is_stream ${int} NOT NULL, attempts ${int} NOT NULL,
    first_ms ${int}, total_ms ${int} NOT NULL, input ${int} NOT NULL, cached_input ${int} NOT NULL, cache_write ${int} NOT NULL, output ${int} NOT NULL,
    images ${int} NOT NULL, charged ${int}, missed ${int}, vendor_cost ${int}, repeats ${int} NOT NULL, details TEXT NOT NULL
  )${rowsEnd};
  CREATE INDEX requests_by_time ON requests (ended_at, id);
  CREATE INDEX requests_by_account ON requests (account_id, ended_at, id);
  CREATE INDEX requests_by_key ON requests (key_id, ended_at, id);
  CREATE INDEX requests_by_code ON requests (code, ended_at, id) WHERE code IS NOT NULL;

  -- Sums by hour and by day.
  CREATE TABLE activity_hours (${formatSeriesColumns('hour')})${end};
  CREATE TABLE activity_days (${formatSeriesColumns('day')})${end};
  CREATE TABLE key_hours (
    hour ${int} NOT NULL, account_id ${name} NOT NULL, key_id ${name} NOT NULL, model ${name} NOT NULL, ${formatCountColumns(int, countColumns)},
    PRIMARY KEY (hour, account_id, key_id, model)
  )${end};
  CREATE TABLE key_days (
    account_id ${name} NOT NULL, day ${int} NOT NULL, key_id ${name} NOT NULL, model ${name} NOT NULL, ${formatCountColumns(int, countColumns)},
    PRIMARY KEY (account_id, day, key_id, model)
  )${end};
  CREATE INDEX key_days_by_day ON key_days (day);
  CREATE INDEX key_days_by_key ON key_days (key_id, day);
  CREATE TABLE account_days (
    day ${int} NOT NULL, account_id ${name} NOT NULL, model ${name} NOT NULL, ${formatCountColumns(int, countColumns)}, PRIMARY KEY (day, account_id, model)
  )${end};
  CREATE INDEX account_days_by_account ON account_days (account_id, day);
  -- Hours that were compared with the ledger.
  CREATE TABLE activity_checks (hour ${int} PRIMARY KEY NOT NULL, first_entry ${int} NOT NULL, booked ${int} NOT NULL, summed ${int} NOT NULL)${end};
`;
}

const buildOperationTables = ({ int, name, counter, end, rowsEnd, hotEnd }: SqlTypes): string => `
  -- Processes on this database.
  CREATE TABLE nodes (id ${name} PRIMARY KEY NOT NULL, seen_at ${int} NOT NULL, report TEXT, reported_at ${int})${hotEnd};

  CREATE TABLE audit (
    id ${counter}, actor TEXT NOT NULL, action TEXT NOT NULL, target TEXT NOT NULL, details TEXT NOT NULL, created_at ${int} NOT NULL
  )${rowsEnd};
  CREATE INDEX audit_by_actor ON audit (actor, id);
  CREATE INDEX audit_by_action ON audit (action, id);
  CREATE INDEX audit_by_target ON audit (target, id);
  CREATE INDEX audit_by_time ON audit (created_at, id);

  CREATE TABLE alerts (
    -- An empty subject: the gateway as a whole.
    id ${name} PRIMARY KEY NOT NULL, kind ${name} NOT NULL, subject ${name} NOT NULL, name TEXT, message TEXT NOT NULL, value TEXT, threshold TEXT,
    opened_at ${int} NOT NULL, resolved_at ${int}
  )${end};
  CREATE UNIQUE INDEX alerts_open ON alerts (kind, subject) WHERE resolved_at IS NULL;
  CREATE INDEX alerts_open_by_id ON alerts (id) WHERE resolved_at IS NULL;
  CREATE TABLE alert_deliveries (
    alert_id ${name} NOT NULL REFERENCES alerts (id), event ${name} NOT NULL, webhook ${name} NOT NULL,
    -- The same bytes with each attempt.
    body TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')), attempts ${int} NOT NULL, status ${int}, failure TEXT,
    created_at ${int} NOT NULL, attempted_at ${int}, next_at ${int}, CHECK ((state = 'waiting') = (next_at IS NOT NULL)),
    PRIMARY KEY (alert_id, webhook, event)
  )${end};
  CREATE INDEX alert_deliveries_due ON alert_deliveries (next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX alert_deliveries_by_webhook ON alert_deliveries (webhook, created_at);
  CREATE TABLE alert_sightings (
    subject ${name} NOT NULL, node ${name} NOT NULL, detail TEXT NOT NULL, since ${int} NOT NULL, seen_at ${int} NOT NULL, PRIMARY KEY (subject, node)
  )${end};
  CREATE TABLE alert_turns (name ${name} PRIMARY KEY NOT NULL, next_at ${int} NOT NULL)${end};
`;
