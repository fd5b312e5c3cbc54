/** Who may import whom: the rows of the files that lie at the root of `server/`, each a room of its own. */

export const wallsOfFiles: Readonly<Record<string, readonly string[]>> = {
  'server/cli': ['server/commands'],
  'server/errors': ['contract'],
  'server/gateway': [
    'server/access',
    'server/activity',
    'server/alerts',
    'server/billing',
    'server/config',
    'server/errors',
    'server/history',
    'server/ledger',
    'server/limits',
    'server/primitives',
    'server/request',
    'server/sessions',
    'server/stores',
    'server/recordings',
    'server/upstreams',
    'type server/telemetry',
  ],
  'server/testing': [
    'server/access',
    'server/commands',
    'server/config',
    'server/gateway',
    'server/http',
    'server/ledger',
    'server/telemetry',
  ],
};
