/** Texts of the page that leads to the first call. */
export const start = {
  title: 'Start',
  baseUrl: '1. The base URL',
  baseUrlHint: 'It ends in /v1. Tools that ask for a “host” or “endpoint” mean this.',
  key: '2. Your key, as a variable',
  keyHint: (last: string) => `Signed in is the key that ends in ${last}. The portal does not know the whole key and cannot show it.`,
  tool: '3. Your tool',
  model: 'Model',
  noModel: 'This key may call no text model now. The catalog says why.',
  firstCall: '4. The first call',
  waiting: 'Listening for a call of this key …',
  timedOut: 'No call came within five minutes.',
  waitAgain: 'Listen again',
  arrived: 'A call has come',
  arrivedRejected: 'A call has come and was rejected',
  receipt: 'Its receipt',
  troubleshooting: 'When nothing comes, it is mostly one of these',
  commonCauses: [
    'The base URL has no /v1 at its end, or has it twice.',
    'Another variable, such as OPENAI_API_KEY or OPENAI_BASE_URL, takes the place of the key or the address.',
    'A proxy between the tool and the gateway answers itself.',
  ],
} as const;
