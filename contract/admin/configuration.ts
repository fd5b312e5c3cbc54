/** The active configuration, the validation of its file, and its atomic reload. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import { ErrorBody } from '../shared/error-bodies.ts';
import type { AdminMetadata } from './metadata.ts';

const line = z.int().min(1).nullable();
export const configSources = ['file', 'environment', 'flag', 'default'] as const;
const ConfigSource = z
  .object({
    kind: z
      .enum(configSources)
      .describe(
        'Where the value was set. `file`: the configuration file. `environment`: an environment variable, or one that the file refers to. `flag`: a command-line option. `default`: not set.',
      ),
    file: z.string().nullable().describe("The path of the file. Null if the value doesn't come from a file."),
    line: line.describe("The line in the file when it was read, from 1. Null if the value doesn't come from a file."),
    name: z
      .string()
      .nullable()
      .describe('The name of the environment variable or option, or the path of a referenced file. Null for other sources.'),
  })
  .meta({ id: 'ConfigSource', description: 'Where a configuration value was set.' });

const ConfigEntry = z
  .object({
    key: z.string().describe('The path of the key. Keys of a model contain its ID, as in `models.gpt-5.4.kind`.'),
    value: z.string().nullable().describe('The value as text; a list as JSON. Null if the value is a secret.'),
    secret: z.boolean().describe('Whether the value is a secret, which is never returned.'),
    source: ConfigSource.describe('Where the value was set.'),
  })
  .meta({ id: 'ConfigEntry', description: 'A key of the active configuration. Keys without a value are omitted.' });

/** Maximum entries of one response. A configuration file can have more: up to 10,000 models. */
export const MAX_ENTRIES = 5_000;
export const ConfigSettings = z
  .object({
    object: createTypeField('config'),
    file: z.string().nullable().describe('The path of the configuration file. Null if the gateway runs without one.'),
    entries: z.array(ConfigEntry).describe('The keys in the order of the file, followed by keys without a line, at most 5,000.'),
    has_more: z.boolean().describe('Whether there are more keys. Use `under` to get a part of them.'),
  })
  .meta({
    id: 'ConfigSettings',
    description: 'The active configuration, with the source of each value.',
    examples: [
      {
        object: 'config',
        file: '/etc/modelgate/modelgate.yaml',
        entries: [
          { key: 'server.port', value: '8080', secret: false, source: { kind: 'default', file: null, line: null, name: null } },
          {
            key: 'upstreams.openai.apiKey',
            value: null,
            secret: true,
            source: { kind: 'environment', file: 'modelgate.yaml', line: 4, name: 'OPENAI_API_KEY' },
          },
        ],
        has_more: false,
      },
    ],
  });
export type ConfigSettings = z.infer<typeof ConfigSettings>;

export const ConfigQuery = z.strictObject({
  under: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Only this key and the keys below it, such as `server` or `models.gpt-5.4`. Omit to get all keys.'),
  source: z.enum(configSources).optional().describe('Only values from this source. Omit to get all sources.'),
});

const Digest = z
  .string()
  .min(1)
  .max(64)
  .meta({ id: 'ConfigDigest', description: 'The SHA-256 digest of a configuration file, in hexadecimal.' });

const ConfigChange = z
  .object({
    key: z.string().describe('The path of the key.'),
    before: z.string().nullable().describe("The active value. Null if the key isn't set, if it's a secret, or if it has keys below it."),
    after: z.string().nullable().describe('The value in the file. Null for the same reasons as `before`.'),
    secret: z.boolean().describe('Whether the values are secrets, which are never returned.'),
  })
  .meta({ id: 'ConfigChange', description: 'A key that a reload would change.' });

