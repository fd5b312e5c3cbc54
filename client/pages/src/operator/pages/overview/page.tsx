/** Defines the overview, the first page of the console. */
import type { PageDefinition } from '../../../kit/pages.ts';
import { overview } from '../../../texts/overview.ts';
import { Overview } from './overview.tsx';

export const page: PageDefinition = {
  path: '/',
  title: overview.title,
  icon: 'overview',
  letter: 'o',
  order: 10,
  hasRange: true,
  Page: Overview,
};
