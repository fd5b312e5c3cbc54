/** Schema of the configuration file: type, limits, default, and description of every key. The reference in the docs is generated from it. */
import { z } from 'zod';
import { chatRejections } from './model-rules.ts';
import { providers } from './providers.ts';
import { Alerts } from './schema-alerts.ts';
import {
  Candidate,
  Capabilities,
  DefaultLimits,
  GroupName,
  Groups,
  Limits,
  ModelAccepts,
  Plans,
  PriceLists,
  Prices,
  Routing,
  TokenCount,
} from './schema-models.ts';
import { ActivitySettings, Admin, Metrics, Overload, Pages, Traces, UnknownCallers } from './schema-server.ts';
import { createBooleanSetting, createIntegerSetting, HOUR, MEBIBYTE, MINUTE, Protocols, SECOND } from './schema-upstreams.ts';
import { DatabaseUrl, HttpUrl, IpRange, ModelId, RedisUrl, UpstreamName } from './values.ts';

/** A configured upstream of any kind. */
export const Upstream = z.discriminatedUnion('kind', [
  providers.openai.schema,
  providers['openai-compatible'].schema,
  providers.anthropic.schema,
  providers.gemini.schema,
  providers.converse.schema,
  providers.simulator.schema,
]);

/** Each worker holds its own connections to the stores, so far more workers than cores are a mistake. */
const MAX_WORKERS = 256;
const Workers = z.union([z.literal('auto'), z.int().min(1).max(MAX_WORKERS)]);

const Server = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[0-9A-Za-z.:_%-]+$/, 'must be an address or host name, without a scheme or a port')
      .default('127.0.0.1')
      .meta({ description: 'Address to listen on. `0.0.0.0` or `::` listens on every network interface.', examples: ['127.0.0.1'] }),
    port: createIntegerSetting(0, 65_535, 8080, 'Port to listen on. `0` selects a free port.'),
    workers: Workers.default(1).meta({
      description: 'Number of processes that serve this port. `auto` starts one per core.',
      examples: ['auto'],
    }),
    trustedProxies: z
      .array(IpRange)
      .max(1000)
      .default([])
      .meta({
        description: 'IP addresses or ranges of proxies whose `x-forwarded-for` is trusted. From other senders, the header is ignored.',
        examples: [['10.0.0.0/8']],
      }),
    publicUrl: HttpUrl.optional().meta({
      description: 'URL that callers use, if a proxy is in front. The documentation and its samples show it.',
      examples: ['https://gateway.example'],
    }),
    bodyLimitBytes: createIntegerSetting(
      1024,
      256 * MEBIBYTE,
      20 * MEBIBYTE,
      'Maximum size of a JSON body in bytes. A larger body returns 413.',
    ),
    uploadLimitBytes: createIntegerSetting(
      1024,
      1024 * MEBIBYTE,
      256 * MEBIBYTE,
      'Maximum size of an image edit form in bytes, including all files.',
    ),
    headersTimeoutMs: createIntegerSetting(100, HOUR, 30 * SECOND, 'Maximum time until the headers of a request have arrived.'),
    requestTimeoutMs: createIntegerSetting(100, 6 * HOUR, 5 * MINUTE, 'Maximum time until a request has arrived, including its body.'),
    keepAliveTimeoutMs: createIntegerSetting(SECOND, HOUR, 75 * SECOND, 'How long an idle connection is kept open.'),
    drainMs: createIntegerSetting(0, HOUR, 30 * SECOND, 'How long requests in flight can continue after SIGTERM.'),
    readinessDelayMs: createIntegerSetting(
      0,
      10 * MINUTE,
      0,
      'How long calls are still accepted after SIGTERM while `/readyz` already fails. Set it to the time that your load balancer needs to notice.',
    ),
    heartbeatMs: createIntegerSetting(
      50,
      10 * MINUTE,
      15 * SECOND,
      'Silence on a stream after which the gateway sends a comment line to keep it alive.',
    ),
    writeStallMs: createIntegerSetting(
      50,
      HOUR,
      MINUTE,
      'How long a caller can leave an available response unread before the connection is closed.',
    ),
    maxWebSockets: createIntegerSetting(
      0,
      1_000_000,
      10_000,
      'Maximum number of open WebSocket connections of one process. Clients beyond it get 426, and Codex uses HTTP then. Set `0` to turn WebSocket off.',
    ),
    overload: Overload.prefault({}).meta({ description: 'Load shedding: thresholds above which an overloaded process rejects new calls.' }),
  })
  .refine((server) => server.headersTimeoutMs <= server.requestTimeoutMs, {
    path: ['headersTimeoutMs'],
    message: 'must not be greater than requestTimeoutMs, which includes it',
  });