const NameList = z.array(z.string());
export const ConfigReload = z
  .object({
    object: createTypeField('config_reload'),
    added: NameList.describe('Keys, models, groups, and upstreams that were added.'),
    removed: NameList.describe('Keys, models, groups, and upstreams that were removed.'),
    changed: NameList.describe('Keys whose value changed, without the values.'),
  })
  .meta({
    id: 'ConfigReload',
    description: 'The changes made by a reload. All lists are empty if nothing changed.',
    examples: [{ object: 'config_reload', added: ['models.gpt-5.4-mini'], removed: [], changed: ['models.gpt-5.4.prices', 'log.level'] }],
  });
export type ConfigReload = z.infer<typeof ConfigReload>;

const ConfigProblem = z
  .object({
    where: z.string().describe('The file, line, and column, or the option or environment variable.'),
    file: z.string().nullable().describe("The path of the file. Null if the problem isn't in a file."),
    line: line.describe("The line in the file, from 1. Null if the problem isn't in a line."),
    key: z.string().describe('The path of the key. Empty if the problem is about the entire file.'),
    message: z.string().describe('The problem. Never contains a value.'),
    hint: z.string().describe('How to fix the problem.'),
  })
  .meta({
    id: 'ConfigProblem',
    description: 'A configuration problem.',
    examples: [
      {
        where: 'modelgate.yaml:3:3',
        file: 'modelgate.yaml',
        line: 3,
        key: 'server.prot',
        message: 'is not a known key',
        hint: 'Did you mean port?',
      },
    ],
  });

const createChangeList = (what: string) => z.array(ConfigChange).describe(`${what} At most 1,000.`);
export const ConfigCheck = z
  .object({
    object: createTypeField('config_check'),
    digest: Digest.nullable().describe(
      "The digest of the file that was checked. Send it as `digest` with the reload. Null if the file couldn't be read.",
    ),
    added: createChangeList('Keys that are only in the file.'),
    removed: createChangeList('Keys that are only in the active configuration.'),
    changed: createChangeList('Keys whose value differs.'),
    needs_restart: NameList.describe("The changed keys that a reload can't apply. Empty if a reload can apply the file."),
    problems: z.array(ConfigProblem).describe('The problems of the file, at most 100. Empty if the file is valid.'),
  })
  .meta({
    id: 'ConfigCheck',
    description: 'The current file compared with the active configuration. Nothing was changed.',
    examples: [
      {
        object: 'config_check',
        digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        added: [{ key: 'models.gpt-5.4-mini', before: null, after: null, secret: false }],
        removed: [],
        changed: [{ key: 'log.level', before: 'info', after: 'debug', secret: false }],
        needs_restart: [],
        problems: [],
      },
    ],
  });
export type ConfigCheck = z.infer<typeof ConfigCheck>;

export const ReloadRequest = z
  .strictObject({
    digest: Digest.optional().describe(
      'The `digest` of a check. If the file has changed since then, the reload is rejected. Omit to reload the file in its current state.',
    ),
  })
  .meta({ id: 'ReloadOrder', description: 'Options for a reload.', examples: [{}] });
const RejectedReload = ErrorBody.extend({
  problems: z.array(ConfigProblem).optional().describe('All problems of the file. Omitted if the request itself was invalid.'),
}).meta({
  id: 'RejectedReload',
  description: 'Why a reload was rejected. Without `problems`, the request itself was invalid.',
});
export type RejectedReload = z.infer<typeof RejectedReload>;

export const configSections = ['models', 'upstreams'] as const;
const entryFields = {
  section: z.enum(configSections).describe('The section of the file.'),
  name: z.string().min(1).max(200).describe('The ID of the model, or the name of the upstream.'),
};
export const ConfigText = z
  .object({
    object: createTypeField('config_text'),
    ...entryFields,
    exists: z.boolean().describe('Whether the file has this entry. If not, `text` is a suggestion for it.'),
    text: z.string().describe('The entry as YAML, with its comments. A secret in plain text is shown as `********`.'),
    digest: Digest.nullable().describe("The digest of the file. Null if the gateway can't read it or runs without one."),
    refusal: z.string().nullable().describe("Why the entry can't be changed through this API. Null if it can be changed."),
  })
  .meta({
    id: 'ConfigText',
    description: 'A model or an upstream as it is written in the configuration file.',
    examples: [
      {
        object: 'config_text',
        section: 'upstreams',
        name: 'openai',
        exists: true,
        text: `kind: openai\napiKey: \${OPENAI_API_KEY}`,
        digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        refusal: null,
      },
    ],
  });
