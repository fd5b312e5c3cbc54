/** Defines the portal's playground. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { portalTitles } from '../../../texts/portal-titles.ts';

export const page: PageDefinition = {
  path: '/playground',
  title: portalTitles.playground,
  icon: 'playground',
  letter: 'p',
  order: 40,
  Page: lazy(async () => ({ default: (await import('./playground.tsx')).Playground })),
};
