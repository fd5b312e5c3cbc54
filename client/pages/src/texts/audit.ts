/** Texts of the page of the audit log. */
export const audit = {
  title: 'Audit log',
  caption: 'Changes, newest first',
  empty: 'No entries yet. The audit log records every sign-in and change.',
  emptyFiltered: 'No changes match these filters.',
  clearFilters: 'Clear filters',
  search: 'Actor, target, or details',
  action: 'Action',
  allActions: 'All actions',
  actor: 'Actor',
  allActors: 'All actors',
  searchBound: (count: number) => `Searches the most recent ${count.toLocaleString()} changes only.`,
  columns: { at: 'Time', actor: 'Actor', action: 'Action', target: 'Target', details: 'Details' },
  actors: { cli: 'Command line', system: 'Gateway', unknown: 'Unknown' },
  entry: (id: string) => `Audit entry ${id}`,
  actorId: 'Actor ID',
  noDetails: 'No details.',
} as const;
