/** Groups, permissions of keys, and money: balances, holds, allowances, prices, double-entry bookkeeping, and the audit log. */
export const SQL = `
  ALTER TABLE accounts ADD COLUMN group_name TEXT NOT NULL DEFAULT 'default';
  ALTER TABLE accounts ADD COLUMN suspended_at INTEGER;
  ALTER TABLE accounts ADD COLUMN limits TEXT;

  ALTER TABLE keys ADD COLUMN permissions TEXT;
  ALTER TABLE keys ADD COLUMN ip_ranges TEXT;
  ALTER TABLE keys ADD COLUMN limits TEXT;
  ALTER TABLE keys ADD COLUMN cap_micros INTEGER CHECK (cap_micros >= 0);
  ALTER TABLE keys ADD COLUMN cap_period TEXT CHECK (cap_period IN ('day', 'week', 'month', 'never'));
  ALTER TABLE keys ADD COLUMN replaced_by TEXT;
  ALTER TABLE keys ADD COLUMN cap_owner TEXT;

  CREATE TABLE balances (
    account_id TEXT PRIMARY KEY NOT NULL REFERENCES accounts (id),
    balance INTEGER NOT NULL DEFAULT 0,
    held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
    CHECK (balance >= held)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE subscriptions (
    id TEXT PRIMARY KEY NOT NULL,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    plan TEXT NOT NULL,
    included INTEGER NOT NULL CHECK (included >= 0),
    period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month')),
    on_exhaustion TEXT NOT NULL CHECK (on_exhaustion IN ('stop', 'balance')),
    price_list TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER,
    cancelled_at INTEGER
  ) STRICT;
  CREATE INDEX subscriptions_by_account ON subscriptions (account_id);

  -- What may be spent within one period: the included amount of a subscription ('sub:…'), the spending cap of a key ('key:…').
  CREATE TABLE allowances (
    owner TEXT NOT NULL,
    period_start INTEGER NOT NULL,
    used INTEGER NOT NULL DEFAULT 0 CHECK (used >= 0),
    held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
    PRIMARY KEY (owner, period_start)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE price_versions (
    version INTEGER PRIMARY KEY AUTOINCREMENT,
    price_list TEXT NOT NULL,
    model TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('config', 'admin')),
    prices TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX price_versions_by_model ON price_versions (price_list, model, version);

  -- One row for each paid request, from its reservation to its one terminal state.
  CREATE TABLE charges (
    request_id TEXT PRIMARY KEY NOT NULL,
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    model TEXT NOT NULL,
    operation TEXT NOT NULL,
    price_version INTEGER NOT NULL,
    multiplier INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('held', 'posted', 'voided', 'expired')),
    node TEXT NOT NULL,
    source TEXT NOT NULL,
    source_period INTEGER,
    cap_owner TEXT,
    cap_period INTEGER,
    held INTEGER NOT NULL CHECK (held >= 0),
    charged INTEGER NOT NULL DEFAULT 0 CHECK (charged >= 0 AND charged <= held),
    overrun INTEGER NOT NULL DEFAULT 0 CHECK (overrun >= 0),
    usage TEXT,
    estimated INTEGER NOT NULL DEFAULT 0,
    outcome TEXT,
    created_at INTEGER NOT NULL,
    settled_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX charges_open ON charges (node) WHERE state = 'held';
  CREATE INDEX charges_by_account ON charges (account_id, created_at);

  -- Append-only. Each transfer is two rows whose amounts are opposite: the sum over all rows is zero.
  CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    transfer TEXT NOT NULL,
    kind TEXT NOT NULL,
    book TEXT NOT NULL,
    amount INTEGER NOT NULL,
    note TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX entries_by_book ON entries (book, id);
  -- A transfer that an operator names is made once.
  CREATE UNIQUE INDEX entries_named ON entries (transfer, book) WHERE kind IN ('top_up', 'refund', 'correction');
  CREATE TRIGGER entries_are_final BEFORE UPDATE ON entries BEGIN SELECT raise(ABORT, 'entries are append-only'); END;
  CREATE TRIGGER entries_stay BEFORE DELETE ON entries BEGIN SELECT raise(ABORT, 'entries are append-only'); END;

  -- Running processes; the holds of one that is silent for too long are orphans.
  CREATE TABLE nodes (id TEXT PRIMARY KEY NOT NULL, seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE admin_keys (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    details TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER audit_is_final BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit is append-only'); END;
  CREATE TRIGGER audit_stays BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'the audit is append-only'); END;

  INSERT INTO balances (account_id) SELECT id FROM accounts;
`;