const ImageWords = z.array(z.string().regex(/^[a-z0-9]{1,16}$/, 'must be a lower-case word')).min(1);

const Model = z.strictObject({
  id: ModelId.meta({ description: 'Model ID that callers use.', examples: ['gpt-5.4'] }),
  kind: z
    .enum(['text', 'image'])
    .meta({ description: '`text` models serve chat and responses, `image` models serve images.', examples: ['text'] }),
  ownedBy: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: '`owned_by` in the model list. Defaults to the name of the upstream.', examples: ['openai'] }),
  upstream: UpstreamName.optional().meta({
    description: 'Upstream that serves the model. Defaults to the first one.',
    examples: ['openai'],
  }),
  upstreamModel: ModelId.optional().meta({
    description: "Model name at the upstream. Defaults to the model's `id`.",
    examples: ['gpt-5.4-2026-03-05'],
  }),
  protocols: Protocols.optional().meta({
    description:
      'Protocols to use at the upstream. Defaults to all protocols that the kind and the upstream support. Calls over other protocols are translated.',
    examples: [['responses']],
  }),
  responsesOnly: z
    .enum(chatRejections)
    .optional()
    .meta({
      description:
        'Calls that are sent over responses although the caller used chat, because the provider rejects them over chat: `never`, `tools-with-reasoning` (function tools with a `reasoning_effort` other than `none`), `tools` (function tools, unless `reasoning_effort` is `none`), or `always`. It applies if the upstream serves both protocols. Omit to use the known value of OpenAI models. For other models, the gateway learns it from calls that their provider rejects.',
      examples: ['tools'],
    }),
  accepts: ModelAccepts.optional().meta({
    description:
      'What the text model accepts. Omit a key to use the known value of Claude, Gemini, Kimi, and Grok models. Other values are sent in another form, or omitted and named in `x-modelgate-dropped`.',
    examples: [{ efforts: ['low', 'medium', 'high'], unsupported: ['temperature'] }],
  }),
  images: z
    .strictObject({
      qualities: ImageWords.optional().meta({
        description: 'Values of `quality`, besides `auto`.',
        examples: [['low', 'medium', 'high', 'xhigh']],
      }),
      formats: ImageWords.optional().meta({ description: 'Values of `output_format`.', examples: [['png', 'gif']] }),
      fields: z
        .array(z.string().regex(/^[a-z][a-z_]{1,31}$/, 'must be a field name'))
        .optional()
        .meta({
          description:
            "Fields that only some image models support. `svg` selects a model that its provider bills separately, so it's accepted only if it's listed here.",
          examples: [['complexity', 'frame_count']],
        }),
      sizes: z
        .array(z.string().regex(/^\d{2,5}x\d{2,5}$/, 'must be width and height, as in 1024x1024'))
        .min(1)
        .optional()
        .meta({
          description: 'Values of `size`, besides `auto`.',
          examples: [['1024x1024', '1536x1024']],
        }),
      edits: z
        .boolean()
        .optional()
        .meta({ description: 'Whether the model can edit images. Defaults to `true`.', examples: [false] }),
    })
    .optional()
    .meta({
      description:
        "Values that the image model accepts. Other values return 400. Omit a key to use the known values of OpenAI's image models. For other models, the provider decides.",
      examples: [{ qualities: ['low', 'medium', 'high', 'xhigh', 'max'] }],
    }),
  candidates: z
    .array(Candidate)
    .min(1)
    .max(50)
    .optional()
    .meta({
      description:
        'Upstreams that serve the model, if there are several. Set it instead of `upstream`, `upstreamModel`, and `protocols`. Omit to use a single candidate with those settings.',
      examples: [[{ upstream: 'openai' }, { upstream: 'backup', priority: 2 }]],
    }),
  maxOutputTokens: TokenCount.optional().meta({
    description:
      'Maximum number of output tokens per response, including reasoning. Anthropic upstreams get it as the limit if the caller sets none.',
    examples: [64_000],
  }),
  contextWindow: z
    .int()
    .min(1024)
    .max(100_000_000)
    .optional()
    .meta({
      description: 'Size of the context window in tokens, including output. The model list for Codex shows it.',
      examples: [200_000],
    }),
  capabilities: Capabilities.optional().meta({
    description:
      'What the catalog and the model list say about the model, where it differs from what its upstreams and its known rules support. Calls are sent all the same.',
    examples: [{ imageInput: false }],
  }),
  created: z
    .int()
    .min(0)
    .max(253_402_300_799)
    .optional()
    .meta({ description: '`created` in the model list, in seconds since 1970.', examples: [1790000000] }),
  groups: z
    .array(GroupName)
    .min(1)
    .optional()
    .meta({ description: 'Groups whose accounts can call the model. Defaults to all.', examples: [['vip']] }),
  prices: Prices.optional().meta({
    description: "Prices of the model, or `free`. A model without prices can't be called while `billing` is `enforce`.",
    examples: [{ input: '2.5', cachedInput: '0.25', output: '15' }],
  }),
  limits: Limits.prefault({}).meta({ description: 'Limits for all calls to this model combined.' }),
});

