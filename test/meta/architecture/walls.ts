/** Who may import whom: the walls of the house as a table. */
import { wallsOfFiles } from './walls-of-files.ts';

/**
 * For each room the rooms it may import from, itself aside. `type …` allows types alone: they leave nothing in the running program.
 * A file of `server/` is a room of its own, and a folder there is one with the file of the same name.
 */
export const walls: Readonly<Record<string, readonly string[]>> = {
  ...wallsOfFiles,
  contract: [],
  'client/src': [],
  // Around the package: how it is built, measured and shown.
  client: ['client/src'],
  docs: ['contract', 'server/config'],
  // How the packages are put together: from what the contract says, and as the generators of the documents write it.
  'client/packages': ['client', 'contract', 'docs'],
  // An account is opened with its balance, in one step.
  'server/access': ['server/errors', 'server/ledger', 'server/storage', 'type server/catalog'],
  'server/admin': [
    'contract',
    'server/access',
    'server/adapter',
    'server/bounds',
    'server/config',
    'server/errors',
    'server/http-errors',
    'server/ledger',
    'server/limits',
    'server/operation-errors',
    'server/refusals',
    'server/routes',
    'server/storage',
    'server/telemetry',
    'type server/catalog',
    'type server/reload',
  ],
  'server/commands': [
    'contract',
    'server/access',
    'server/admin',
    'server/app',
    'server/cli',
    'server/config',
    'server/doctor',
    'server/gateway',
    'server/ledger',
    'server/reload',
    'server/storage',
    'server/telemetry',
    'server/verify',
  ],
  'server/config': [],
  'server/dialects': ['contract', 'server/errors'],
  'server/doctor': ['server/access', 'server/config', 'server/limits', 'server/storage'],
  'server/history': ['contract', 'server/dialects', 'server/errors', 'server/primitives', 'server/storage'],
  'server/idempotency': ['server/errors', 'server/storage'],
  'server/ledger': ['server/storage', 'type server/config'],
  'server/limits': ['server/primitives'],
  // They know nothing of what they are used for.
  'server/primitives': [],
  // What was refused or failed, for whoever asks.
  'server/refusals': ['server/storage', 'type server/telemetry'],
  'server/reload': ['server/access', 'server/config', 'type server/gateway', 'type server/telemetry'],
  'server/routes': [
    'contract',
    'server/access',
    'server/answer',
    'server/dialects',
    'server/errors',
    'server/headers',
    'server/ledger',
    'server/once',
    'server/room',
    'server/upstreams',
    'type server/adapter',
    'type server/call',
    'type server/catalog',
    'type server/gateway',
    'type server/limits',
  ],
  'server/storage': ['server/primitives'],
  'server/stores': [
    'server/access',
    'server/history',
    'server/idempotency',
    'server/ledger',
    'server/refusals',
    'server/storage',
    'type server/config',
    'type server/writer',
  ],
  // Calls that are kept as files, and answers from them.
  'server/tape': ['contract', 'server/config', 'server/dialects', 'server/errors', 'type server/upstreams'],
  'server/telemetry': ['type contract', 'type server/config'],
  // A door that sends requests to the others.
  'server/trpc': [
    'contract',
    'server/dialects',
    'server/entrance',
    'server/errors',
    'server/half-closed',
    'server/routes',
    'type server/gateway',
    'type server/room',
  ],
  'server/upstreams': ['contract', 'server/dialects', 'server/errors', 'type server/config'],
  // Another deployment, seen from outside: it shares the contract with ours, and the readers of streams.
  'server/verify': ['contract', 'server/dialects'],
};
