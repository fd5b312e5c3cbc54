/** The stored bytes of each account, and the places of the items in the texts of a stored response, so that one item can be read without the others. */
export const SQL = `
  CREATE TABLE response_outlines (
    account_id TEXT NOT NULL,
    response_id TEXT NOT NULL,
    output_at INTEGER NOT NULL,
    output_bytes INTEGER NOT NULL,
    outline TEXT NOT NULL,
    PRIMARY KEY (account_id, response_id),
    FOREIGN KEY (account_id, response_id) REFERENCES responses (account_id, id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE kept_bytes (account_id TEXT PRIMARY KEY NOT NULL, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO kept_bytes (account_id, bytes)
    SELECT account_id, sum(octet_length(input) + octet_length(response)) FROM responses GROUP BY account_id;

  -- What an insert would replace goes by itself: it would not be counted else.
  CREATE TRIGGER responses_replaced BEFORE INSERT ON responses BEGIN
    DELETE FROM responses WHERE account_id = NEW.account_id AND id = NEW.id;
  END;
  -- Without a clause for conflicts: that of the statement outside would rule here too.
  CREATE TRIGGER responses_counted AFTER INSERT ON responses BEGIN
    INSERT INTO kept_bytes (account_id, bytes)
      SELECT NEW.account_id, 0 WHERE NOT EXISTS (SELECT 1 FROM kept_bytes WHERE account_id = NEW.account_id);
    UPDATE kept_bytes SET bytes = bytes + octet_length(NEW.input) + octet_length(NEW.response) WHERE account_id = NEW.account_id;
  END;
  CREATE TRIGGER responses_uncounted AFTER DELETE ON responses BEGIN
    UPDATE kept_bytes SET bytes = bytes - octet_length(OLD.input) - octet_length(OLD.response) WHERE account_id = OLD.account_id;
  END;
`;
