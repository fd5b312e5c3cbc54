/** Titles of the portal's pages. Separate, because a page's other texts load with the page. */

export const portalTitles = {
  catalog: 'Catalog',
  overview: 'Overview',
  start: 'Start',
  usage: 'Usage',
  playground: 'Playground',
  keys: 'Keys',
} as const;
