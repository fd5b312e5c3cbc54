/** Texts of an account's ledger entries and monthly statements, in the console and in the portal. */
export const statement = {
  title: 'Ledger entries',
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

export const monthly = {
  title: 'Monthly statements',
  none: 'No calls in the last 12 months.',
  of: (month: string) => `Statement for ${month}`,
  period: (from: string, to: string) => `${from} to ${to}. Days and months are in UTC`,
  unfinished: "the month isn't over",
  balance: 'Balance',
  opening: 'Opening balance',
  kinds: statement.kinds,
  usage: 'Usage',
  elsewhere: 'Paid by subscription or posted in another month',
  closing: 'Closing balance',
  byModel: 'Usage by model',
  noUsage: 'No calls in this month.',
  noModel: 'No model',
  total: 'Total',
  columns: { model: 'Model', requests: 'Calls', input: 'Input tokens', output: 'Output tokens', images: 'Images', charged: 'Charged' },
  csv: 'Export CSV',
  print: 'Print',
} as const;
