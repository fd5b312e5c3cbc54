/**
 * What each process reports of itself for operators, as JSON, with its sign of life; null: it is of a previous version, or has reported nothing yet.
 * And what vendors billed: null in a row where it is not known; in the sums, over the calls of which it is known, with how many these are and what they
 * were charged. Calls of a previous version count as not known.
 */
export const SQL = `
  ALTER TABLE nodes ADD COLUMN report TEXT;
  ALTER TABLE nodes ADD COLUMN reported_at INTEGER;
  ALTER TABLE requests ADD COLUMN vendor_cost INTEGER;
  ALTER TABLE activity_hours ADD COLUMN vendor_cost INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE activity_hours ADD COLUMN costed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE activity_hours ADD COLUMN costed_charged INTEGER NOT NULL DEFAULT 0;
`;
