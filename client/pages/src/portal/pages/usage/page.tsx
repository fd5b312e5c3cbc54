/** Defines the portal's page /usage. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { portalTitles } from '../../../texts/portal-titles.ts';

export const page: PageDefinition = {
  path: '/usage',
  pattern: '/usage/:month?',
  hasSubpages: true,
  title: portalTitles.usage,
  icon: 'usage',
  letter: 'u',
  order: 30,
  // Statements and ledger entries cover the whole account and any time.
  hasRange: (search) => !['statements', 'entries'].includes(search.get('tab') ?? ''),
  Page: lazy(async () => ({ default: (await import('./usage.tsx')).UsagePages })),
};
