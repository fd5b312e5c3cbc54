/** Writes docs/generated/config.schema.json, which editors use to complete and check modelgate.yaml. */
import { z } from 'zod';
import { ConfigFile } from '../../server/config/schema.ts';
import { type Output, publish } from './output.ts';

/** The file as it is checked in. Draft 7 is what YAML plug-ins of editors read; the schema is that of the written file, defaults not filled in. */
export function configSchemaOutput(): Output {
  const schema = z.toJSONSchema(ConfigFile, { target: 'draft-7', io: 'input' });
  return { path: '../generated/config.schema.json', text: `${JSON.stringify(schema, null, 2)}\n` };
}

if (import.meta.main) publish(configSchemaOutput());
