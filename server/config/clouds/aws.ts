/** Amazon Bedrock: its addresses, and the credentials of AWS where there is no key. */
import { hasKeys, type Place } from './place.ts';

/** What requests are signed for: not the name of the host. */
export const serviceOf = (place: { readonly endpoint: 'runtime' | 'mantle' } | undefined): string =>
  place?.endpoint === 'mantle' ? 'bedrock-mantle' : 'bedrock';

export const aws: Place = {
  kinds: ['openai', 'openai-compatible', 'anthropic'],
  address({ kind, aws: place }) {
    const { region = '', endpoint = 'runtime' } = place ?? {};
    if (endpoint === 'mantle') return `https://bedrock-mantle.${region}.api.aws${kind === 'anthropic' ? '/anthropic' : ''}/v1`;
    return `https://bedrock-runtime.${region}.amazonaws.com${kind === 'anthropic' ? '' : '/openai/v1'}`;
  },
  // The kind puts `/v1` behind an address without a version, which InvokeModel does not have.
  ownAddress: ({ kind, aws: place, baseUrl }) =>
    kind === 'anthropic' && place?.endpoint === 'runtime' ? baseUrl?.replace(/\/v1$/, '') : baseUrl,
  auth: (upstream) => (hasKeys(upstream) ? { type: 'bearer' } : { type: 'sigv4' }),
  faults: () => [],
  // InvokeModel refuses images and documents by address.
  inlineOnly: ({ kind, aws: place }) => kind === 'anthropic' && place?.endpoint === 'runtime',
  // Mantle lists its models as OpenAI does; the runtime has no list.
  models: ({ aws: place }) => (place?.endpoint === 'mantle' ? '/models' : null),
};
