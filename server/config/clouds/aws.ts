/** Amazon Bedrock: its addresses, and the credentials of AWS where there is no key. */
import { hasKeys, type Place } from './place.ts';

export const aws: Place = {
  kinds: ['openai', 'openai-compatible', 'anthropic'],
  address({ kind, aws: place }) {
    const { region = '', endpoint = 'runtime' } = place ?? {};
    if (endpoint === 'mantle') return `https://bedrock-mantle.${region}.api.aws${kind === 'anthropic' ? '/anthropic' : ''}/v1`;
    return `https://bedrock-runtime.${region}.amazonaws.com${kind === 'anthropic' ? '' : '/openai/v1'}`;
  },
  auth: (upstream) => (hasKeys(upstream) ? { type: 'bearer' } : { type: 'sigv4' }),
  faults: () => [{ path: ['aws'], message: 'is not supported yet', remedy: 'Use baseUrl, and apiKey with a key of Bedrock.' }],
};
