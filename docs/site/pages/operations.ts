/** Writes a page for each operation of an OpenAPI document, in document order. */
import type { Painter } from '../markdown/code.ts';
import type { Page } from '../page.ts';
import type { Document } from '../reference/document.ts';
import { operationPage } from '../reference/operation.ts';

export const operationPages = (document: Document, painter: Painter, hasErrorPages: boolean): Page[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationPage({ document, method, path, operation, painter, hasErrorPages })),
  );
