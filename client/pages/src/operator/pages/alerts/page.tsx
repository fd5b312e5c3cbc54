/** Defines the alerts page of the console. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { alerts } from '../../../texts/alerts.ts';

export const page: PageDefinition = {
  path: '/alerts',
  title: alerts.title,
  icon: 'warning',
  letter: 'w',
  order: 15,
  Page: lazy(async () => ({ default: (await import('./alerts.tsx')).Alerts })),
};
