/** The stored bytes of each account, and the places of the items in the texts of a stored response, on PostgreSQL. Bytes are counted once per statement, in the order of accounts. */
export const SQL = `
  CREATE TABLE response_outlines (
    account_id TEXT COLLATE "C" NOT NULL,
    response_id TEXT COLLATE "C" NOT NULL,
    output_at BIGINT NOT NULL,
    output_bytes BIGINT NOT NULL,
    outline TEXT NOT NULL,
    PRIMARY KEY (account_id, response_id),
    FOREIGN KEY (account_id, response_id) REFERENCES responses (account_id, id) ON DELETE CASCADE
  );

  CREATE TABLE kept_bytes (account_id TEXT COLLATE "C" PRIMARY KEY, bytes BIGINT NOT NULL);

  CREATE FUNCTION count_kept_bytes() RETURNS TRIGGER LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' THEN
      PERFORM 1 FROM kept_bytes WHERE account_id IN (SELECT account_id FROM taken) ORDER BY account_id FOR UPDATE;
      UPDATE kept_bytes AS k SET bytes = k.bytes - t.bytes
      FROM (SELECT account_id, sum(octet_length(input)::BIGINT + octet_length(response)) AS bytes FROM taken GROUP BY account_id) AS t
      WHERE k.account_id = t.account_id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
      INSERT INTO kept_bytes AS k (account_id, bytes)
      SELECT account_id, sum(octet_length(input)::BIGINT + octet_length(response)) FROM added GROUP BY account_id ORDER BY account_id
      ON CONFLICT (account_id) DO UPDATE SET bytes = k.bytes + excluded.bytes;
    END IF;
    RETURN NULL;
  END $$;

  CREATE TRIGGER responses_counted AFTER INSERT ON responses
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes();
  CREATE TRIGGER responses_recounted AFTER UPDATE ON responses
    REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes();
  CREATE TRIGGER responses_uncounted AFTER DELETE ON responses
    REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes();
  INSERT INTO kept_bytes (account_id, bytes)
    SELECT account_id, sum(octet_length(input)::BIGINT + octet_length(response)) FROM responses GROUP BY account_id;
`;
