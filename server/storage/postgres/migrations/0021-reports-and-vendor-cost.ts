/**
 * What each process reports of itself for operators, on PostgreSQL, as JSON, with its sign of life; null: it is of a previous version, or has reported nothing yet.
 * And what vendors billed: null in a row where it is not known; in the sums, over the calls of which it is known, with how many these are and what they
 * were charged. Calls of a previous version count as not known.
 */
export const SQL = `
  ALTER TABLE nodes ADD COLUMN report TEXT;
  ALTER TABLE nodes ADD COLUMN reported_at BIGINT;
  ALTER TABLE requests ADD COLUMN vendor_cost BIGINT;
  ALTER TABLE activity_hours ADD COLUMN vendor_cost BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE activity_hours ADD COLUMN costed BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE activity_hours ADD COLUMN costed_charged BIGINT NOT NULL DEFAULT 0;
`;
