/** Texts of filters. */
export const filterTexts = {
  add: 'Add filter',
  remove: (label: string, value: string) => `Remove filter ${label}: ${value}`,
} as const;
