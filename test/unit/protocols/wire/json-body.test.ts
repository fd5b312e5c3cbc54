/** A body that was changed in its bytes has the same places of fields as a new scan of the bytes. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editInput } from '../../../../server/protocols/responses/edit-input.ts';
import { createJsonBody, type JsonBody, withFields } from '../../../../server/protocols/wire/json-body.ts';
import { readJsonOutline } from '../../../../server/protocols/wire/json-outline.ts';

const names = ['store', 'include', 'ümlaut', 'a"b', 'stream'];
const value = fc.jsonValue({ maxDepth: 2 });
const changes = fc.dictionary(fc.constantFrom(...names), fc.option(value, { nil: undefined }));
const item = fc.record(
  { id: fc.string(), content: fc.string({ unit: 'grapheme' }), type: fc.constant('message') },
  { requiredKeys: ['type'] },
);
const indent = fc.constantFrom(0, 1);
/** Short bodies are scanned again instead. */
const length = fc.constantFrom(0, 5_000);

const bodyOf = (fields: object, spaces: number): JsonBody => {
  const bytes = Buffer.from(JSON.stringify(fields, null, spaces));
  return { kind: 'json', value: JSON.parse(bytes.toString()), bytes };
};
const byName = (places: JsonBody['places']) => Object.fromEntries(places?.() ?? []);

describe('a body after its changes', () => {
  test('keeps the places and the value of its bytes', () => {
    fc.assert(
      fc.property(
        changes,
        fc.array(item, { minLength: 1 }),
        changes,
        changes,
        indent,
        length,
        (first, input, second, third, spaces, many) => {
          const start = bodyOf({ ...first, padding: ' '.repeat(many), model: 'm', input, after: 1 }, spaces);
          const edited = withFields(withFields(start, second), third);
          const stripped = editInput(edited, (each) => (each.id === undefined ? 'drop' : 'strip'));
          const body = withFields(stripped, { store: false, model: 'other' });
          expect(JSON.parse(body.bytes.toString())).toEqual(JSON.parse(JSON.stringify(body.value)));
          if (many > 0) expect(byName(body.places)).toEqual(byName(() => readJsonOutline(body.bytes).places));
        },
      ),
    );
  });

  test('accepts another change of added fields', () => {
    const long = 'x'.repeat(5_000);
    for (const user of ['', long]) {
      const body = withFields(withFields(createJsonBody({ model: 'm', user }), { store: true, n: 1 }), { store: 'ß', n: undefined });
      expect(body.bytes.toString()).toBe(`{"store":"ß","model":"m","user":"${user}"}`);
      expect(withFields(body, { model: 'other' }).bytes.toString()).toBe(`{"store":"ß","model":"other","user":"${user}"}`);
    }
  });
});
