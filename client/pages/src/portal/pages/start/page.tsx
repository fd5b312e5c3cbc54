/** Defines the portal's page /start. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { portalTitles } from '../../../texts/portal-titles.ts';

export const page: PageDefinition = {
  path: '/start',
  title: portalTitles.start,
  icon: 'start',
  letter: 's',
  order: 20,
  Page: lazy(async () => ({ default: (await import('./start.tsx')).Start })),
};
