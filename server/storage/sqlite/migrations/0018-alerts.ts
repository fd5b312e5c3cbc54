/** Alerts: what is or was wrong, what is to be told to which webhook, what processes see, and whose turn it is to look. */
export const SQL = `
  CREATE TABLE alerts (
    id TEXT PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    -- Empty: the gateway as a whole.
    subject TEXT NOT NULL,
    name TEXT,
    message TEXT NOT NULL,
    value TEXT,
    threshold TEXT,
    opened_at INTEGER NOT NULL,
    resolved_at INTEGER
  ) STRICT, WITHOUT ROWID;
  -- What is wrong is told once, whoever sees it.
  CREATE UNIQUE INDEX alerts_open ON alerts (kind, subject) WHERE resolved_at IS NULL;
  CREATE INDEX alerts_open_by_id ON alerts (id) WHERE resolved_at IS NULL;

  CREATE TABLE alert_deliveries (
    alert_id TEXT NOT NULL REFERENCES alerts (id),
    event TEXT NOT NULL,
    webhook TEXT NOT NULL,
    -- The same bytes with each attempt.
    body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
    attempts INTEGER NOT NULL,
    status INTEGER,
    failure TEXT,
    created_at INTEGER NOT NULL,
    attempted_at INTEGER,
    next_at INTEGER,
    CHECK ((state = 'waiting') = (next_at IS NOT NULL)),
    PRIMARY KEY (alert_id, webhook, event)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX alert_deliveries_due ON alert_deliveries (next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX alert_deliveries_by_webhook ON alert_deliveries (webhook, created_at);

  CREATE TABLE alert_sightings (
    subject TEXT NOT NULL,
    node TEXT NOT NULL,
    detail TEXT NOT NULL,
    since INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (subject, node)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE alert_turns (name TEXT PRIMARY KEY NOT NULL, next_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE INDEX keys_capped ON keys (id) WHERE cap_micros IS NOT NULL AND revoked_at IS NULL;
`;
