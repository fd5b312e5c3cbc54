/** The page of the portal at /usage: where it is. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { usage as words } from '../../../texts/portal-usage.ts';

export const page: PageDefinition = {
  path: '/usage',
  title: words.title,
  icon: 'usage',
  letter: 'u',
  order: 30,
  hasRange: true,
  Page: lazy(async () => ({ default: (await import('./usage.tsx')).Usage })),
};
