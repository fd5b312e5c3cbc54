/** The virtual modules of the contract. `virtual:routes/…` has the name, method, and path of each operation, without schemas; `virtual:browser` the CSRF header and the error codes. */
import type { Plugin } from 'vite';
import { adminContract } from '../../../contract/admin/index.ts';
import { errorCodes } from '../../../contract/errors.ts';
import { contract } from '../../../contract/index.ts';
import { portalContract } from '../../../contract/portal/index.ts';
import { playgroundContract } from '../../../contract/portal/playground.ts';
import { CONSOLE_HEADER } from '../../../contract/shared/browser.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
}

const PREFIX = 'virtual:routes/';

const isPublic = ([, { metadata }]: readonly [string, { readonly metadata: object }]): boolean => 'isPublic' in metadata;

/** Contracts by module name. `public` has the operations that need no key. */
const contracts: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  admin: adminContract,
  portal: portalContract,
  playground: playgroundContract,
  public: Object.fromEntries(Object.entries(contract).filter(isPublic)),
};

/** Method and path of each operation. Pages need no more at run time, because the contract's types check everything else. */
export function pickRoutes(operations: Readonly<Record<string, Operation>>): Readonly<Record<string, Operation>> {
  return Object.fromEntries(Object.entries(operations).map(([name, { method, path }]) => [name, { method, path }]));
}

/** Returns the source of each virtual module. */
const modules = new Map([
  [
    'virtual:browser',
    `export const CONSOLE_HEADER = ${JSON.stringify(CONSOLE_HEADER)}; export const ERROR_CODES = ${JSON.stringify(errorCodes)};`,
  ],
  ...Object.entries(contracts).map(([name, operations]) => [`${PREFIX}${name}`, createModuleSource(operations)] as const),
]);

function createModuleSource(operations: Readonly<Record<string, Operation>>): string {
  return `export const routes = ${JSON.stringify(pickRoutes(operations))};`;
}

export function createContractModules(): Plugin {
  return {
    name: 'contract-modules',
    // Rollup's convention: the null character marks a module without a file.
    resolveId: (id) => (modules.has(id) ? `\0${id}` : null),
    load: (id) => (id.startsWith('\0') ? (modules.get(id.slice(1)) ?? null) : null),
  };
}
