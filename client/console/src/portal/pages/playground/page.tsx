/** The playground: where it is in the portal. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { playgroundPage } from '../../../texts/playground-page.ts';

export const page: PageDefinition = {
  path: '/playground',
  title: playgroundPage.title,
  icon: 'playground',
  letter: 'p',
  order: 50,
  Page: lazy(async () => ({ default: (await import('./playground.tsx')).Playground })),
};
