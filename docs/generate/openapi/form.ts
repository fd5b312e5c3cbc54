/** The multipart form of an image edit, with one part per file. */
import type { Example } from '../examples/example.ts';
import type { JsonSchema } from './json-schema.ts';

const files = { contentType: 'image/png, image/jpeg, image/webp' };

/** Returns the content of a form request. Examples show files by name. */
export function formContent(schema: JsonSchema, forms: Readonly<Record<string, Example>> | undefined) {
  const encoding = { image: files, mask: { contentType: 'image/png' } };
  return { 'multipart/form-data': { schema, encoding, ...(forms && { examples: forms }) } };
}
