/** Reload of the configuration of a running gateway, whole or not at all. */
import { z } from 'zod';
import { ErrorBody } from '../errors.ts';
import { kind } from '../wording.ts';
import type { AdminMetadata } from './metadata.ts';

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
    key: z.string().describe('Path of the key; empty for the file as a whole.'),
    message: z.string().describe('What is wrong. Never contains a value.'),
    hint: z.string().describe('What to do about it.'),
  })
  .meta({
    id: 'ConfigProblem',
    description: 'One problem of a configuration.',
    examples: [{ where: 'modelgate.yaml:3:3', key: 'server.prot', message: 'is not a known key', hint: 'Did you mean port?' }],
  });
const RefusedReload = ErrorBody.extend({
  problems: z.array(ConfigProblem).optional().describe('All problems of the file. Absent when the request itself was wrong.'),
}).meta({
  id: 'RefusedReload',
  description: 'Why a reload was refused. Without `problems`, the request itself was wrong.',
});
export type RefusedReload = z.infer<typeof RefusedReload>;

const metadata = { tag: 'Configuration' } as const satisfies AdminMetadata;

export const configurationRoutes = {
  reloadConfig: {
    method: 'POST',
    path: '/config/reload',
    body: null,
    responses: { 200: ConfigReload, 400: RefusedReload, 409: RefusedReload },
    summary: 'Reload the configuration',
    description:
      'Reads the file again and applies it, whole or not at all; running calls keep their upstream, limits and price. A file with a mistake is refused with 400, one that changes what needs a restart with 409; `problems` names file, line and key of each, and what to do.',
    metadata,
  },
} as const;
