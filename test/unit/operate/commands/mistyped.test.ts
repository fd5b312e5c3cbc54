/** Error messages for mistyped values and contradicting options, in the words of the command. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { governed } from '../../../harness/admin.ts';
import { modelgate } from '../../../harness/command-line.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

function openFolder() {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), stringify(governed));
  return (...words: string[]) => modelgate(words, { folder });
}

test.each(['$5', 'ten', '5,50', '1e3', ''])("C4: rejects an amount of '%s', quotes it, and says how to write it", async (dollars) => {
  const run = openFolder();
  await run('account', 'create', 'acme');
  const { code, stdout, stderr } = await run('account', 'top-up', 'acme', dollars);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`'${dollars}'`);
  expect(stderr).toMatch(/'dollars'\. Enter dollars such as 10 or 12\.50/);
  expect(JSON.parse((await run('ledger', 'audit', '--json')).stdout).data).toMatchObject([{ action: 'account.create' }]);
});

test('C4: rejects an invalid account name with the reason', async () => {
  const { code, stdout, stderr } = await openFolder()('account', 'create', ' ');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/' ' is invalid for argument 'name'\. Enter a name of 1 to 100 characters/);
});

test('C14: rejects options that contradict each other, and changes nothing', async () => {
  const run = openFolder();
  await run('account', 'create', 'acme');
  const { code, stdout, stderr } = await run('account', 'edit', 'acme', '--suspend', '--resume');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/'--suspend' cannot be used with option '--resume'|'--resume' cannot be used with option '--suspend'/);
  expect(JSON.parse((await run('account', 'show', 'acme', '--json')).stdout)).toMatchObject({ suspended: false });
});

test('C14: rejects an edit without a change', async () => {
  const run = openFolder();
  const made = await run('key', 'create', '--account', 'acme');
  const id = /^key_\w+/.exec(made.stderr)?.[0] ?? '';
  expect(await run('key', 'edit', id)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'modelgate: Specify what to change. See modelgate key edit --help\n',
  });
  expect(await run('account', 'edit', 'acme')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Specify what to change'),
  });
  const { data } = JSON.parse((await run('ledger', 'audit', '--json')).stdout);
  expect(data.map(({ action }: { action: string }) => action)).toEqual(['key.create', 'account.create']);
});

test('C14: warns of patterns that match no model of the group, and creates the key', async () => {
  const run = openFolder();
  const made = await run('key', 'create', '--account', 'acme', '--models', 'play,gpt-9*,pearl');
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mg-/) });
  expect(made.stderr).toContain(
    "modelgate: --models: 'gpt-9*', 'pearl' fit no model that accounts of the group default can call: play, draw, gift.\n",
  );
  const id = /^key_\w+/.exec(made.stderr)?.[0] ?? '';
  expect((await run('key', 'edit', id, '--models', 'p*')).stderr).toBe('');
  expect((await run('key', 'edit', id, '--models', 'grok*')).stderr).toMatch(/^modelgate: --models: 'grok\*' fits no model that accounts /);
});

test.each([
  { words: ['--to', 'mysql', '--from', 'sqlite'], says: /--to: folder 'mysql' not found. Write \.\/mysql for a new folder/ },
  { words: ['--from', 'sqlit', '--to', './new'], says: /--from: folder 'sqlit' not found/ },
])("C14: rejects db copy to a place that doesn't exist: $words", async ({ words, says }) => {
  const { code, stdout, stderr } = await openFolder()('db', 'copy', ...words);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(says);
  expect(stderr).toContain('Specify a database as sqlite, postgres, a data folder such as ./data, or a URL that starts with postgres://.');
});

test.each([
  { words: ['key', 'create', '--operations', 'createReponse'], says: /Invalid value for --operations: expected one of 'createResponse'/ },
  { words: ['key', 'create', '--from', '192.0.2.300'], says: /Invalid value for --from|--from: '192\.0\.2\.300' isn't an IP address/ },
  { words: ['key', 'create', '--models', '$x'], says: /Invalid value for --models: must be a model ID, or a pattern/ },
  { words: ['account', 'create', 'b', '--opening-balance', '-5'], says: /Invalid value for --opening-balance: must be a US dollar amount/ },
  { words: ['price', 'set', 'play', '--input', '-5'], says: /Invalid value for --input: must be US dollars per million tokens/ },
  { words: ['price', 'set', 'draw', '--image', 'huge=1'], says: /--image.*must be size\/quality/ },
  { words: ['account', 'top-up', 'acme', '1', '--transfer-id', 'a b'], says: /Invalid value for --transfer-id: must contain only letters/ },
  { words: ['account', 'top-up', 'acme', '1', '--kind', 'gift'], says: /Invalid value for --kind: expected one of 'top_up'/ },
  { words: ['account', 'top-up', 'acme', '--', '-1'], says: /<dollars> must be greater than 0/ },
  { words: ['usage', 'list', 'acme', '--limit', '5000'], says: /--limit must be at most 1000/ },
  { words: ['explain', 'key_1', 'play', '--operation', 'createReponse'], says: /Invalid value for --operation: expected one of/ },
  { words: ['account', 'create', 'b', '--group', 'none'], says: /Group 'none' not found\. Available: (?:default, )?vip, team/ },
])('C14: names the option in an error about its value, not the field of the API: $words', async ({ words, says }) => {
  const run = openFolder();
  await run('account', 'create', 'acme');
  const { code, stdout, stderr } = await run(...words);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/permissions\.|ip_ranges|opening_balance|transfer_id|'prices/);
});

test('C14: reports when key create creates an account, and suggests one with a similar name', async () => {
  const run = openFolder();
  await run('account', 'create', 'research');
  const { code, stderr } = await run('key', 'create', '--account', 'reserch');
  expect(code).toBe(0);
  expect(stderr).toMatch(/^key_\w+ "unnamed" of new account reserch, /);
  expect(stderr).toContain('modelgate: The account reserch is new and has no balance yet: modelgate account top-up reserch 10\n');
  expect(stderr).toMatch(/modelgate: --account: did you mean research\? Then revoke this key: modelgate key revoke key_\w+\n$/);
  expect((await run('key', 'create', '--account', 'research')).stderr).not.toContain('modelgate: ');
});
