/** Defines the portal's page /keys. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { portalTitles } from '../../../texts/portal-titles.ts';

export const page: PageDefinition = {
  path: '/keys',
  title: portalTitles.keys,
  icon: 'keys',
  letter: 'k',
  order: 40,
  Page: lazy(async () => ({ default: (await import('./keys.tsx')).Keys })),
};
