/** What an operator reads who mistypes a value or asks for two things at once: never nothing, and in the words of the command. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { governed } from '../../harness/admin.ts';
import { modelgate } from '../../harness/command-line.ts';
import { temporaryFolder } from '../../harness/folder.ts';

function openFolder() {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), stringify(governed));
  return (...words: string[]) => modelgate(words, { folder });
}

test.each(['$5', 'ten', '5,50', '1e3', ''])(
  "C4: an operator who tops up by '%s' reads which value was not understood and how to write it",
  async (dollars) => {
    const run = openFolder();
    await run('account', 'create', 'acme');
    const { code, stdout, stderr } = await run('account', 'top-up', 'acme', dollars);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`'${dollars}'`);
    expect(stderr).toMatch(/'dollars'\. Write dollars such as 10 or 12\.50/);
    expect(JSON.parse((await run('ledger', 'audit', '--json')).stdout).data).toMatchObject([{ action: 'account.create' }]);
  },
);

test('C4: an operator who gives an account a name that cannot be reads why', async () => {
  const { code, stdout, stderr } = await openFolder()('account', 'create', ' ');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/' ' is invalid for argument 'name'\. Write a name of 1 to 100 characters/);
});

test('C14: an operator who says two things at once is refused, and nothing is done', async () => {
  const run = openFolder();
  await run('account', 'create', 'acme');
  const { code, stdout, stderr } = await run('account', 'edit', 'acme', '--suspend', '--resume');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/'--suspend' cannot be used with option '--resume'|'--resume' cannot be used with option '--suspend'/);
  expect(JSON.parse((await run('account', 'show', 'acme', '--json')).stdout)).toMatchObject({ suspended: false });
});

test('C14: an operator who changes nothing is told so, rather than that it is changed', async () => {
  const run = openFolder();
  const made = await run('key', 'create', '--account', 'acme');
  const id = /^key_\w+/.exec(made.stderr)?.[0] ?? '';
  expect(await run('key', 'edit', id)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'modelgate: Say what to change: see modelgate key edit --help\n',
  });
  expect(await run('account', 'edit', 'acme')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Say what to change'),
  });
  const { data } = JSON.parse((await run('ledger', 'audit', '--json')).stdout);
  expect(data.map(({ action }: { action: string }) => action)).toEqual(['key.create', 'account.create']);
});

test('C14: an operator whose models fit none that the account may call is warned which, and the key is made', async () => {
  const run = openFolder();
  const made = await run('key', 'create', '--account', 'acme', '--models', 'play,gpt-9*,pearl');
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mg-/) });
  expect(made.stderr).toContain(
    "modelgate: --models: 'gpt-9*', 'pearl' fit no model that accounts of the group default may call: play, draw, gift.\n",
  );
  const id = /^key_\w+/.exec(made.stderr)?.[0] ?? '';
  expect((await run('key', 'edit', id, '--models', 'p*')).stderr).toBe('');
  expect((await run('key', 'edit', id, '--models', 'grok*')).stderr).toMatch(/^modelgate: --models: 'grok\*' fits no model that accounts /);
});

test.each([
  { words: ['--to', 'mysql', '--from', 'sqlite'], says: /--to: there is no folder 'mysql'. Write \.\/mysql for a new folder/ },
  { words: ['--from', 'sqlit', '--to', './new'], says: /--from: there is no folder 'sqlit'/ },
])('C14: an operator who copies to a place that is none is refused: $words', async ({ words, says }) => {
  const { code, stdout, stderr } = await openFolder()('db', 'copy', ...words);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(says);
  expect(stderr).toContain(
    'A database is named by sqlite, postgres, a data folder such as ./data, or an address that starts with postgres://.',
  );
});

test.each([
  { words: ['key', 'create', '--operations', 'createReponse'], says: /Invalid value for --operations: expected one of 'createResponse'/ },
  { words: ['key', 'create', '--from', '192.0.2.300'], says: /Invalid value for --from|--from: '192\.0\.2\.300' is neither an address/ },
  { words: ['key', 'create', '--models', '$x'], says: /Invalid value for --models: must be a model id, or a pattern/ },
  { words: ['account', 'create', 'b', '--opening-balance', '-5'], says: /Invalid value for --opening-balance: must be dollars/ },
  { words: ['price', 'set', 'play', '--input', '-5'], says: /Invalid value for --input: must be dollars per million tokens/ },
  { words: ['price', 'set', 'draw', '--picture', 'huge=1'], says: /--picture.*must be size\/quality/ },
  { words: ['account', 'top-up', 'acme', '1', '--transfer-id', 'a b'], says: /Invalid value for --transfer-id: must have letters/ },
  { words: ['account', 'top-up', 'acme', '1', '--kind', 'gift'], says: /Invalid value for --kind: expected one of 'top_up'/ },
  { words: ['account', 'top-up', 'acme', '--', '-1'], says: /<dollars> must be more than 0/ },
  { words: ['usage', 'list', 'acme', '--limit', '5000'], says: /--limit is over the maximum of 1000/ },
  { words: ['explain', 'key_1', 'play', '--operation', 'createReponse'], says: /Invalid value for --operation: expected one of/ },
])('C14: an operator whose value the gateway refuses reads the name of the option: $words', async ({ words, says }) => {
  const run = openFolder();
  await run('account', 'create', 'acme');
  const { code, stdout, stderr } = await run(...words);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/permissions\.|ip_ranges|opening_balance|transfer_id|'prices/);
});

test('C14: an operator whose account was not there reads that it is new and empty, and which one may have been meant', async () => {
  const run = openFolder();
  await run('account', 'create', 'research');
  const { code, stderr } = await run('key', 'create', '--account', 'reserch');
  expect(code).toBe(0);
  expect(stderr).toMatch(/^key_\w+ "unnamed" of new account reserch, /);
  expect(stderr).toContain('modelgate: The account reserch is new and has no money yet: modelgate account top-up reserch 10\n');
  expect(stderr).toMatch(/modelgate: --account: did you mean research\? Then revoke this key: modelgate key revoke key_\w+\n$/);
  expect((await run('key', 'create', '--account', 'research')).stderr).not.toContain('modelgate: ');
});
