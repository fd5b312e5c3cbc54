/** `modelgate price set`: prices that are not named stay, and the old ones are printed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { governed } from '../../../harness/admin.ts';
import { modelgate } from '../../../harness/command-line.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

async function openFolder() {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), stringify(governed));
  await modelgate(['account', 'create', 'acme'], { folder });
  return {
    set: (...words: string[]) => modelgate(['price', 'set', ...words], { folder }),
    async nowOf(model: string, list = 'standard') {
      const { data } = JSON.parse((await modelgate(['price', 'list', '--json'], { folder })).stdout);
      return data.find((one: { model: string; price_list: string }) => one.model === model && one.price_list === list)?.prices;
    },
  };
}

test('C5: changes one price, adds prices of tools, and removes each with `none`', async () => {
  const { set, nowOf } = await openFolder();
  await set('play', '--cache-write', '2.5', '--tool', 'web_search_call=0.01', '--tool', 'file_search_call=0.02');
  await set('play', '--output', '9', '--tool', 'web_search_call=0.03');
  const tools = { web_search_call: '0.03', file_search_call: '0.02' };
  expect(await nowOf('play')).toEqual({ input: '2', cached_input: '0.2', cache_write: '2.5', output: '9', tools });
  await set('play', '--cached-input', 'none', '--cache-write', 'none', '--tool', 'web_search_call=none');
  expect(await nowOf('play')).toEqual({ input: '2', output: '9', tools: { file_search_call: '0.02' } });
});

test('C5: keeps the prices of other images when one is set', async () => {
  const { set, nowOf } = await openFolder();
  await set('draw', '--image', '1024x1024/low=0.01');
  expect(await nowOf('draw')).toEqual({ images: { '1024x1024/high': '0.167', '1024x1024/low': '0.01', default: '0.25' } });
  await set('draw', '--image', '1024x1024/high=none');
  expect(await nowOf('draw')).toEqual({ images: { '1024x1024/low': '0.01', default: '0.25' } });
});

test("C5: prints the standard price that applied before a model's first price on another list", async () => {
  const { set, nowOf } = await openFolder();
  expect(await set('pearl', '--list', 'wholesale', '--input', '1', '--output', '4')).toMatchObject({
    code: 0,
    stdout: 'Version 1 of wholesale/pearl: input 1, output 4\nBefore: input 2, output 8 (price list standard)\n',
  });
  expect(await nowOf('pearl', 'wholesale')).toEqual({ input: '1', output: '4' });
});
