/** Texts of the page that leads to the first call. */
export const start = {
  title: 'Start',
  base: '1. The base URL',
  baseHint: 'It ends in /v1. Tools that ask for a “host” or “endpoint” mean this.',
  key: '2. Your key, as a variable',
  keyHint: (last: string) => `Signed in is the key that ends in ${last}. The portal does not know the whole key and cannot show it.`,
  tool: '3. Your tool',
  model: 'Model',
  noModel: 'This key may call no text model now. The catalog says why.',
  wait: '4. The first call',
  waiting: 'Listening for a call of this key …',
  stopped: 'No call came within five minutes.',
  again: 'Listen again',
  seen: 'A call has come',
  rejected: 'A call has come and was rejected',
  receipt: 'Its receipt',
  mistakes: 'When nothing comes, it is mostly one of these',
  usual: [
    'The base URL has no /v1 at its end, or has it twice.',
    'Another variable, such as OPENAI_API_KEY or OPENAI_BASE_URL, takes the place of the key or the address.',
    'A proxy between the tool and the gateway answers itself.',
  ],
} as const;
