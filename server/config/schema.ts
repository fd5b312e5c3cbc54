/** Every key of the configuration file: its type, bounds, default and description; the reference in the docs is made from it. */
import { z } from 'zod';
import { HeaderName, HeaderValue, HttpUrl, ModelId, Secret, UpstreamName } from './values.ts';

export const protocols = ['chat', 'responses', 'anthropic', 'gemini', 'images'] as const;
const Protocols = z
  .array(z.enum(protocols))
  .min(1)
  .max(protocols.length)
  .refine((list) => new Set(list).size === list.length, 'names a protocol twice');

interface Bounds {
  readonly from: number;
  readonly to: number;
  readonly standard: number;
}
const whole = ({ from, to, standard }: Bounds, description: string) =>
  z
    .int()
    .min(from)
    .max(to)
    .default(standard)
    .meta({ description, examples: [standard] });

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const mebibyte = 1_048_576;

const Server = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[0-9A-Za-z.:_%-]+$/, 'must be an address or host name, without a scheme or a port')
      .default('127.0.0.1')
      .meta({ description: 'Address to listen on. `0.0.0.0` or `::` listens on every network of the machine.', examples: ['127.0.0.1'] }),
    port: whole({ from: 0, to: 65_535, standard: 8080 }, 'Port to listen on; 0 takes any free one.'),
    publicUrl: HttpUrl.optional().meta({
      description: 'Address that callers use, where a proxy stands in front; the docs page and its samples show it.',
      examples: ['https://gateway.example'],
    }),
    bodyLimitBytes: whole({ from: 1024, to: 256 * mebibyte, standard: 20 * mebibyte }, 'Largest JSON body; more is answered with 413.'),
    uploadLimitBytes: whole(
      { from: 1024, to: 1024 * mebibyte, standard: 256 * mebibyte },
      'Largest form of an image edit, all files together.',
    ),
    headersTimeoutMs: whole({ from: 100, to: hour, standard: 30 * second }, 'Time in which the headers of a request must arrive.'),
    requestTimeoutMs: whole({ from: 100, to: 6 * hour, standard: 5 * minute }, 'Time in which a request, body included, must arrive.'),
    keepAliveTimeoutMs: whole({ from: second, to: hour, standard: 75 * second }, 'How long an idle connection of a caller is kept open.'),
    drainMs: whole({ from: 0, to: hour, standard: 30 * second }, 'How long running requests may go on after SIGTERM.'),
    heartbeatMs: whole(
      { from: 50, to: 10 * minute, standard: 15 * second },
      'Silence on a stream after which a comment line keeps it alive.',
    ),
  })
  .refine((server) => server.headersTimeoutMs <= server.requestTimeoutMs, {
    path: ['headersTimeoutMs'],
    message: 'must not be longer than requestTimeoutMs, of which it is a part',
  });

/** Time limits of one request to an upstream; images have their own, because drawing takes minutes. */
const waits = (standard: { readonly headersMs: number; readonly silenceMs: number }) => ({
  headersMs: whole({ from: 10, to: 6 * hour, standard: standard.headersMs }, 'Time until the upstream starts to answer.'),
  firstEventMs: whole({ from: 10, to: 6 * hour, standard: standard.silenceMs }, 'Time from there to the first event of a stream.'),
  idleMs: whole({ from: 10, to: 6 * hour, standard: standard.silenceMs }, 'Longest silence within an answer that has begun.'),
  totalMs: whole({ from: 10, to: 24 * hour, standard: 30 * minute }, 'Time for the whole request.'),
});
const Timeouts = z.strictObject({
  connectMs: whole({ from: 10, to: 2 * minute, standard: 10 * second }, 'Time to connect, TLS included.'),
  ...waits({ headersMs: 10 * minute, silenceMs: 5 * minute }),
});
const ImageTimeouts = z.strictObject(waits({ headersMs: 15 * minute, silenceMs: 15 * minute }));

const Headers = z
  .record(HeaderName, HeaderValue)
  .refine((headers) => Object.keys(headers).length <= 50, 'has more than 50 headers')
  .default({});

const UpstreamProtocols = Protocols.default(['chat', 'responses', 'images']).meta({
  description: 'What the upstream serves: `chat` (/chat/completions), `responses` (/responses), `images` (/images/…).',
  examples: [['chat', 'responses']],
});

/** What every upstream that is reached over HTTP has. */
const reach = {
  apiKey: Secret.optional().meta({
    description: 'The key of the upstream. Take it from the environment; leave it out where the upstream wants none.',
    examples: [`\${OPENAI_API_KEY}`],
  }),
  connections: whole({ from: 1, to: 100_000, standard: 1024 }, 'Most connections at once; every open stream needs one.'),
  headers: Headers.meta({ description: 'Extra headers of each request to the upstream.', examples: [{ 'openai-project': 'proj_1' }] }),
  timeouts: Timeouts.prefault({}).meta({ description: 'Time limits of chat and responses.' }),
  imageTimeouts: ImageTimeouts.prefault({}).meta({
    description:
      'Time limits of images. One picture can take minutes and is billed even when it is cut: keep these at ten minutes or more.',
  }),
};

const OpenaiUpstream = z.strictObject({
  kind: z.literal('openai').meta({ description: 'A place that speaks the OpenAI protocol.' }),
  baseUrl: HttpUrl.default('https://api.openai.com/v1').meta({
    description: 'Address before `/chat/completions`; for most vendors it ends in `/v1`.',
    examples: ['https://api.openai.com/v1'],
  }),
  protocols: UpstreamProtocols,
  ...reach,
});

