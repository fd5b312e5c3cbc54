/** Schemas of strings with a format: URLs, secrets, headers, and names. No error message contains the value. */
import { isIP } from 'node:net';
import { z } from 'zod';

/** JSON Schema's mark for secrets. No response, log, or page shows such a value. */
const secret = { writeOnly: true } as const;

/** Headers that the gateway or the HTTP layer sets. A duplicate would break the request or allow request smuggling. */
const reserved = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'traceparent',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
]);

function urlFault(text: string): string | null {
  if (!URL.canParse(text)) return 'must be a URL that starts with http:// or https://';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must start with http:// or https://';
  if (url.username !== '' || url.password !== '') return "can't contain a user name or password; use apiKey instead";
  if (url.search !== '' || url.hash !== '') return "can't contain a query (?) or fragment (#)";
  return null;
}

export const HttpUrl = z
  .string()
  .max(2048)
  .superRefine((text, context) => {
    const fault = urlFault(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  })
  .overwrite((text) => text.replace(/\/+$/, ''));

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/;
/** Whether data sent to the URL stays private, because it uses TLS or an address of this machine. */
export function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || LOOPBACK.test(hostname);
}

/** Must equal the provider's own `issuer` exactly, so a trailing slash isn't removed. */
export const Issuer = z
  .string()
  .max(2048)
  .superRefine((text, context) => {
    const fault = urlFault(text) ?? issuerFault(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  });

function issuerFault(text: string): string | null {
  if (!isPrivate(text)) return "must start with https://, unless it's an address of this machine";
  return text.includes('/.well-known/') ? 'is the address of the discovery document; remove /.well-known/ and everything after it' : null;
}

/** Matches `v1`, `v1beta`, and `v2alpha1`. */
const version = /^v\d+(?:(?:alpha|beta)\d*)?$/;
/** Whether the path contains an API version. */
export const namesVersion = (url: string): boolean => new URL(url).pathname.split('/').some((part) => version.test(part));

/** A base URL as in the provider's SDKs, which append the version. So the version is optional here. */
export const versioned = (own: string) =>
  HttpUrl.overwrite((text) => (URL.canParse(text) && !namesVersion(text) ? `${text}/${own}` : text));

/** URL of a store. It can contain a password, so no message contains it. */
const storeUrl = (schemes: readonly string[]) =>
  z
    .string()
    .max(2048)
    .refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), `must be a URL that starts with ${schemes[0]}//`)
    .meta(secret);
export const DatabaseUrl = storeUrl(['postgres:', 'postgresql:']);
export const RedisUrl = storeUrl(['redis:', 'rediss:']);

/** A secret is sent in a header, so a line break (from a file that ends with one) would break every request. */
export const Secret = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[\x21-\x7e]*$/, "can't contain a space, a line break, or another character that isn't allowed in a header")
  .meta(secret);

export const HeaderName = z
  .string()
  .max(128)
  .regex(/^[0-9A-Za-z!#$%&'*+.^_`|~-]+$/, "isn't a valid header name")
  .refine((name) => !reserved.has(name.toLowerCase()), 'is a header that the gateway sets itself');

export const HeaderValue = z
  .string()
  .max(4096)
  .regex(/^[\x20-\x7e]*$/, "can't contain a character that isn't allowed in a header")
  .meta(secret);

export const UpstreamName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9-]*$/, 'must consist of lower-case letters, digits, and hyphens, and start with a letter');

export const ModelId = z
  .string()
  .max(200)
  .regex(/^[0-9A-Za-z][0-9A-Za-z._:/@+-]*$/, 'must be a model ID of letters, digits, and . _ : / @ + -');

function isIpRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** An IP address or range, such as `192.0.2.7`, `192.0.2.0/24`, or `2001:db8::/32`. */
export const IpRange = z.string().max(64).refine(isIpRange, 'must be an IP address, or a range such as 192.0.2.0/24');

const Id = (examples: [string], description: string) =>
  z
    .string()
    .max(200)
    .regex(/^[\w.:/=+@-]+$/, 'must consist of letters, digits, and . _ : / = + @ -')
    .optional()
    .meta({ description, examples });
const FilePath = z.string().min(1).max(4096);

const None = z.strictObject({ type: z.literal('none').meta({ description: 'Requests are sent without credentials.' }) });

const Bearer = z.strictObject({
  type: z.literal('bearer').meta({ description: 'Requests send `apiKey` or one of `apiKeys` as `authorization: Bearer`.' }),
});

const Header = z.strictObject({
  type: z.literal('header').meta({ description: 'Requests send `apiKey` or one of `apiKeys` in a custom header.' }),
  name: HeaderName.meta({ description: 'Name of the header.', examples: ['api-key'] }),
});

