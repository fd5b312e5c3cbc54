/** Who may import whom: the walls of the house as a table, and what stands against them. */
import type { Import, Module } from './sources.ts';

/**
 * For each room the rooms it may import from, itself aside. `type …` allows types alone: they leave nothing in the running program.
 * A file of `server/` is a room of its own, and a folder there is one with the file of the same name.
 */
const walls: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  'client/src': [],
  // Around the package: how it is built, measured and shown.
  client: ['client/src'],
  docs: ['contract', 'server/config'],
  'server/errors': ['contract'],
  'server/config': [],
  'server/catalog': ['type server/config'],
  'server/dialects': ['contract', 'server/errors'],
  'server/storage': ['type server/config'],
  'server/telemetry': ['type contract', 'type server/config'],
  'server/history': ['contract', 'server/storage', 'server/errors', 'server/dialects'],
  'server/conversation': ['contract', 'server/dialects', 'server/history', 'server/ids', 'type server/call', 'type server/catalog'],
  'server/passage': ['server/dialects', 'server/errors', 'type server/catalog', 'type server/upstreams'],
  'server/access': ['server/storage', 'server/errors', 'type server/config', 'type server/catalog'],
  'server/ledger': ['contract', 'server/storage', 'server/errors', 'type server/config', 'type server/catalog'],
  'server/idempotency': ['server/errors', 'server/storage'],
  'server/once': [
    'server/errors',
    'server/idempotency',
    'server/pipeline',
    'type server/call',
    'type server/gateway',
    'type server/passage',
    'type server/exchange',
  ],
  'server/limits': ['type server/config'],
  'server/upstreams': ['contract', 'server/dialects', 'server/errors', 'server/telemetry', 'type server/config'],
  'server/writer': ['server/access', 'server/history', 'server/idempotency', 'server/ledger', 'server/storage'],
  'server/keeper': ['server/ledger', 'server/storage', 'type server/telemetry'],
  'server/money': ['server/keeper', 'server/ledger', 'server/storage', 'type server/config', 'type server/telemetry'],
  'server/hold': [
    'server/errors',
    'server/keeper',
    'server/ledger',
    'server/storage',
    'type server/access',
    'type server/call',
    'type server/meter',
    'type server/money',
  ],
  'server/meter': ['contract', 'server/dialects', 'type server/errors', 'type server/ledger'],
  'server/bounds': ['contract', 'server/dialects', 'type server/catalog', 'type server/ledger', 'type server/upstreams'],
  'server/grant': [
    'server/errors',
    'server/hold',
    'server/limits',
    'server/meter',
    'type server/access',
    'type server/call',
    'type server/catalog',
    'type server/config',
    'type server/gateway',
    'type server/ledger',
  ],
  'server/stores': [
    'server/access',
    'server/history',
    'server/idempotency',
    'server/ledger',
    'server/storage',
    'type server/config',
    'type server/writer',
  ],
  'server/snapshot': ['server/access', 'server/catalog', 'server/upstreams', 'type server/config'],
  'server/reload': ['server/access', 'server/config', 'type server/gateway', 'type server/telemetry'],
  'server/gateway': [
    'server/snapshot',
    'server/stores',
    'server/access',
    'server/idempotency',
    'server/ledger',
    'server/limits',
    'server/money',
    'server/catalog',
    'server/config',
    'server/errors',
    'server/history',
    'server/storage',
    'server/telemetry',
    'server/upstreams',
    'type server/writer',
    'server/tries',
  ],
  'server/call': [
    'type contract',
    'type server/limits',
    'type server/access',
    'type server/catalog',
    'type server/dialects',
    'type server/telemetry',
    'type server/upstreams',
  ],
  'server/invalid-body': ['contract', 'server/errors'],
  'server/linger': [],
  'server/http-errors': ['contract', 'server/errors', 'server/ids', 'server/linger'],
  'server/adapter': ['contract', 'server/dialects', 'server/errors', 'server/invalid-body'],
  'server/tries': [
    'server/errors',
    'server/upstreams',
    'type server/call',
    'type server/catalog',
    'type server/config',
    'type server/meter',
  ],
  'server/route': ['server/upstreams', 'type server/call', 'type server/catalog', 'type server/gateway', 'type server/passage'],
  'server/exchange': [
    'server/dialects',
    'server/errors',
    'server/history',
    'server/meter',
    'server/passage',
    'server/route',
    'server/tries',
    'server/upstreams',
    'type server/call',
    'type server/catalog',
    'type server/gateway',
    'type server/grant',
  ],
  'server/pipeline': [
    'server/access',
    'server/bounds',
    'server/conversation',
    'server/dialects',
    'server/errors',
    'server/exchange',
    'server/grant',
    'server/ids',
    'server/passage',
    'server/route',
    'server/tries',
    'type server/call',
    'type server/catalog',
    'type server/gateway',
    'type server/history',
  ],
  'server/routes': [
    'contract',
    'server/once',
    'server/ledger',
    'type server/limits',
    'server/access',
    'server/adapter',
    'server/dialects',
    'server/errors',
    'server/pipeline',
    'type server/call',
    'type server/catalog',
    'type server/gateway',
    'server/upstreams',
  ],
  'server/note': ['server/ledger', 'server/telemetry', 'type server/call', 'type server/gateway'],
  'server/app': [
    'contract',
    'server/adapter',
    'server/call',
    'server/errors',
    'server/grant',
    'server/http-errors',
    'server/note',
    'server/routes',
    'server/telemetry',
    'type server/gateway',
    'type server/access',
  ],
  'server/admin': [
    'contract',
    'server/access',
    'server/adapter',
    'server/config',
    'server/errors',
    'server/http-errors',
    'server/ledger',
    'server/limits',
    'server/routes',
    'server/storage',
    'server/telemetry',
    'type server/catalog',
    'type server/reload',
  ],
  'server/doctor': ['server/access', 'server/limits', 'server/storage', 'type server/config'],
  'server/commands': [
    'contract',
    'server/access',
    'server/admin',
    'server/app',
    'server/cli',
    'server/config',
    'server/doctor',
    'server/gateway',
    'server/reload',
    'server/storage',
    'server/telemetry',
    'server/ledger',
  ],
  'server/cli': ['server/commands'],
};

