/** Amazon Bedrock: its addresses, and the credentials of AWS where there is no key. */
import { hasKeys, type Place, type Placed } from './place.ts';

/** What requests are signed for: not the name of the host. */
export const serviceOf = (place: { readonly endpoint: 'runtime' | 'mantle' } | undefined): string =>
  place?.endpoint === 'mantle' ? 'bedrock-mantle' : 'bedrock';

/** Whether Claude is asked by InvokeModel, and not at an address of its vendor's shape. */
export const invokesModels = ({ kind, aws: place }: Placed): boolean => kind === 'anthropic' && place?.endpoint === 'runtime';

const onlyRuntime = {
  path: ['aws', 'endpoint'],
  message: 'is mantle, which has no Converse',
  remedy: 'Remove it: kind converse is served by the runtime.',
};

export const aws: Place = {
  kinds: ['openai', 'openai-compatible', 'anthropic', 'converse'],
  address({ kind, aws: place }) {
    const { region = '', endpoint = 'runtime' } = place ?? {};
    if (endpoint === 'mantle') return `https://bedrock-mantle.${region}.api.aws${kind === 'anthropic' ? '/anthropic' : ''}/v1`;
    return `https://bedrock-runtime.${region}.amazonaws.com${kind === 'anthropic' || kind === 'converse' ? '' : '/openai/v1'}`;
  },
  // The kind puts `/v1` behind an address without a version, which InvokeModel does not have.
  ownAddress: (upstream) => (invokesModels(upstream) ? upstream.baseUrl?.replace(/\/v1$/, '') : upstream.baseUrl),
  auth: (upstream) => (hasKeys(upstream) ? { type: 'bearer' } : { type: 'sigv4' }),
  faults: ({ kind, aws: place }) => (kind === 'converse' && place?.endpoint === 'mantle' ? [onlyRuntime] : []),
  // InvokeModel refuses images and documents by address.
  inlineOnly: invokesModels,
  // Mantle lists its models as OpenAI does; the runtime has no list.
  models: ({ aws: place }) => (place?.endpoint === 'mantle' ? '/models' : null),
};
