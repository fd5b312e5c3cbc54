/** Writes docs/generated/config.schema.json, which editors use to complete and check modelgate.yaml. */
import { z } from 'zod';
import { ConfigFile } from '../../server/config/schema.ts';
import { type Output, publish } from './output.ts';

/** Uses draft 7, because YAML plugins of editors support it. Describes the file as written, before defaults are applied. */
export function configSchemaOutput(): Output {
  const schema = z.toJSONSchema(ConfigFile, { target: 'draft-7', io: 'input' });
  return { path: '../generated/config.schema.json', text: `${JSON.stringify(schema, null, 2)}\n` };
}

if (import.meta.main) publish(configSchemaOutput());
