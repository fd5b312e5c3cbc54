/** The text of the link that saves a table. */
export const csv = { save: 'Export CSV' } as const;
