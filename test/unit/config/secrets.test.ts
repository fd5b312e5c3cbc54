/** Secrets written without quotes: no message repeats a part of them, whatever YAML reads. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modelgate } from '../../harness/command-line.ts';
import { temporaryFolder } from '../../harness/folder.ts';

const word = 'hunter2verysecret';
const secrets = [
  ...['*', '!', '!!', '!<', '!e!', '&', '%', '@', '`', '|', '>', '{', '[', '}', ']', '"', "'", '? ', '- ', ': ', ', '].map(
    (sign) => sign + word,
  ),
  ...[
    `"\\q${word}"`,
    `"\\x${word}"`,
    `${word}+: ${word}`,
    `[${word}`,
    `{${word}}`,
    `*${word} ${word}`,
    `!${word} ${word}`,
    `&${word} *${word}x`,
  ],
  ...[
    `"${word}" ${word}`,
    `'${word}' ${word}`,
    `|${word}\n      x`,
    `>-2${word}`,
    `\t${word}`,
    `\${${word}-}`,
    `\${${word}`,
    `\u0007${word}`,
  ],
  ...[`!${word}\n      - a`, `!${word} { a: b }`, `? ${word}`, `<<: *${word}`],
];
const places: readonly (readonly [string, (secret: string) => string])[] = [
  ['as a key of an upstream', (secret) => `upstreams:\n  a:\n    kind: openai\n    apiKey: ${secret}\n`],
  ['as a key of an upstream between braces', (secret) => `upstreams:\n  a: { kind: openai, apiKey: ${secret} }\n`],
  ['without a blank before it', (secret) => `upstreams:\n  a:\n    kind: openai\n    apiKey:${secret}\n`],
  ['without a blank before it, between braces', (secret) => `upstreams:\n  a: { kind: openai, apiKey:${secret} }\n`],
  ['without its key', (secret) => `upstreams:\n  a:\n    kind: openai\n    ${secret}\n`],
  ['without its key, between braces', (secret) => `upstreams:\n  a: { kind: openai, ${secret} }\n`],
  ['as a header', (secret) => `upstreams:\n  a:\n    kind: openai\n    headers: { x-key: ${secret} }\n`],
  ['on a line of its own', (secret) => `data: x\n${secret}\n`],
];

test.each(places)('C13: reports line and column for a secret %s, and never the secret', async (_, write) => {
  const folder = temporaryFolder();
  const told: string[] = [];
  for (const secret of secrets) {
    writeFileSync(join(folder, 'modelgate.yaml'), write(secret));
    const { code, stdout, stderr } = await modelgate(['config', 'check'], { folder });
    if (/unter2|secret|very/.test(stdout + stderr)) told.push(`${secret} → ${stdout}${stderr}`);
    else if (code !== 0) expect(stderr).toMatch(/modelgate\.yaml:\d+:\d+: /);
  }
  expect(told).toEqual([]);
});
