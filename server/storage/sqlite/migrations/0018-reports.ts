/** What each process reports of itself for operators, as JSON, with its sign of life; null: it is of a previous version, or has reported nothing yet. */
export const SQL = `
  ALTER TABLE nodes ADD COLUMN report TEXT;
  ALTER TABLE nodes ADD COLUMN reported_at INTEGER;
`;
