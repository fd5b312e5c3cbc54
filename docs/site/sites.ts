/** Defines the two sites: one for callers and general readers, and one for operators, which the admin listener serves. */

import { errorPages } from './errors/pages.ts';
import { type Section, sectionsOf } from './navigation.ts';
import type { Page } from './page.ts';
import { type DocumentOrder, documentPage, documentPages, sources } from './pages/documents.ts';
import { homePage } from './pages/home.ts';
import { operationPages } from './pages/operations.ts';
import { operatorsHome } from './pages/operators.ts';
import { readDocument } from './reference/document.ts';

export interface SitePlan {
  readonly name: string;
  readonly version: string;
  readonly pages: readonly Page[];
  readonly sections: readonly Section[];
}
export type SiteName = 'callers' | 'operators';

export const plans: Readonly<Record<SiteName, (order: DocumentOrder) => SitePlan>> = {
  callers(order) {
    const document = readDocument('openapi.json');
    const pages = [
      homePage(order.painter),
      ...documentPages(order),
      ...operationPages(document, order.painter, true),
      ...errorPages({ painter: order.painter, hasReference: true }),
    ];
    return { name: 'Modelgate', version: document.info.version, pages, sections: sectionsOf(pages) };
  },
  operators(order) {
    const { painter, artist } = order;
    const document = readDocument('admin-openapi.json');
    const operations = operationPages(document, painter, false);
    const errors = errorPages({ painter, hasReference: false });
    // The console links to these guides, and can't always reach the main site. They link to no other page of the repository.
    const guides = sources
      .filter(({ path }) => path === 'guides/alerts' || path === 'guides/webhooks')
      .map((source) => documentPage(source, order));
    const pages = [operatorsHome(document, operations, { painter, artist }), ...operations, ...guides, ...errors];
    const sections = [
      ...document.tags.map(({ name }) => ({ title: name, paths: pathsOf(name) })),
      { title: 'Guides', paths: guides.map(({ path }) => path) },
      { title: 'Errors', paths: errors.map(({ path }) => path), isFolded: true },
    ];
    function pathsOf(tag: string): readonly string[] {
      const own = Object.values(document.paths).flatMap((methods) => Object.values(methods).filter(({ tags }) => tags.includes(tag)));
      return own.map(({ operationId }) => `reference/${operationId}`);
    }
    return { name: 'Modelgate for operators', version: document.info.version, pages, sections };
  },
};
