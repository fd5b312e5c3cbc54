/** Builds the paths of an OpenAPI document from a contract. All our documents use it. */
import { readFileSync } from 'node:fs';
import type { AppRouter } from '@ts-rest/core';
import { generateOpenApi } from '@ts-rest/open-api';
import { z } from 'zod';
import type { Components } from './components.ts';

type Head = Parameters<typeof generateOpenApi>[1];
type Operation = ReturnType<NonNullable<NonNullable<Parameters<typeof generateOpenApi>[2]>['operationMapper']>>;

export interface PathsOrder {
  readonly router: AppRouter;
  /** The document without paths and components. */
  readonly head: Head;
  readonly components: Components;
  /** Returns an operation without its ID, summary, description, and path and query parameters. */
  describe(name: string): Pick<Operation, 'responses' | 'parameters'>;
}

export function buildPaths({ router, head, components, describe }: PathsOrder) {
  const { paths } = generateOpenApi(router, head, {
    setOperationId: true,
    schemaTransformer: ({ schema }) => (schema instanceof z.ZodType ? components.add(schema) : null),
    operationMapper: (operation, _route, name) => {
      const { summary, description, operationId } = operation;
      const { parameters: headers = [], ...rest } = describe(name);
      const parameters = [...(operation.parameters ?? []), ...headers];
      return { operationId, summary, description, ...(parameters.length > 0 && { parameters }), ...rest };
    },
  });
  return paths;
}

export function readVersion(): string {
  const file = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
}
