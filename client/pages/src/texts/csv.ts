/** The text of the link that downloads a table. */
export const csv = { save: 'Export CSV' } as const;
