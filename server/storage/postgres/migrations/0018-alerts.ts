/** Alerts, on PostgreSQL: what is or was wrong, what is to be told to which webhook, what processes see, and whose turn it is to look. */
export const SQL = `
  CREATE TABLE alerts (
    id TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    -- Empty: the gateway as a whole.
    subject TEXT COLLATE "C" NOT NULL,
    name TEXT,
    message TEXT NOT NULL,
    value TEXT,
    threshold TEXT,
    opened_at BIGINT NOT NULL,
    resolved_at BIGINT
  );
  -- What is wrong is told once, whoever sees it.
  CREATE UNIQUE INDEX alerts_open ON alerts (kind, subject) WHERE resolved_at IS NULL;
  CREATE INDEX alerts_open_by_id ON alerts (id) WHERE resolved_at IS NULL;

  CREATE TABLE alert_deliveries (
    alert_id TEXT COLLATE "C" NOT NULL REFERENCES alerts (id),
    event TEXT COLLATE "C" NOT NULL,
    webhook TEXT COLLATE "C" NOT NULL,
    -- The same bytes with each attempt.
    body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
    attempts BIGINT NOT NULL,
    status BIGINT,
    failure TEXT,
    created_at BIGINT NOT NULL,
    attempted_at BIGINT,
    next_at BIGINT,
    CHECK ((state = 'waiting') = (next_at IS NOT NULL)),
    PRIMARY KEY (alert_id, webhook, event)
  );
  CREATE INDEX alert_deliveries_due ON alert_deliveries (next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX alert_deliveries_by_webhook ON alert_deliveries (webhook, created_at);

  CREATE TABLE alert_sightings (
    subject TEXT COLLATE "C" NOT NULL,
    node TEXT COLLATE "C" NOT NULL,
    detail TEXT NOT NULL,
    since BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (subject, node)
  );

  CREATE TABLE alert_turns (name TEXT PRIMARY KEY, next_at BIGINT NOT NULL);

  CREATE INDEX keys_capped ON keys (id) WHERE cap_micros IS NOT NULL AND revoked_at IS NULL;
`;
