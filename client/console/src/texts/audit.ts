/** Texts of the page of the audit log. */
export const audit = {
  title: 'Audit',
  caption: 'Changes, newest first',
  empty: 'Nothing was changed yet.',
  emptyFiltered: 'None of the changes that are shown fits these filters.',
  clear: 'Clear the filters',
  search: 'Who, target or details',
  action: 'What',
  allActions: 'everything',
  filterPart: (count: number) => `The filters look at the newest ${count.toLocaleString()} changes.`,
  columns: { at: 'Time', actor: 'Who', action: 'What', target: 'Target', details: 'Details' },
  actors: { cli: 'command line', system: 'the gateway', unknown: 'unknown' },
  panel: (id: string) => `Change ${id}`,
  actorId: 'Id',
  noDetails: 'No details.',
  none: '–',
} as const;
