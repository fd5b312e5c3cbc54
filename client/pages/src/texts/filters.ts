/** Texts of filters. */
export const filterTexts = {
  title: 'Filters',
  add: 'Filter',
  any: 'any',
  remove: (label: string, value: string) => `Remove the filter ${label}: ${value}`,
} as const;