export type ConfigText = z.infer<typeof ConfigText>;
export const ConfigTextQuery = z.strictObject({
  ...entryFields,
  upstream: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'For a model that is not in the file: the upstream to suggest. Omit to get the first upstream that is known to serve the model.',
    ),
  kind: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('For an upstream that the file does not have: its kind. Omit to get `openai-compatible`.'),
});
export const ConfigEdit = z
  .strictObject({
    ...entryFields,
    text: z
      .string()
      .max(100_000)
      .nullable()
      .describe('The entry as YAML. Secrets must be references, or `********` to keep one. Null removes it.'),
    digest: Digest.optional().describe(
      'The `digest` that was returned with the text. If the file has changed since then, the edit is rejected. Omit to change the file in its current state.',
    ),
    dry_run: z.boolean().optional().describe('Whether to only check the edit. Omit to write the file and reload it.'),
  })
  .meta({
    id: 'ConfigEdit',
    description: 'A change of one model or upstream in the configuration file.',
    examples: [
      {
        section: 'upstreams',
        name: 'groq',
        text: `kind: openai-compatible\nbaseUrl: https://api.groq.com/openai/v1\napiKey: \${GROQ_API_KEY}`,
      },
    ],
  });

const metadata = { tag: 'Configuration' } as const satisfies AdminMetadata;

export const configurationRoutes = {
  getConfig: {
    method: 'GET',
    path: '/config',
    query: ConfigQuery,
    responses: { 200: ConfigSettings },
    summary: 'Show the configuration',
    description:
      'Lists every key of the active configuration, with its value and its source: a line of the file, the environment, an option, or a default. Secrets are never returned.',
    metadata,
  },
  checkConfig: {
    method: 'POST',
    path: '/config/check',
    body: null,
    responses: { 200: ConfigCheck },
    summary: 'Check the configuration file',
    description:
      'Compares the current file with the active configuration, and returns what a reload would change, or the problems of the file. Changes nothing. The check is recorded in the audit log.',
    metadata,
  },
  reloadConfig: {
    method: 'POST',
    path: '/config/reload',
    body: ReloadRequest.nullish(),
    responses: { 200: ConfigReload, 400: RejectedReload, 409: RejectedReload },
    summary: 'Reload the configuration',
    description:
      'Reads the file again and applies it atomically. Calls in flight keep their upstream, limits, and price. A file with problems returns 400, and a file with changes that require a restart returns 409; `problems` lists them with file, line, key, and fix. If you send the `digest` of a check and the file has changed since, the reload returns 409 `config_changed`.',
    metadata,
  },
  getConfigText: {
    method: 'GET',
    path: '/config/text',
    query: ConfigTextQuery,
    responses: { 200: ConfigText },
    summary: 'Show a model or an upstream as written',
    description:
      'Returns one model or upstream as it is written in the configuration file, or a suggestion for a new one, with list prices and limits of a known model.',
    metadata,
  },
  editConfigText: {
    method: 'PUT',
    path: '/config/text',
    body: ConfigEdit,
    responses: { 200: ConfigCheck, 400: RejectedReload, 409: RejectedReload },
    summary: 'Change a model or an upstream',
    description:
      "Adds, replaces, or removes one model or upstream in the configuration file, and reloads it. All other lines of the file stay as they are. Returns what changed, or with `dry_run` what would change. An edit with problems returns 400. An edit that requires a restart, a file that changed since, and a file that the gateway can't write return 409. Nothing is written then.",
    metadata,
  },
} as const;