const Sigv4 = z.strictObject({
  type: z.literal('sigv4').meta({ description: 'Requests are signed with AWS credentials.' }),
  region: Id(['eu-central-1'], 'Region to sign for. Defaults to `aws.region`.'),
  service: Id(['bedrock'], 'Service to sign for. Defaults to the service of `aws.endpoint`.'),
  accessKeyId: Secret.optional().meta({
    description: 'Access key ID, with `secretAccessKey`. Omit both to use `profile` or the credentials of the machine.',
    examples: [`\${AWS_ACCESS_KEY_ID}`],
  }),
  secretAccessKey: Secret.optional().meta({ description: 'Secret access key of `accessKeyId`.', examples: [`\${AWS_SECRET_ACCESS_KEY}`] }),
  sessionToken: Secret.optional().meta({ description: 'Session token of temporary credentials.', examples: [`\${AWS_SESSION_TOKEN}`] }),
  profile: Id(['models'], "Profile in AWS's shared configuration files, instead of keys."),
});

const Google = z.strictObject({
  type: z.literal('google').meta({ description: 'Requests send a Google access token, which the gateway fetches and renews.' }),
  credentials: z
    .string()
    .min(1)
    .max(32_768)
    .optional()
    .meta({
      ...secret,
      description: 'Path of a key file, or its JSON. Defaults to the application default credentials of the machine.',
      examples: ['/run/secrets/google.json'],
    }),
  scopes: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(20)
    .default(['https://www.googleapis.com/auth/cloud-platform'])
    .meta({ description: 'Scopes of the token.' }),
});

const Entra = z.strictObject({
  type: z.literal('entra').meta({ description: 'Requests send a Microsoft Entra access token, which the gateway fetches and renews.' }),
  tenantId: Id([`\${AZURE_TENANT_ID}`], 'Tenant ID, with `clientSecret` or `federatedTokenFile`.'),
  clientId: Id([`\${AZURE_CLIENT_ID}`], 'Client ID of the application, or of the user-assigned identity with `managedIdentity`.'),
  clientSecret: Secret.optional().meta({ description: 'Client secret of the application.', examples: [`\${AZURE_CLIENT_SECRET}`] }),
  federatedTokenFile: FilePath.optional().meta({
    description: "Path of a workload identity's token file. It's read again for each access token.",
    examples: [`\${AZURE_FEDERATED_TOKEN_FILE}`],
  }),
  managedIdentity: z
    .literal(true)
    .optional()
    .meta({
      description: 'Whether to use the managed identity of this machine (Azure VMs, App Service, and Container Apps).',
      examples: [true],
    }),
  scope: z
    .string()
    .max(500)
    .regex(/^[\x21-\x7e]+\/\.default$/, 'must end in /.default')
    .default('https://ai.azure.com/.default')
    .meta({
      description: 'Scope of the token. Older resources need `https://cognitiveservices.azure.com/.default`.',
      examples: ['https://cognitiveservices.azure.com/.default'],
    }),
  authority: HttpUrl.default('https://login.microsoftonline.com').meta({
    description: 'URL of the authority that issues tokens. It differs in sovereign clouds.',
    examples: ['https://login.microsoftonline.us'],
  }),
});

export const Auth = z.discriminatedUnion('type', [None, Bearer, Header, Sigv4, Google, Entra]);
export type AuthSettings = z.output<typeof Auth>;
export type AuthOf<Type extends AuthSettings['type']> = Extract<AuthSettings, { type: Type }>;

/** Providers may support fields that the gateway doesn't know. Some of them select another model, provider, or price. */
const Name = z
  .string()
  .min(1)
  .max(128)
  .regex(/^(?:\*|[\w.-]+)$/, 'must be a field name or *');
const Names = z.array(Name).max(256).default([]);

export const Fields = z
  .strictObject({
    allow: Names.meta({
      description:
        'Fields to forward in addition to those of the OpenAI API. `*` forwards all fields, even if they make a provider use another model, provider, or price than the one you charge.',
      examples: [['top_k']],
    }),
    deny: Names.refine((names) => !names.includes('*'), "can't contain *").meta({
      description: 'Fields to reject with 400, even if the API has them.',
      examples: [['logit_bias']],
    }),
  })
  .prefault({})
  .meta({
    description:
      'Top-level fields of callers to forward. Upstreams of kind `openai` also get unknown fields, unless these could select a model, provider, tier, tool, or price. Other fields are omitted and named in `x-modelgate-ignored`.',
    examples: [{ allow: ['top_k'] }],
  });

export interface FieldRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Whether unknown fields are forwarded, unless their name suggests that they select a model, provider, tier, tool, or price. */
  readonly isOpen?: boolean;
}

