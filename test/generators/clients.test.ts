/** Clients that others generate from the document: each compiles as it comes, makes the five calls, and reads an error by its type. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leftOut } from '../harness/tools.ts';
import { openStage, type Stage } from './stage.ts';
import { allGenerators } from './tools.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** The first eight bytes of a PNG, as base64 has them. */
const png = expect.stringMatching(/^iVBORw0KGgo/);
const said = 'Good morning from the gateway.';
const expected = {
  models: expect.arrayContaining(['gpt-5.4', 'gpt-image-2']),
  chat: said,
  response: said,
  drawn: png,
  edited: png,
  rejected: { status: 404, code: 'model_not_found', param: 'model', known: true },
};

describe.each(allGenerators)('a client by $name', ({ callers, missing, generate, build, call }) => {
  test.skipIf(missing !== null)(`compiles, makes the five calls and reads an error by its type${leftOut(missing)}`, async () => {
    const shop = stage.open(...callers);
    await generate(shop);
    await build(shop);
    expect(JSON.parse(await call(shop))).toEqual(expected);
  });

  test.skipIf(missing !== null)(`compiles for the operators' document${leftOut(missing)}`, async () => {
    const shop = stage.openForOperators();
    await generate(shop);
    await expect(build(shop)).resolves.toBeTypeOf('string');
  });
});

test('names each of them in the guide, and no other', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/clients.md'), 'utf8');
  const rows = [...guide.matchAll(/^\| ([\w -]+) \| (?:TypeScript|Python|Go) \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(allGenerators.map(({ name }) => name));
});

const typed = allGenerators.filter(({ callers: [caller] }) => caller.endsWith('.ts'));
describe.each(typed)('a program with a client by $name', ({ callers, missing, generate, build }) => {
  test.skipIf(missing !== null)(`rejects a misspelled response field at compile time${leftOut(missing)}`, async () => {
    const shop = stage.open(...callers);
    await generate(shop);
    const program = join(shop.folder, callers[0]);
    const misspelt = readFileSync(program, 'utf8').replace('?.message.content', '?.mesage.content');
    writeFileSync(program, misspelt);
    await expect(build(shop)).rejects.toThrow(/TS\d+: Property 'mesage' does not exist/);
  });
});
