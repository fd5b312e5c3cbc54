/** The catalog of models. */
import { expect, test } from 'vitest';
import { loadConfig } from '../../../server/config/config.ts';
import { openModelCatalog } from '../../../server/config/model-catalog.ts';

const catalog = openModelCatalog(loadConfig({}, {}));

test('a model is found by its exact id only', () => {
  expect(catalog.find('gpt-5.4')).toMatchObject({ id: 'gpt-5.4', kind: 'text', upstream: 'simulator', upstreamModel: 'gpt-5.4' });
  for (const id of ['GPT-5.4', 'gpt-5.4 ', '', '__proto__', 'constructor']) expect(catalog.find(id)).toBeUndefined();
});

test('the list has the same order each time, and each of its models is found', () => {
  const ids = catalog.list().map(({ id }) => id);
  expect(ids).toEqual(['gpt-5.5', 'codex-auto-review', 'gpt-5.2', 'gpt-5.3-codex', 'gpt-5.4', 'gpt-5.4-mini', 'gpt-image-2']);
  expect(catalog.list().map(({ id }) => id)).toEqual(ids);
  for (const model of catalog.list()) expect(catalog.find(model.id)).toBe(model);
});
