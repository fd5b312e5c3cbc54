/** What the pages of the portal are called. Apart from their other texts, which are loaded with the page. */

export const portalTitles = {
  catalog: 'Catalog',
  overview: 'Overview',
  start: 'Start',
  usage: 'Usage',
  playground: 'Playground',
  keys: 'Keys',
} as const;
