/** Writes docs/generated/recording.schema.json, with which editors complete and check recordings that are written by hand. */
import { z } from 'zod';
import { RecordedCall } from '../../server/providers/recordings/recorded-call.ts';
import { type Output, publish } from './output.ts';

export function recordingSchemaOutput(): Output {
  const schema = z.toJSONSchema(RecordedCall, { target: 'draft-7', io: 'input' });
  return { path: '../generated/recording.schema.json', text: `${JSON.stringify(schema, null, 2)}\n` };
}

if (import.meta.main) publish(recordingSchemaOutput());
