/** Texts of filters. */
export const filterTexts = {
  title: 'Filters',
  add: 'Add filter',
  any: 'Any',
  remove: (label: string, value: string) => `Remove filter ${label}: ${value}`,
} as const;
