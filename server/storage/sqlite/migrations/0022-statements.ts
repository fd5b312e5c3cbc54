/** Indexes for the statement of an account (decision 0064). */
export const SQL = `
  -- Of each transfer the side of an account or a subscription. Covers the sums that balances are walked back by.
  CREATE INDEX entries_by_owner ON entries (book, created_at, id, amount) WHERE book NOT IN ('revenue', 'funding', 'overrun');
  -- Few rows, and none of a call.
  CREATE INDEX entries_of_operators ON entries (book, created_at, id) WHERE kind IN ('top_up', 'refund', 'correction');
`;