const AnthropicUpstream = z.strictObject({
  kind: z.literal('anthropic').meta({ description: 'A place that speaks the Anthropic Messages protocol.' }),
  baseUrl: HttpUrl.default('https://api.anthropic.com/v1').meta({ description: 'Address before `/messages`.' }),
  protocols: z.array(z.literal('anthropic')).length(1).default(['anthropic']).meta({ description: 'Only `anthropic`.' }),
  ...reach,
});

const GeminiUpstream = z.strictObject({
  kind: z.literal('gemini').meta({ description: 'A place that speaks the Gemini generateContent protocol.' }),
  baseUrl: HttpUrl.default('https://generativelanguage.googleapis.com/v1beta').meta({ description: 'Address before `/models/…`.' }),
  protocols: z.array(z.literal('gemini')).length(1).default(['gemini']).meta({ description: 'Only `gemini`.' }),
  ...reach,
});

const SimulatorUpstream = z.strictObject({
  kind: z
    .literal('simulator')
    .meta({ description: 'The built-in demo: a program that answers like a model. Needs no network and no key.' }),
  protocols: UpstreamProtocols,
  eventDelayMs: whole({ from: 0, to: 10 * second, standard: 15 }, 'Pause between two events of a stream.'),
});

const Model = z.strictObject({
  id: ModelId.meta({ description: 'The name that callers use.', examples: ['gpt-5.4'] }),
  kind: z
    .enum(['text', 'image'])
    .meta({ description: 'Text models answer chat and responses, image models answer images.', examples: ['text'] }),
  ownedBy: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'The `owned_by` of the model list; the name of the upstream where left out.', examples: ['openai'] }),
  upstream: UpstreamName.optional().meta({
    description: 'The upstream that serves it; the first one where left out.',
    examples: ['openai'],
  }),
  upstreamModel: ModelId.optional().meta({
    description: 'Its name at the upstream; the same as `id` where left out.',
    examples: ['gpt-5.4-2026-03-05'],
  }),
  protocols: Protocols.optional().meta({
    description: 'Protocols it is served by; all that fit its kind and its upstream where left out. A caller of another one is translated.',
    examples: [['responses']],
  }),
  created: z
    .int()
    .min(0)
    .max(253_402_300_799)
    .optional()
    .meta({ description: 'The `created` of the model list, in seconds since 1970.', examples: [1790000000] }),
});

export const ConfigFile = z
  .strictObject({
    server: Server.prefault({}).meta({ description: 'The listener and its limits.' }),
    data: z
      .string()
      .min(1)
      .max(4096)
      .default('./data')
      .meta({
        description: 'Folder of the SQLite file and the pepper of the keys. A relative path starts at the folder of this file.',
        examples: ['./data'],
      }),
    durability: z
      .enum(['relaxed', 'strict'])
      .default('relaxed')
      .meta({
        description:
          '`relaxed`: what was acknowledged survives a crash of the process. `strict`: a loss of power too; each write waits for the disk.',
        examples: ['relaxed'],
      }),
    development: z
      .boolean()
      .default(false)
      .meta({ description: 'Check every answer against the contract before it leaves. Costs time.', examples: [true] }),
    log: z
      .strictObject({
        level: z
          .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
          .default('info')
          .meta({ description: 'Least severity that is written.', examples: ['info'] }),
      })
      .prefault({})
      .meta({ description: 'The log: JSON lines on stderr, without secrets and prompts.' }),
    upstreams: z
      .record(UpstreamName, z.discriminatedUnion('kind', [OpenaiUpstream, AnthropicUpstream, GeminiUpstream, SimulatorUpstream]))
      .refine((upstreams) => Object.keys(upstreams).length <= 100, 'has more than 100 entries')
      .default({})
      .meta({
        description: 'Places to send work to, by name. With none: OpenAI where OPENAI_API_KEY is set, else the built-in simulator.',
        examples: [{ openai: { kind: 'openai', apiKey: `\${OPENAI_API_KEY}` } }],
      }),
    history: z
      .strictObject({ days: whole({ from: 1, to: 3650, standard: 30 }, 'How long stored responses are kept.') })
      .prefault({})
      .meta({ description: 'Responses that callers can go on from by `previous_response_id`.' }),
    codex: z
      .strictObject({
        models: z
          .boolean()
          .default(true)
          .meta({ description: 'Whether `GET /v1/models?client_version=…` also lists the models as Codex reads them.', examples: [true] }),
        contextWindow: whole(
          { from: 8_192, to: 10_000_000, standard: 200_000 },
          'Tokens that Codex is told a model takes; it sums a session up before they are full.',
        ),
      })
      .prefault({})
      .meta({ description: 'What the Codex CLI is told about the models.' }),
    models: z
      .array(Model)
      .min(1)
      .max(10_000)
      .optional()
      .meta({
        description: 'The catalog. Left out: the standard models, as far as the first upstream has a protocol for them.',
        examples: [[{ id: 'gpt-5.4', kind: 'text' }]],
      }),
  })
  .meta({ title: 'modelgate.yaml', description: 'Configuration of the Modelgate gateway.' });

/** What a file says, defaults filled in. */
export type FileSettings = z.infer<typeof ConfigFile>;
