/** Errors of the operators' commands. */
import { expect, test } from 'vitest';
import { governed } from '../../../harness/admin.ts';
import { modelgate } from '../../../harness/command-line.ts';
import { openFolder } from './governing-stage.ts';

test('revokes and lists with an unreadable configuration, and says why a command needs it', async () => {
  const settings = { ...governed, upstreams: { vendor: { kind: 'openai', apiKey: '$' + '{NOT_SET_HERE}' } } };
  const { run } = openFolder(settings);
  const made = await run('key', 'create');
  const id = /^key_\w+/.exec(made.stderr)?.[0] ?? '';
  expect(await run('key', 'revoke', id)).toMatchObject({ code: 0, stdout: `${id} was revoked.\n` });
  expect(await run('account', 'list')).toMatchObject({ code: 0 });
  const { code, stderr } = await run('account', 'edit', 'default', '--group', 'vip');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^modelgate: the configuration has a problem.*\n.*NOT_SET_HERE, which isn't set/);
});

test.each([
  { words: ['account', 'create', 'acme', '--opening-balance', '1,5'], says: /Enter dollars such as 10 or 12\.50/ },
  {
    words: ['account', 'edit', 'acme', '--concurrency', 'many'],
    says: /Enter a number of at least 1, observe: and a number, off, or default/,
  },
  { words: ['key', 'create', '--cap', '5/year'], says: /Enter dollars and a period such as 20\/month/ },
  { words: ['key', 'create', '--models', 'a,,b'], says: /Separate entries with commas, or enter all/ },
  { words: ['key', 'create', '--may-store', 'maybe'], says: /Enter yes or no/ },
  { words: ['key', 'rotate', 'key_x', '--overlap', 'soon'], says: /Enter a duration such as 12h or 7d, or 0/ },
  { words: ['usage', 'list', 'acme', '--from', 'monday'], says: /Enter a date such as 2027-01-31/ },
  { words: ['usage', 'list', 'acme', '--limit', '0'], says: /Enter a whole number of at least 1/ },
  { words: ['price', 'set', 'play', '--image', 'high'], says: /Enter a name and an amount/ },
])('exits with 2 for a mistyped value, and says what to enter: $words', async ({ words, says }) => {
  const { code, stdout, stderr } = await modelgate(words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(says);
});
