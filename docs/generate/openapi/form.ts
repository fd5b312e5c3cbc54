/** The multipart form of an edit as it goes over the wire: a part for each file. */
import type { Example } from '../examples/example.ts';
import type { JsonSchema } from './json-schema.ts';

const files = { contentType: 'image/png, image/jpeg, image/webp' };

/** Media type of a form; a file is shown by its name in the examples. */
export function formContent(schema: JsonSchema, forms: Readonly<Record<string, Example>> | undefined) {
  const encoding = { image: files, mask: { contentType: 'image/png' } };
  return { 'multipart/form-data': { schema, encoding, ...(forms && { examples: forms }) } };
}
