/** Defines the activity page of the console. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { activity } from '../../../texts/activity.ts';

export const page: PageDefinition = {
  path: '/activity',
  title: activity.title,
  icon: 'activity',
  letter: 'a',
  order: 20,
  hasRange: true,
  Page: lazy(async () => ({ default: (await import('./activity.tsx')).ActivityPage })),
};
