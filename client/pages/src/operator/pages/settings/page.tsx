/** Defines the settings page of the console. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { settings } from '../../../texts/settings.ts';

export const page: PageDefinition = {
  path: '/settings',
  title: settings.title,
  icon: 'settings',
  letter: 's',
  order: 100,
  Page: lazy(async () => ({ default: (await import('./settings.tsx')).Settings })),
};