/** Fields of local servers and other providers that change how a model responds, but not which model responds or the price of a token. */
export const ofCompatible: readonly string[] = [
  ...['top_k', 'top_a', 'min_p', 'typical_p', 'tfs_z', 'repetition_penalty', 'repeat_penalty', 'repeat_last_n', 'length_penalty'],
  ...['mirostat', 'mirostat_tau', 'mirostat_eta', 'random_seed', 'min_tokens', 'stop_token_ids', 'ignore_eos', 'bad_words'],
  ...['skip_special_tokens', 'spaces_between_special_tokens', 'include_stop_str_in_output', 'chat_template_kwargs', 'cache_prompt'],
  ...['add_generation_prompt', 'continue_final_message', 'thinking', 'think', 'enable_thinking', 'thinking_budget', 'reasoning_format'],
  ...['include_reasoning', 'reasoning_split', 'clear_thinking', 'structured_outputs', 'guided_json', 'guided_regex', 'guided_choice'],
  ...['guided_grammar', 'grammar', 'json_schema', 'safe_prompt', 'prompt_mode'],
];

/** Provider-specific values, by the field of a chat request that accepts them. */
export interface AcceptedValues {
  readonly tools: readonly string[];
  readonly parts: readonly string[];
  readonly toolChoices: readonly string[];
  readonly serviceTiers: readonly string[];
  readonly untypedTools: boolean;
}

interface Served {
  readonly quirks?: { readonly accepts?: AcceptedValues | undefined } | undefined;
}

/** Returns undefined if no candidate accepts any, so that requests of most models need no check. */
export function acceptedByAny(candidates: readonly Served[]): AcceptedValues | undefined {
  const all = candidates.flatMap(({ quirks }) => quirks?.accepts ?? []);
  const [first, ...others] = all;
  return first && others.reduce(together, first);
}

function together(one: AcceptedValues, other: AcceptedValues): AcceptedValues {
  return {
    tools: [...one.tools, ...other.tools],
    parts: [...one.parts, ...other.parts],
    toolChoices: [...one.toolChoices, ...other.toolChoices],
    serviceTiers: [...one.serviceTiers, ...other.serviceTiers],
    untypedTools: one.untypedTools || other.untypedTools,
  };
}

/** Calls that a model's provider rejects over chat but accepts over responses, from fewest to most. */
export const chatRejections = ['nothing', 'tools-with-effort', 'tools', 'everything'] as const;
export type ChatRejection = (typeof chatRejections)[number];

/** OpenAI models by the start of their names. The first match applies. Snapshots with a date after the name are the same model. */
const knownRejections: readonly (readonly [name: RegExp, refuses: ChatRejection])[] = [
  [/^(?:gpt-5(?:\.\d+)?|o[13])-pro\b|\bcodex\b/, 'everything'],
  [/^gpt-5\.[2-5](?![\d.])/, 'tools-with-effort'],
  [/^gpt-(?:5\.[6-9]|[6-9])(?!\d)/, 'tools'],
];

export const knownRejection = (model: string): ChatRejection | undefined => knownRejections.find(([name]) => name.test(model))?.[1];

/** Values that an image model accepts. Its provider decides about absent keys. */
export interface ImageRules {
  readonly qualities?: readonly string[] | undefined;
  readonly formats?: readonly string[] | undefined;
  /** Accepted fields among those that only some models support. */
  readonly fields?: readonly string[] | undefined;
  /** A list of sizes, or limits for any size in pixels. `maxRatio` is the maximum ratio of the long side to the short side. */
  readonly sizes?: readonly string[] | Readonly<Record<'multipleOf' | 'maxRatio' | 'longSide' | 'shortSide', number>> | undefined;
  readonly edits?: boolean | undefined;
}

const grid = { multipleOf: 16, maxRatio: 3, longSide: 3840, shortSide: 2160 };
const plain = ['low', 'medium', 'high'];

/** OpenAI image models by the start of their names. For other models, the provider decides. */
const knownImages: readonly (readonly [name: RegExp, rules: ImageRules])[] = [
  [/^gpt-image-2(?![\d.])/, { qualities: plain, formats: ['png', 'jpeg', 'webp'], fields: [], sizes: grid }],
  [
    /^gpt-image-2\.[5-9]/,
    {
      qualities: [...plain, 'xhigh', 'max'],
      formats: ['png', 'jpeg', 'webp', 'gif'],
      fields: ['complexity', 'frame_count', 'frame_duration_ms', 'markup'],
      sizes: grid,
    },
  ],
];

export const knownImageRules = (model: string): ImageRules | undefined => knownImages.find(([name]) => name.test(model))?.[1];
