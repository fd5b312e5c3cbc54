/** The multipart form of an edit as it goes over the wire: files under `image`, or under `image[]` (specification 4.5). */
import type { Example } from '../examples/example.ts';
import type { JsonSchema } from './json-schema.ts';

const files = { contentType: 'image/png, image/jpeg, image/webp' };

/** Media type of a form; a file is shown by its name in the examples. */
export function formContent(schema: JsonSchema, forms: Readonly<Record<string, Example>> | undefined) {
  const encoding = { image: files, 'image[]': files, mask: { contentType: 'image/png' } };
  return { 'multipart/form-data': { schema, encoding, ...(forms && { examples: forms }) } };
}

/**
 * The contract names the files once; on the wire several files come as `image[]` from the official SDKs, or as repeated `image`.
 * One of the two has to be there.
 */
export function spellOutFiles(form: JsonSchema): JsonSchema {
  const properties = form.properties;
  const required = form.required;
  if (typeof properties !== 'object' || properties === null || !('image' in properties) || !Array.isArray(required)) {
    throw new Error('The form of an edit has lost its field image.');
  }
  const others = required.filter((name) => name !== 'image');
  return {
    ...form,
    properties: { ...properties, 'image[]': properties.image },
    required: others,
    anyOf: [{ required: ['image'] }, { required: ['image[]'] }],
  };
}
