/** The configuration that runs, the check of its file, and its reload, whole or not at all. */
import { z } from 'zod';
import { ErrorBody } from '../errors.ts';
import { kind } from '../shared/descriptions.ts';
import type { AdminMetadata } from './metadata.ts';

const line = z.int().min(1).nullable();
export const configSources = ['file', 'environment', 'flag', 'default'] as const;
const ConfigSource = z
  .object({
    kind: z
      .enum(configSources)
      .describe(
        '`environment`: a variable, also one that the file refers to. `flag`: an option of the command line. `default`: set nowhere.',
      ),
    file: z.string().nullable().describe('The file. Null where it does not come from one.'),
    line: line.describe('Line of the file as it was when it was read, from 1. Null without a file.'),
    name: z.string().nullable().describe('The environment variable, or the option. Null for others.'),
  })
  .meta({ id: 'ConfigSource', description: 'Where a value of the configuration was set.' });

const ConfigEntry = z
  .object({
    key: z.string().describe('Path of the key; models have their id in it, as in `models.gpt-5.4.kind`.'),
    value: z.string().nullable().describe('The value as text; a list as JSON. Null: it is a secret, and set.'),
    secret: z.boolean().describe('Whether it is a secret, which is never shown.'),
    source: ConfigSource.describe('Where the value was set.'),
  })
  .meta({ id: 'ConfigEntry', description: 'One key of the configuration that runs. Keys without a value are left out.' });

/** A file can hold more keys than one answer: it may have 10,000 models. */
export const MAX_ENTRIES = 5_000;
export const ConfigSettings = z
  .object({
    object: kind('config'),
    file: z.string().nullable().describe('The file that it was read from. Null: there is none.'),
    entries: z.array(ConfigEntry).describe('Keys in the order of the reference, at most 5,000.'),
    has_more: z.boolean().describe('Whether there are more keys; ask for a part with `under`.'),
  })
  .meta({
    id: 'ConfigSettings',
    description: 'The configuration that runs, key by key, and where each value was set.',
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
  under: z.string().min(1).max(300).optional().describe('Only this key and those below it: `server`, `models.gpt-5.4`. Omit to get all.'),
  source: z.enum(configSources).optional().describe('Only values from there. Omit to get all.'),
});

const Digest = z.string().min(1).max(64).meta({ id: 'ConfigDigest', description: 'SHA-256 of a configuration file, in hexadecimal.' });

const ConfigChange = z
  .object({
    key: z.string().describe('Path of the key.'),
    before: z.string().nullable().describe('The value that runs. Null: there is none, the key has others below it, or it is a secret.'),
    after: z.string().nullable().describe('The value of the file. Null: for the same reasons.'),
    secret: z.boolean().describe('Whether the values are secrets, which are never shown.'),
  })
  .meta({ id: 'ConfigChange', description: 'A key that a reload would change.' });

const Names = z.array(z.string());
export const ConfigReload = z
  .object({
    object: kind('config_reload'),
    added: Names.describe('Keys, models, groups and upstreams that are new.'),
    removed: Names.describe('What is gone.'),
    changed: Names.describe('Keys whose value changed. The values are not shown.'),
  })
  .meta({
    id: 'ConfigReload',
    description: 'The changes of a reload, by the names of keys. All lists are empty when nothing changed.',
    examples: [{ object: 'config_reload', added: ['models.gpt-5.4-mini'], removed: [], changed: ['models.gpt-5.4.prices', 'log.level'] }],
  });
export type ConfigReload = z.infer<typeof ConfigReload>;

const ConfigProblem = z
  .object({
    where: z.string().describe('File, line and column; or the flag or environment variable.'),
    file: z.string().nullable().describe('The file. Null: it is not about a place in a file.'),
    line: line.describe('Line of the file, from 1. Null: it is not about one.'),
    key: z.string().describe('Path of the key; empty for the file as a whole.'),
    message: z.string().describe('What is wrong. Never contains a value.'),
    hint: z.string().describe('What to do about it.'),
  })
  .meta({
    id: 'ConfigProblem',
    description: 'One problem of a configuration.',
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

const changes = (what: string) => z.array(ConfigChange).describe(`${what} At most 1,000.`);
export const ConfigCheck = z
  .object({
    object: kind('config_check'),
    digest: Digest.nullable().describe('Of the file that was read, for `digest` of the reload. Null: there is no file that can be read.'),
    added: changes('What is new.'),
    removed: changes('What is gone.'),
    changed: changes('Keys whose value differs.'),
    needs_restart: Names.describe('Keys of these that a reload cannot change. Empty: a reload can apply the file.'),
    problems: z.array(ConfigProblem).describe('What is wrong with the file, at most 100. Empty: nothing.'),
  })
  .meta({
    id: 'ConfigCheck',
    description: 'The file as it stands now, against what runs. Nothing was changed.',
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

export const ReloadOrder = z
  .strictObject({
    digest: Digest.optional().describe(
      '`digest` of a check: a file that is not the checked one is rejected. Absent: the file is taken as it stands.',
    ),
  })
  .meta({ id: 'ReloadOrder', description: 'What a reload may take over.', examples: [{}] });
const RejectedReload = ErrorBody.extend({
  problems: z.array(ConfigProblem).optional().describe('All problems of the file. Absent when the request itself was wrong.'),
}).meta({
  id: 'RejectedReload',
  description: 'Why a reload was rejected. Without `problems`, the request itself was wrong.',
});
export type RejectedReload = z.infer<typeof RejectedReload>;

const metadata = { tag: 'Configuration' } as const satisfies AdminMetadata;

export const configurationRoutes = {
  getConfig: {
    method: 'GET',
    path: '/config',
    query: ConfigQuery,
    responses: { 200: ConfigSettings },
    summary: 'Show the configuration',
    description:
      'Every key of the configuration that runs, with its value and where it was set: the line of the file, the environment, an option, or a default. Secrets are never shown.',
    metadata,
  },
  checkConfig: {
    method: 'POST',
    path: '/config/check',
    body: null,
    responses: { 200: ConfigCheck },
    summary: 'Check the configuration file',
    description:
      'Reads the file as it stands now, and says what a reload would change, or what is wrong with it. Changes nothing; it is in the audit log.',
    metadata,
  },
  reloadConfig: {
    method: 'POST',
    path: '/config/reload',
    body: ReloadOrder.nullish(),
    responses: { 200: ConfigReload, 400: RejectedReload, 409: RejectedReload },
    summary: 'Reload the configuration',
    description:
      'Reads the file again and applies it, whole or not at all; running calls keep their upstream, limits and price. A file with a mistake is rejected with 400, one that changes what needs a restart with 409; `problems` names file, line and key of each, and what to do. With the `digest` of a check, a file that has changed since is rejected with 409 `config_changed`.',
    metadata,
  },
} as const;
