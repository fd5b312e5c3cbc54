/** Who may import whom: the walls of the house as a table. */
import { wallsOfFiles } from './walls-of-files.ts';

/**
 * For each room the rooms it may import from, itself aside. `type …` allows types alone: they leave nothing in the running program.
 * A file of `server/` is a room of its own, and a folder there is one with the file of the same name.
 */
export const walls: Readonly<Record<string, readonly string[]>> = {
  ...wallsOfFiles,
  contract: [],
  // How tools are set up: plain data and texts, for the command, the guide and the portal.
  'client/connect': [],
  'client/sdk/src': [],
  // Around the package: how it is built, measured and shown.
  'client/sdk': ['client/sdk/src', 'client/packages'],
  docs: ['client/connect', 'contract', 'server/config'],
  // What builds the pages: their routes are those of the contract.
  'client/pages': ['contract'],
  // The pages have the contract as types alone: at run time it would bring all its schemas along (decision 0031).
  'pages/data': ['type contract'],
  'pages/kit': ['pages/data', 'pages/texts'],
  'pages/kit-page': ['pages/data', 'pages/kit'],
  'pages/operator': ['pages/data', 'pages/kit', 'pages/texts', 'type contract'],
  'pages/portal': ['client/connect', 'pages/data', 'pages/kit', 'pages/texts', 'type contract'],
  'pages/texts': [],
  // How the packages are put together: from what the contract says, and as the generators of the documents write it.
  'client/packages': ['client/pages', 'contract', 'docs'],
  // The request log and its sums, beside the ledger.
  'server/activity': ['server/storage', 'type server/telemetry'],
  // An account is opened with its balance, in one step.
  'server/access': ['type contract', 'server/errors', 'server/ledger', 'server/storage', 'type server/config'],
  // What is wrong is read from the books and from the request log; who is told is a matter of the configuration.
  'server/alerts': ['server/config', 'server/ledger', 'server/primitives', 'server/storage', 'type server/telemetry'],
  'server/admin': [
    'contract',
    'server/access',
    'server/activity',
    'server/alerts',
    'server/billing',
    'server/config',
    'server/errors',
    'server/http',
    'server/ledger',
    'server/limits',
    'server/primitives',
    'server/pages',
    'server/sessions',
    'server/storage',
    'server/telemetry',
    'type server/reload',
    'type server/request',
    'type server/upstreams',
  ],
  'server/billing': [
    'contract',
    'server/dialects',
    'server/errors',
    'server/ledger',
    'server/storage',
    'type server/access',
    'type server/config',
    'type server/request',
    'type server/telemetry',
    'type server/upstreams',
  ],
  'server/commands': [
    'client/connect',
    'contract',
    'server/access',
    'server/activity',
    'server/admin',
    'server/cli',
    'server/config',
    'server/connect',
    'server/doctor',
    'server/gateway',
    'server/http',
    'server/ledger',
    'server/reload',
    'server/sessions',
    // The test call of an upstream, for operators.
    'server/request',
    'server/storage',
    'server/telemetry',
    'server/testing',
    'server/verify',
    'server/workers',
  ],
  'server/config': [],
  // Another gateway or this one, seen from the machine of a tool.
  'server/connect': ['client/connect', 'contract', 'server/primitives', 'server/verify'],
  // Several processes on one port.
  // The supervisor counts the limits of its workers.
  'server/workers': ['server/limits', 'type server/config', 'type server/telemetry'],
  'server/dialects': ['contract', 'server/errors', 'server/primitives'],
  // The identity provider is asked as a sign-in asks it.
  // Credentials that are fetched are tried as the upstream itself fetches them.
  'server/doctor': ['server/access', 'server/config', 'server/limits', 'server/sessions', 'server/storage', 'server/upstreams'],
  'server/history': [
    'contract',
    'server/dialects',
    'server/errors',
    'server/primitives',
    'server/storage',
    'type server/config',
    'type server/request',
  ],
  'server/http': [
    'contract',
    'server/access',
    'server/dialects',
    'server/errors',
    'server/ledger',
    'server/limits',
    'server/pages',
    'server/portal',
    'server/primitives',
    'server/request',
    'server/telemetry',
    'server/trpc',
    'server/upstreams',
    'type server/activity',
    'type server/config',
    'type server/gateway',
  ],
  'server/ledger': ['server/storage', 'type server/config'],
  'server/limits': ['server/errors', 'server/primitives'],
  // Files for browsers.
  'server/pages': ['contract', 'server/errors'],
  // What operators see of any account, its holder sees of his own: written by the same functions.
  'server/portal': [
    'contract',
    'server/access',
    // Rows of the request log, and prices, of the holder's account alone.
    'server/activity',
    'server/admin',
    'server/errors',
    'server/ledger',
    'server/http',
    // A call of the playground is weighed by the steps of a call.
    'server/dialects',
    'server/request',
    'server/sessions',
    'type server/config',
    'type server/gateway',
    'type server/limits',
  ],
  // They know nothing of what they are used for.
  'server/primitives': [],
  'server/reload': ['server/access', 'server/config', 'type server/gateway', 'type server/telemetry'],
  'server/request': [
    'contract',
    'server/access',
    'server/billing',
    'server/dialects',
    'server/errors',
    'server/history',
    'server/ledger',
    'server/limits',
    'server/primitives',
    'server/simulator',
    'server/storage',
    'server/recordings',
    'server/upstreams',
    'type server/config',
    'type server/gateway',
    'type server/telemetry',
  ],
  // Cookies that stand for keys; they are read, and rejected, where keys are.
  'server/sessions': ['contract', 'server/access', 'server/errors', 'server/storage'],
  // An upstream inside of the process.
  'server/simulator': ['contract', 'server/dialects', 'server/errors', 'server/primitives', 'server/upstreams'],
  'server/storage': ['server/primitives'],
  'server/stores': [
    'server/access',
    'server/activity',
    'server/alerts',
    'server/history',
    'server/ledger',
    'server/sessions',
    'server/storage',
    'type server/config',
    'type server/telemetry',
  ],
  // Calls that are kept as files, and answers from them.
  'server/recordings': ['contract', 'server/config', 'server/dialects', 'server/errors', 'type server/upstreams'],
  // The rows of vendors are data of the configuration (decision 0003); so for `upstreams`.
  'server/telemetry': ['type contract', 'server/config'],
  // A door that sends requests to the others.
  'server/trpc': ['contract', 'server/dialects', 'server/errors', 'server/http', 'type server/gateway', 'type server/limits'],
  'server/upstreams': ['contract', 'server/config', 'server/dialects', 'server/errors', 'server/primitives', 'server/simulator'],
  // Another deployment, seen from outside: it shares the contract with ours, and the readers of streams.
  'server/verify': ['contract', 'server/dialects', 'server/primitives'],
};
