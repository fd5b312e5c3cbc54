/**
 * Writes `@modelgate/contract/routes` for browsers: method, path, and statuses of every operation, without schemas. Its types come from the
 * contract.
 */
import { contract } from '../../../contract/index.ts';

/** Returns the module's source. Routes have the shape of ts-rest, with a symbol in place of each schema. */
export function writeRoutes(): string {
  const routes = Object.entries(contract).map(([name, { method, path, responses }]) => {
    return `  ${name}: route('${method}', '${path}', ${Object.keys(responses).join(', ')}),`;
  });
  return `const plain = Symbol('type only');
const route = (method, path, ...statuses) => ({ method, path, strictStatusCodes: true, responses: Object.fromEntries(statuses.map((status) => [status, plain])) });
export const routes = {
${routes.join('\n')}
};
`;
}

export const formatRoutes = (index: string): string => `import type { ContractPlainType } from '@ts-rest/core';
import type { z } from 'zod';
import type { Contract } from '${index}';

type Plain<Schema> = Schema extends z.ZodType<infer T> ? ContractPlainType<T> : Schema;
type PlainParts<Parts> = { readonly [Name in keyof Parts]: Plain<Parts[Name]> };
type Left = 'summary' | 'description' | 'metadata';
type RouteOf<Route extends { readonly responses: unknown }> = PlainParts<Omit<Route, Left | 'responses'>> & { readonly responses: PlainParts<Route['responses']> };

/**
 * The contract without schemas, in about 1 kB: method, path and statuses of every operation, for \`initClient\` of ts-rest in a browser. Its types are those of
 * the contract. docs/guides/contract-package.md
 */
export declare const routes: { readonly [Name in keyof Contract]: RouteOf<Contract[Name]> };
export type Routes = typeof routes;
`;
