/** The page of the portal at /: where it is. */
import type { PageDefinition } from '../../../kit/pages.ts';
import { overview as words } from '../../../texts/portal-overview.ts';
import { Overview } from './overview.tsx';

export const page: PageDefinition = {
  path: '/',
  title: words.title,
  icon: 'overview',
  letter: 'o',
  order: 10,
  Page: Overview,
};
