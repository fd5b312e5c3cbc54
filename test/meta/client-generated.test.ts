/** The generated part of the client is what the contract says now. */
import { expect, test } from 'vitest';
import * as client from '../../client/sdk/src/index.ts';
import { routes } from '../../client/sdk/src/routes.gen.ts';
import { contract } from '../../contract/index.ts';
import { clientOutputs } from '../../docs/generate/client.ts';
import { isFresh } from '../../docs/generate/output.ts';

test('keeps the generated types and routes up to date, and fails the check for an outdated file', () => {
  const outputs = clientOutputs();
  expect(outputs.filter((output) => !isFresh(output)).map(({ path }) => path)).toEqual([]);
  expect(outputs.map((output) => isFresh({ ...output, text: `${output.text} ` }))).toEqual([false, false]);
});

test('lists the method and path of every route of the contract', () => {
  const expected = Object.entries(contract).map(([name, { method, path }]) => [name, method, path.replace(/:(\w+)/g, '{$1}')]);
  expect(Object.entries(routes).map(([name, { method, path }]) => [name, method, path])).toEqual(expected);
});

test('lists exactly these terminal events for each streaming operation', () => {
  const ends = Object.fromEntries(Object.entries(routes).flatMap(([name, route]) => (route.ends ? [[name, route.ends]] : [])));
  expect(ends).toEqual({
    createResponse: ['response.completed', 'response.incomplete', 'response.failed'],
    getResponse: ['response.completed', 'response.incomplete', 'response.failed'],
    createChatCompletion: ['[DONE]'],
    generateImages: ['image_generation.completed'],
    editImages: ['image_edit.completed'],
  });
});

test('exports only the client, its stream, its errors and its helpers at run time', () => {
  const errors = Object.keys(client).filter((name) => name.endsWith('Error'));
  const others = Object.keys(client).filter((name) => !errors.includes(name));
  expect(others.sort()).toEqual([
    'EventStream',
    'Modelgate',
    'ResponseConnection',
    'chatText',
    'createParsedCompletion',
    'createParsedResponse',
    'extraOf',
    'finalCompletion',
    'jsonSchemaOf',
    'outputText',
    'parse',
    'runTools',
    'tool',
    'withExtra',
  ]);
  expect(errors).toHaveLength(14);
});
