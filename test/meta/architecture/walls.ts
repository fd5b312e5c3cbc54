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
  'server/config': [],
  'server/dialects': ['contract', 'server/errors'],
  'server/storage': ['server/departure', 'server/patience', 'type server/config'],
  'server/telemetry': ['type contract', 'type server/config'],
  'server/history': ['contract', 'server/storage', 'server/errors', 'server/dialects', 'server/own-turn'],
  // An account is opened with its balance, in one step.
  'server/access': ['server/ledger', 'server/storage', 'server/errors', 'type server/config', 'type server/catalog'],
  'server/ledger': ['contract', 'server/storage', 'server/errors', 'type server/config', 'type server/catalog'],
  'server/idempotency': ['server/errors', 'server/storage'],
  'server/limits': ['server/departure', 'server/patience', 'type server/config'],
  'server/upstreams': ['contract', 'server/dialects', 'server/errors', 'server/telemetry', 'type server/config'],
  // What was refused or failed, for whoever asks.
  'server/refusals': ['server/storage', 'type server/telemetry'],
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
  'server/reload': ['server/access', 'server/config', 'type server/gateway', 'type server/telemetry'],
  // Calls that are kept as files, and answers from them.
  'server/tape': ['contract', 'server/config', 'server/dialects', 'server/errors', 'type server/upstreams'],
  'server/routes': [
    'server/headers',
    'contract',
    'server/once',
    'server/ledger',
    'type server/limits',
    'server/access',
    'server/adapter',
    'server/answer',
    'server/dialects',
    'server/errors',
    'server/pipeline',
    'server/room',
    'type server/call',
    'type server/catalog',
    'type server/gateway',
    'server/upstreams',
  ],
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
  'server/admin': [
    'server/operation-errors',
    'contract',
    'server/access',
    'server/adapter',
    'server/bounds',
    'server/config',
    'server/errors',
    'server/http-errors',
    'server/ledger',
    'server/limits',
    'server/refusals',
    'server/routes',
    'server/storage',
    'server/telemetry',
    'type server/catalog',
    'type server/reload',
  ],
  'server/doctor': ['server/access', 'server/config', 'server/limits', 'server/storage'],
  // Another deployment, seen from outside: it shares the contract with ours, and the readers of streams.
  'server/verify': ['contract', 'server/dialects'],
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
    'server/verify',
  ],
};
