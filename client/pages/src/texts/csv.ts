/** The text of the link that saves a table. */
export const csv = { save: 'CSV' } as const;