/** Rooms that import no package but these. */
const packages: Readonly<Record<string, readonly string[]>> = {
  contract: ['zod', '@ts-rest/core'],
  'client/src': [],
  'server/dialects': [],
};

/** Libraries that are kept in one place, as the beginning of a path, so that each can be replaced there. */
const keepers: Readonly<Record<string, readonly string[]>> = {
  '@ts-rest/fastify': ['server/adapter'],
  '@ts-rest/open-api': ['docs/openapi'],
  '@fastify/multipart': ['server/app', 'server/routes'],
  undici: ['server/upstreams'],
  '@redis/client': ['server/limits'],
  pg: ['server/storage'],
  pino: ['server/telemetry'],
  '@opentelemetry/api': ['server/telemetry'],
  yaml: ['server/config'],
  commander: ['server/cli', 'server/commands'],
};

const mostLines = 300;

/** Every rule that the modules break, as a sentence each. */
export function violationsOf(modules: readonly Module[]): string[] {
  return [...modules.flatMap(brokenBy), ...ringsIn(modules)];
}

function brokenBy(module: Module): string[] {
  const { path, hasDefaultExport, lines } = module;
  const isGenerated = path.includes('.gen.');
  return [
    ...(hasDefaultExport && !path.endsWith('.config.ts') ? [`${path} has a default export`] : []),
    ...(lines > mostLines && !isGenerated ? [`${path} has ${lines} lines, ${mostLines} are the most`] : []),
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
  if (name === 'node') return from === 'contract' || from === 'client/src' ? `${path} imports Node: ${from} runs anywhere` : undefined;
  const only = packages[from];
  if (only && !only.includes(name)) return `${path} imports ${name}: ${from} may not`;
  const keeper = keepers[name];
  return keeper && !keeper.some((start) => path.startsWith(start))
    ? `${path} imports ${name}: that is for ${keeper.join(' and ')}`
    : undefined;
}

export function roomOf(path: string): string {
  const [top = '', next = ''] = path.split('/');
  if (top === 'client' && next === 'src') return 'client/src';
  return top === 'server' ? `server/${next.replace(/\.\w+$/, '')}` : top;
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
  for (const { path } of modules) if (path.startsWith('server/') || path.startsWith('contract/')) walk(path, []);
  return rings;
}
