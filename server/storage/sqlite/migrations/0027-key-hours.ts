/** Sums by hour, account, key and model, for the edges of a range that does not begin and end with a UTC day (decision 0091). Calls without a known key count here and by day, too. */
const names = ['requests', 'errors', 'refused', 'input', 'cached_input', 'cache_write', 'output', 'images', 'charged'];
const ADDED = names.join(', ');
/** Of the rows that are still in the log; a row stands for itself and its repetitions. */
const SUMMED = `sum(1 + repeats), sum(CASE outcome WHEN 'failed' THEN 1 + repeats ELSE 0 END), sum(CASE outcome WHEN 'refused' THEN 1 + repeats ELSE 0 END),
  sum(input), sum(cached_input), sum(cache_write), sum(output), sum(images), sum(coalesce(charged, 0))`;
const HOUR = 'ended_at - ended_at % 3600000';
const DAY = 'ended_at - ended_at % 86400000';
const MODEL = "coalesce(model, '')";

export const SQL = `
  CREATE TABLE key_hours (
    hour INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    model TEXT NOT NULL,
    ${names.map((name) => `${name} INTEGER NOT NULL`).join(', ')},
    PRIMARY KEY (hour, account_id, key_id, model)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO key_hours (hour, account_id, key_id, model, ${ADDED})
    SELECT ${HOUR}, coalesce(account_id, ''), coalesce(key_id, ''), ${MODEL}, ${SUMMED} FROM requests GROUP BY 1, 2, 3, 4;
  INSERT INTO account_days (day, account_id, model, ${ADDED})
    SELECT ${DAY}, '', ${MODEL}, ${SUMMED} FROM requests WHERE account_id IS NULL GROUP BY 1, 2, 3;
  INSERT INTO key_days (account_id, day, key_id, model, ${ADDED})
    SELECT coalesce(account_id, ''), ${DAY}, '', ${MODEL}, ${SUMMED} FROM requests WHERE account_id IS NULL OR key_id IS NULL GROUP BY 1, 2, 3, 4;
`;
