/** Indexes for lists that operators filter: keys, accounts and the audit log (decision 0070). */
export const SQL = `
  CREATE INDEX keys_by_time ON keys (created_at, id);
  CREATE INDEX keys_by_last_four ON keys (last_four);
  CREATE INDEX accounts_by_time ON accounts (created_at, id);
  -- Newest entries first are found by id, which is in each of these; a range of time has an index of its own.
  CREATE INDEX audit_by_actor ON audit (actor, id);
  CREATE INDEX audit_by_action ON audit (action, id);
  CREATE INDEX audit_by_target ON audit (target, id);
  CREATE INDEX audit_by_time ON audit (created_at, id);
`;
