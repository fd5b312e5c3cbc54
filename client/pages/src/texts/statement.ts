/** Texts of the statement of an account, in the console and in the portal. */
export const statement = {
  title: 'Statement',
  note: 'Newest first, with the balance after each entry.',
  kind: 'Type',
  all: 'All types',
  kinds: { charge: 'Charge', subscription: 'Paid by subscription', top_up: 'Top-up', refund: 'Refund', correction: 'Correction' },
  opening: 'Opening balance',
  csv: 'Export CSV',
  empty: 'No ledger entries yet. Payments and charges appear here.',
  emptyFiltered: 'No entries match this filter.',
  columns: { at: 'Time', what: 'Type', amount: 'Amount', balance: 'Balance after', details: 'Details' },
} as const;
