/** Texts of the statement of an account, in the console and in the portal. */
export const statement = {
  title: 'Money in and out',
  note: 'Newest first, each with the balance after it.',
  kind: 'Show',
  all: 'everything',
  kinds: {
    charge: 'charge',
    subscription: 'paid by the subscription',
    top_up: 'top-up',
    refund: 'refund',
    correction: 'correction',
  },
  opening: 'opening balance',
  csv: 'CSV',
  empty: 'No ledger entries yet.',
  emptyFiltered: 'No entry is of this kind.',
  columns: { at: 'Time', what: 'What', amount: 'Amount', balance: 'Balance after', details: 'Details' },
} as const;