export const ConfigFile = z
  .strictObject({
    server: Server.prefault({}).meta({ description: 'The API listener and its limits.' }),
    data: z
      .string()
      .min(1)
      .max(4096)
      .default('./data')
      .meta({
        description:
          'Folder of the SQLite file and the pepper, the secret that keys are hashed with. A relative path starts at the folder of this file.',
        examples: ['./data'],
      }),
    database: z
      .strictObject({
        url: DatabaseUrl.optional().meta({
          description:
            'PostgreSQL URL, for several processes on one store. Omit to use the embedded SQLite file. DATABASE_URL takes precedence.',
          examples: [`\${DATABASE_URL}`],
        }),
        timeoutMs: createIntegerSetting(
          100,
          MINUTE,
          2 * SECOND,
          "How long one step of a call waits for a slow database before it fails with 503. A charge then goes to the outbox. While PostgreSQL doesn't respond, calls fail immediately.",
        ),
      })
      .prefault({})
      .meta({ description: 'Where accounts, keys, money, and history are stored.' }),
    redis: z
      .strictObject({
        url: RedisUrl.optional().meta({
          description:
            'URL of Redis or Valkey, for limits that several processes share. Omit to count limits in this process. REDIS_URL takes precedence.',
          examples: [`\${REDIS_URL}`],
        }),
        timeoutMs: createIntegerSetting(
          10,
          MINUTE,
          50,
          'How long a call waits for Redis. After three timeouts in a row, each process enforces its own share of the limits until Redis responds.',
        ),
      })
      .prefault({})
      .meta({ description: 'Where limits are counted.' }),
    durability: z
      .enum(['relaxed', 'strict'])
      .default('relaxed')
      .meta({
        description:
          'With `relaxed`, acknowledged writes survive a crash of the process. With `strict`, they also survive a power loss, but each write waits for the disk.',
        examples: ['relaxed'],
      }),
    validateResponses: createBooleanSetting(
      false,
      "Whether every response is checked against the contract before it's sent. This makes responses slower.",
    ),
    log: z
      .strictObject({
        level: z
          .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
          .default('info')
          .meta({ description: 'Minimum level to log.', examples: ['info'] }),
      })
      .prefault({})
      .meta({ description: 'The log: JSON lines on stderr, without secrets or prompts.' }),
    billing: z
      .enum(['enforce', 'off'])
      .default('enforce')
      .meta({
        description:
          'With `enforce`, the maximum cost of each call is reserved from a balance or subscription before the call is sent, and the call is charged once. With `off`, calls are free.',
        examples: ['off'],
      }),
    groups: Groups,
    plans: Plans,
    priceLists: PriceLists,
    limits: DefaultLimits,
    admin: Admin.prefault({}).meta({ description: 'The admin API: accounts, keys, balances, prices, and usage.' }),
    pages: Pages.prefault({}).meta({ description: 'Web pages: the console for operators and the portal for key owners.' }),
    alerts: Alerts,
    metrics: Metrics,
    traces: Traces,
    upstreams: z
      .record(UpstreamName, Upstream)
      .refine((upstreams) => Object.keys(upstreams).length <= 100, 'must have at most 100 entries')
      .default({})
      .meta({
        description: 'Upstreams by name. Defaults to OpenAI if OPENAI_API_KEY is set, and to the built-in simulator otherwise.',
        examples: [{ openai: { kind: 'openai', apiKey: `\${OPENAI_API_KEY}` } }],
      }),
    routing: Routing.prefault({}).meta({ description: 'Attempts, failover, and affinity across the candidates of a model.' }),
    reload: z
      .strictObject({
        watch: createBooleanSetting(
          false,
          "Whether a change of the file is loaded automatically within about two seconds. If it's off, an unfinished or reverted change has no effect until you reload.",
        ),
      })
      .prefault({})
      .meta({
        description: 'When a running gateway reloads this file automatically. SIGHUP and `modelgate config reload` always reload it.',
      }),
    history: z
      .strictObject({
        days: createIntegerSetting(1, 3650, 30, 'How many days stored responses are kept.'),
        accountMiB: createIntegerSetting(
          0,
          16 * MEBIBYTE,
          4096,
          "Maximum size of an account's stored responses in MiB. A call that would store more returns 403. Set `0` for no limit.",
        ),
      })
      .prefault({})
      .meta({ description: 'Stored responses, which callers can continue with `previous_response_id`.' }),
    activity: ActivitySettings,
    unknownCallers: UnknownCallers,
    codex: z
      .strictObject({
        models: z
          .boolean()
          .default(true)
          .meta({
            description: 'Whether `GET /v1/models?client_version=…` also returns the list in the format of Codex.',
            examples: [true],
          }),
        contextWindow: createIntegerSetting(
          8_192,
          10_000_000,
          200_000,
          'Context window in tokens to report to Codex for each model. Codex compacts a session before the window is full.',
        ),
      })
      .prefault({})
      .meta({ description: 'Settings for the Codex CLI.' }),
    trpc: z
      .strictObject({
        enabled: createBooleanSetting(
          true,
          "Whether the operations can also be called with tRPC at `/trpc`. If it's off, `/trpc` returns 404.",
        ),
      })
      .prefault({})
      .meta({ description: 'tRPC: the same operations, with the same keys, limits, and prices.' }),
    models: z
      .array(Model)
      .min(1)
      .max(10_000)
      .optional()
      .meta({
        description: 'Models that callers can use. Omit to use the standard models that the first upstream supports.',
        examples: [[{ id: 'gpt-5.4', kind: 'text' }]],
      }),
  })
  .meta({
    title: 'modelgate.yaml',
    description: `Configuration of the Modelgate gateway. In any text, \${NAME} is replaced by an environment variable, and \${file:PATH} by the content of a file.`,
  });

/** Settings of a file, with defaults filled in. */
export type FileSettings = z.infer<typeof ConfigFile>;
