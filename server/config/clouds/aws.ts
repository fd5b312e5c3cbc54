/** AWS: base URLs, credentials, and mistakes in their settings. `providers/clouds/bedrock.ts` adds the path of a model. */
import { type Cloud, type CloudSettings, hasKeys } from './cloud.ts';

/** Service that requests are signed for. It differs from the host name. */
export const getSigningService = (settings: { readonly endpoint: 'runtime' | 'mantle' } | undefined): string =>
  settings?.endpoint === 'mantle' ? 'bedrock-mantle' : 'bedrock';

/** Whether Claude is called with InvokeModel instead of Anthropic's own paths. */
export const usesInvokeModel = ({ kind, aws: settings }: CloudSettings): boolean =>
  kind === 'anthropic' && settings?.endpoint === 'runtime';

const mantleFault = {
  path: ['aws', 'endpoint'],
  message: "is mantle, which doesn't support kind converse",
  remedy: 'Remove it to use the runtime.',
};

export const aws: Cloud = {
  kinds: ['openai', 'openai-compatible', 'anthropic', 'converse'],
  address({ kind, aws: settings }) {
    const { region = '', endpoint = 'runtime' } = settings ?? {};
    if (endpoint === 'mantle') return `https://bedrock-mantle.${region}.api.aws${kind === 'anthropic' ? '/anthropic' : ''}/v1`;
    return `https://bedrock-runtime.${region}.amazonaws.com${kind === 'anthropic' || kind === 'converse' ? '' : '/openai/v1'}`;
  },
  // The kind appends `/v1` to a URL without a version, but InvokeModel has none.
  ownAddress: (upstream) => (usesInvokeModel(upstream) ? upstream.baseUrl?.replace(/\/v1$/, '') : upstream.baseUrl),
  auth: (upstream) => (hasKeys(upstream) ? { type: 'bearer' } : { type: 'sigv4' }),
  faults: ({ kind, aws: settings }) => (kind === 'converse' && settings?.endpoint === 'mantle' ? [mantleFault] : []),
  // InvokeModel rejects URLs of images and documents.
  inlineOnly: usesInvokeModel,
  // Mantle lists its models like OpenAI. The runtime has no list.
  models: ({ aws: settings }) => (settings?.endpoint === 'mantle' ? '/models' : null),
};
