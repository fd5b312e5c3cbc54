/** Who may import whom: what stands against the walls of the house, and against its other rules of building. */
import type { Import, Module } from './sources.ts';
import { walls } from './walls.ts';

/** Rooms that import no package but these. */
const packages: Readonly<Record<string, readonly string[]>> = {
  contract: ['zod', '@ts-rest/core'],
  'client/sdk/src': [],
  'server/protocols': [],
  // Whatever is added here is downloaded by everybody who opens a page: the budgets of `npm run client:size` are the reason to ask twice.
  'pages/data': ['react', '@tanstack/react-query', 'wouter', 'virtual:browser', '@ts-rest/core'],
  'pages/kit': ['react', 'react-dom', '@tanstack/react-query', 'wouter'],
  'pages/kit-page': ['react', 'wouter'],
  'pages/operator': ['react', '@tanstack/react-query', 'wouter', 'virtual:routes'],
  // The playground reads streams as they come, so it sends its calls itself, with the header of the pages.
  'pages/portal': ['react', '@tanstack/react-query', 'wouter', 'virtual:routes', 'virtual:browser'],
  'pages/texts': [],
};

/** Libraries that are kept in one place, as the beginning of a path, so that each can be replaced there. */
const keepers: Readonly<Record<string, readonly string[]>> = {
  '@ts-rest/fastify': ['server/api/http/ts-rest'],
  '@ts-rest/open-api': ['docs/generate/openapi'],
  '@fastify/multipart': ['server/api/app', 'server/api/v1/form'],
  undici: ['server/providers', 'client/connect/gateway-calls'],
  '@redis/client': ['server/limits'],
  pg: ['server/store'],
  pino: ['server/telemetry'],
  '@opentelemetry/api': ['server/telemetry'],
  yaml: ['server/config', 'client/connect/edit-document'],
  'jsonc-parser': ['client/connect/edit-document'],
  '@decimalturn/toml-patch': ['client/connect/edit-document', 'docs/generate/public-models'],
  diff: ['client/connect/plan-changes'],
  '@trpc/server': ['server/api/trpc'],
  commander: ['server/operate/cli', 'server/operate/commands'],
  nodemailer: ['server/records/alerts'],
  'openid-client': ['server/access/sessions'],
  '@smithy/signature-v4': ['server/providers/auth'],
};

/** Vitest takes a runner of tests as the default export of its file. */
const testRunner = 'test/programs/mutations/runner.ts';
/** Where module constants of numbers and strings have one spelling. */
const hasOneSpelling = /^(?:contract|server|client\/(?:connect|verify|sdk\/src))\//;

/** Every rule that the modules break, as a sentence each. */
export function violationsOf(modules: readonly Module[]): string[] {
  return [...modules.flatMap(brokenBy), ...ringsIn(modules)];
}

function brokenBy(module: Module): string[] {
  const { path, hasDefaultExport, constants } = module;
  const isGenerated = path.includes('.gen.');
  return [
    ...(hasDefaultExport && !path.endsWith('.config.ts') && path !== testRunner ? [`${path} has a default export`] : []),
    ...(hasOneSpelling.test(path) && !isGenerated ? constants.filter((name) => !/^[A-Z][A-Z0-9_]*$/.test(name)) : []).map(
      (name) => `${path} spells the constant ${name} in small letters`,
    ),
    ...module.imports.flatMap((found) => wrongImport(path, found) ?? []),
  ];
}

function wrongImport(path: string, { target, isOurs, isType }: Import): string | undefined {
  const from = roomOf(path);
  // Tests may know everything; samples and settings of tools are programs of their own.
  if (from === 'test' || path.startsWith('docs/samples/') || path.endsWith('.config.ts')) return undefined;
  if (!isOurs) return wrongPackage({ path, from, name: target });
  const to = roomOf(target);
  const crossed = crossedEngines(path, target);
  if (crossed !== undefined) return crossed;
  if (from === to) return undefined;
  const allowed = walls[from];
  if (!allowed) return `${path} is in no room of the table`;
  if (allowed.includes(to) || (isType && allowed.includes(`type ${to}`))) return undefined;
  return `${path} imports ${target}: ${from} may not import ${allowed.includes(`type ${to}`) ? 'more than types of ' : ''}${to}`;
}

/** What both databases need lies above them, so that either can be taken away. */
function crossedEngines(path: string, target: string): string | undefined {
  const [own, other] = [engineOf(path), engineOf(target)];
  return own && other && own !== other ? `${path} imports ${target}: ${own} may not import ${other}` : undefined;
}

const engineOf = (path: string): string | undefined => /^server\/\w+\/(sqlite|postgres)[./]/.exec(path)?.[1];

function wrongPackage({ path, from, name }: { readonly path: string; readonly from: string; readonly name: string }): string | undefined {
  if (name === 'node')
    return from === 'contract' || from === 'client/sdk/src' || from.startsWith('pages/')
      ? `${path} imports Node: ${from} runs anywhere`
      : undefined;
  const only = packages[from];
  if (only && !only.includes(name)) return `${path} imports ${name}: ${from} may not`;
  const keeper = keepers[name];
  return keeper && !keeper.some((start) => path.startsWith(start))
    ? `${path} imports ${name}: that is for ${keeper.join(' and ')}`
    : undefined;
}

export function roomOf(path: string): string {
  const [top = '', next = ''] = path.split('/');
  // What builds the pages runs in Node; the pages themselves are rooms of their own.
  if (path.startsWith('client/pages/src/')) return `pages/${path.split('/')[3] ?? ''}`;
  if (path.startsWith('client/sdk/src/')) return 'client/sdk/src';
  if (path.startsWith('client/connect/recipes/')) return 'client/connect/recipes';
  if (top === 'client') return `client/${next}`;
  // The folders of the API are rooms of their own; the file that mounts them is one more.
  const [, , part = '', inPart] = path.split('/');
  if (top === 'server') return next === 'api' && inPart !== undefined ? `server/api/${part}` : `server/${next}`;
  return top;
}

/** Files that import each other in a circle, types included: such files are one file in pieces. */
function ringsIn(modules: readonly Module[]): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const done = new Set<string>();
  const rings: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) rings.push(`a ring of imports: ${[...trail.slice(at), path].join(' → ')}`);
    if (at >= 0 || done.has(path)) return;
    for (const { target, isOurs } of byPath.get(path)?.imports ?? []) if (isOurs) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of modules) walk(path, []);
  return rings;
}
