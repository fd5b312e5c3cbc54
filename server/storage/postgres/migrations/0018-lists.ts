/** Indexes for lists that people read, on PostgreSQL: statements of accounts, filters of the audit log, keys by their last characters (decision 0064). */
export const SQL = `
  -- Of each transfer the side of an account or a subscription. Covers the sums that balances are walked back by.
  CREATE INDEX entries_by_owner ON entries (book, created_at, id) INCLUDE (amount) WHERE book NOT IN ('revenue', 'funding', 'overrun');
  -- Few rows, and none of a call.
  CREATE INDEX entries_of_operators ON entries (book, created_at, id) WHERE kind IN ('top_up', 'refund', 'correction');
  CREATE INDEX audit_by_actor ON audit (actor, id);
  CREATE INDEX audit_by_action ON audit (action, id);
  CREATE INDEX audit_by_target ON audit (target, id);
  CREATE INDEX audit_by_time ON audit (created_at, id);
  CREATE INDEX keys_by_last_four ON keys (last_four);
`;
