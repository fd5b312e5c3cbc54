/** Keys of operators have a role. Those that exist, and those that a process of the previous version makes, may do everything. */
export const SQL = `
  ALTER TABLE admin_keys ADD COLUMN role TEXT NOT NULL DEFAULT 'admin' CHECK (role IN ('viewer', 'billing', 'admin'));
`;
