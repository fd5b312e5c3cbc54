/** The page of the portal at /start: where it is. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { start as words } from '../../../texts/portal-start.ts';

export const page: PageDefinition = {
  path: '/start',
  title: words.title,
  icon: 'start',
  letter: 's',
  order: 20,
  Page: lazy(async () => ({ default: (await import('./start.tsx')).Start })),
};
