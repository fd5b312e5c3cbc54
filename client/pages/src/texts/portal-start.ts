/** Texts of the page that leads to the first call. */
export const start = {
  title: 'Start',
  baseUrl: '1. Base URL',
  baseUrlHint: 'Use it wherever a tool asks for a “host” or “endpoint”. It ends in /v1.',
  key: '2. Your key, as an environment variable',
  keyHint: (last: string) =>
    `You're signed in with the key ending in ${last}. Keys are stored as hashes, so the portal can't show the full key.`,
  tool: '3. Your tool',
  toolName: 'Tool',
  model: 'Model',
  sampleCall: 'Sample call',
  byCommand: 'With one command',
  byCommandHint:
    "The command needs Node 22.19 or later. It reads your key from MODELGATE_API_KEY, writes it to the tool's file, and shows each change. --undo restores your files; --test tests the tool.",
  byHand: 'Or by hand',
  startWith: 'Start it with',
  noModel: "This key can't call any text model right now. For the reason, see the",
  firstCall: '4. Your first call',
  waiting: 'Waiting for your first call…',
  timedOut: 'No call arrived within 5 minutes.',
  waitAgain: 'Wait again',
  arrived: 'Call received',
  arrivedRejected: 'Call received, but rejected',
  receipt: 'View receipt',
  troubleshooting: 'Not seeing your call? Check these common causes:',
  commonCauses: [
    "The base URL doesn't end in /v1, or has /v1 twice.",
    'Another environment variable, such as OPENAI_API_KEY or OPENAI_BASE_URL, overrides your key or base URL.',
    'A proxy between your tool and the gateway is responding instead.',
  ],
  copyNames: { baseUrl: 'base URL', key: 'command', sample: 'sample code' },
} as const;
