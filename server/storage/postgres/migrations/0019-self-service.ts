/** Who made a key, what the holders of an account may do with keys, and payments by account. The program of the version before does without. */
export const SQL = `
  ALTER TABLE keys ADD COLUMN made_by TEXT;
  ALTER TABLE accounts ADD COLUMN self_service TEXT;
  CREATE INDEX entries_of_payments ON entries (book, created_at, transfer) WHERE kind IN ('top_up', 'refund', 'correction');
`;
