/** The guide about alerts: its samples verify what the gateway really sends, and its tables name what there is. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertKinds as kindsOfContract } from '../../../contract/admin/alerts.ts';
import { alertKinds } from '../../../server/config/schema-alerts.ts';
import { writeAlertMessage, writeTestMessage } from '../../../server/records/alerts/alert-message.ts';
import { MAX_ATTEMPTS } from '../../../server/records/alerts/deliver-alerts.ts';
import { sendWebhook } from '../../../server/records/alerts/send-webhook.ts';
import { type Delivered, openReceiver, type Receiver, receiverSecret } from '../../fakes/webhook-receiver.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { leftOut, python, pythonMissing } from '../../harness/tools.ts';
import { blocksOf, readPage } from '../../samples/samples.ts';

const run = promisify(execFile);
const page = 'docs/guides/webhooks.md';
const guide = readPage('docs/guides/alerts.md');
const told = {
  id: 'alert_019c2f6b1f40a1b2c3d4e5f6',
  kind: 'balance_low',
  subject: 'acct_1SxzRaFDJ2EBoA8TR',
  name: 'Zoë',
  message: 'Account Zoë has $4.20 left, which is below $5.00.',
  value: '4.200000',
  threshold: '5.000000',
  openedAt: 1_800_000_000_000,
  resolvedAt: null,
} as const;

let receiver: Receiver;
let message: Delivered;
beforeAll(async () => {
  receiver = await openReceiver();
  const body = writeAlertMessage('standard', 'opened', told);
  await sendWebhook({ url: receiver.url, secret: receiverSecret }, { id: `${told.id}_opened`, at: Date.now(), body });
  message = receiver.came[0] ?? expect.fail('nothing came');
});
afterAll(() => receiver.close());

const codeOf = (language: string): string => blocksOf(page).find((block) => block.language === language)?.code ?? expect.fail(language);

/** What a receiver has at hand, in a file. */
function givenFile(folder: string, changes: Partial<Pick<Delivered, 'body' | 'headers'>> = {}): void {
  const { headers, body } = { ...message, ...changes };
  writeFileSync(join(folder, 'given.json'), JSON.stringify({ headers, body, secret: receiverSecret }));
}

const ends = {
  js: `import { readFileSync } from 'node:fs';
const given = JSON.parse(readFileSync('given.json', 'utf8'));
console.log(verify(given.headers, Buffer.from(given.body), given.secret).data.name);`,
  python: `import sys
sys.stdout.reconfigure(encoding="utf-8")
given = json.load(open("given.json", encoding="utf-8"))
print(verify(given["headers"], given["body"].encode(), given["secret"])["data"]["name"])`,
};

const receivers = [
  { language: 'js', file: 'sample.mjs', program: process.execPath, missing: null },
  { language: 'python', file: 'sample.py', program: python.program, missing: pythonMissing },
] as const;

test.for(receivers)('verifies what the gateway sent, and rejects changed or old messages, in $language', async (one, { skip }) => {
  if (one.missing !== null) return skip(leftOut(one.missing));
  const folder = temporaryFolder();
  writeFileSync(join(folder, one.file), `${codeOf(one.language)}\n${ends[one.language]}\n`);
  const start = () => run(one.program, [one.file], { cwd: folder });
  givenFile(folder);
  expect((await start()).stdout.trim()).toBe('Zoë');
  givenFile(folder, { body: message.body.replace('4.20', '9.20') });
  await expect(start()).rejects.toThrow('not signed with this secret');
  givenFile(folder, { headers: { ...message.headers, 'webhook-timestamp': '1614265330' } });
  await expect(start()).rejects.toThrow('too old');
});

test('shows a message with all fields, names each kind, and counts the attempts', () => {
  const [shown = {}] = blocksOf(page).flatMap(({ language, code }) => (language === 'json' ? [JSON.parse(code)] : []));
  const sent = JSON.parse(writeAlertMessage('standard', 'opened', told));
  expect(Object.keys(shown)).toEqual(Object.keys(sent));
  expect(Object.keys(shown.data)).toEqual(Object.keys(sent.data));
  expect(Object.keys(JSON.parse(writeTestMessage({ format: 'standard', name: 'ops' }, 0)).data)).toEqual(['webhook', 'message']);
  expect(kindsOfContract).toEqual(alertKinds);
  for (const kind of alertKinds) {
    expect(guide).toContain(`| \`${kind}\` |`);
    // The console links to this heading.
    expect(guide).toContain(`\n### \`${kind}\`\n`);
  }
  expect(MAX_ATTEMPTS).toBe(10);
  expect(guide).toContain('nine times');
});
