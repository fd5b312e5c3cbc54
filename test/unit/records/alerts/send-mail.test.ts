/** One attempt at a mail server: what arrives, and what counts as delivered. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { MailChannel } from '../../../../server/records/alerts/channels.ts';
import { sendMail } from '../../../../server/records/alerts/send-mail.ts';
import { openSmtpServer } from '../../../fakes/smtp-server.ts';
import { temporaryFolder } from '../../../harness/folder.ts';
import { freePort } from '../../../harness/free-port.ts';

const text = `.a dot first\n${'long '.repeat(400)}\nZoë\n\nOpen in console: https://gateway.example/console/accounts/acct_1`;
const message = { id: 'alert_1_opened', at: 0, body: JSON.stringify({ subject: 'Modelgate: Low balance: Zoë\r\nBcc: x@y.example', text }) };
const run = promisify(execFile);
const sender = new URL('../../../../server/records/alerts/send-mail.ts', import.meta.url).href;
const login = { user: 'alerts', password: 'pass word' };

async function openServer(options: Parameters<typeof openSmtpServer>[0]) {
  const server = await openSmtpServer(options);
  onTestFinished(() => server.close());
  const channel: MailChannel = {
    name: 'on-call',
    format: 'mail',
    host: '127.0.0.1',
    port: server.port,
    tls: 'none',
    from: 'Modelgate <alerts@example.com>',
    to: ['ops@example.com', 'cto@example.com'],
  };
  const send = (changes: Partial<MailChannel> = {}) => sendMail({ ...channel, ...changes }, message, {});
  return { server, send };
}

test('sends the text to every recipient with sender, subject, and an ID that stays the same', async () => {
  const { server, send } = await openServer({ login });
  expect(await send(login)).toEqual({ isDelivered: true, status: 250, failure: null, response: '250 2.0.0 queued as 4711' });
  const [mail] = server.came;
  expect(mail).toMatchObject({ from: 'alerts@example.com', to: ['ops@example.com', 'cto@example.com'], user: 'alerts' });
  expect(mail?.text.trimEnd()).toBe(text);
  const { headers = new Map<string, string>() } = mail ?? {};
  expect(Object.fromEntries(headers)).toMatchObject({
    from: 'Modelgate <alerts@example.com>',
    'message-id': '<alert_1_opened@modelgate>',
    'auto-submitted': 'auto-generated',
  });
  expect(headers.get('subject')).toMatch(/^=\?UTF-8\?|^Modelgate/);
  expect(headers.has('bcc')).toBe(false);
});

test('reports the reply of a server that rejects the login, the sender, every recipient, or the message', async () => {
  const { send } = await openServer({ login });
  expect(await send({ user: 'alerts', password: 'another-secret' })).toEqual({
    isDelivered: false,
    status: 535,
    failure: 'Invalid login: 535 5.7.8 authentication failed',
    response: '535 5.7.8 authentication failed',
  });
  expect(await send()).toMatchObject({ isDelivered: false, status: 530 });
  const { server, send: sendTo } = await openServer({ unknown: ['ops@example.com'] });
  expect(await sendTo({ to: ['ops@example.com'] })).toMatchObject({
    isDelivered: false,
    status: 550,
    failure: expect.stringMatching(/ 550 5\.1\.1 no such mailbox$/),
  });
  server.next('451 4.7.1 greylisted, try again later');
  expect(await sendTo()).toMatchObject({ isDelivered: false, status: 451 });
  expect(await sendTo()).toMatchObject({ isDelivered: true, failure: 'not accepted for 1 of 2 recipients' });
  expect(server.came.map(({ to }) => to)).toEqual([['cto@example.com']]);
});

test("sends neither password nor mail without TLS, or to a certificate that isn't trusted", async () => {
  const plain = await openServer({ login });
  expect(await plain.send({ ...login, tls: 'starttls' })).toMatchObject({ isDelivered: false, failure: expect.stringMatching(/STARTTLS/) });
  const folder = temporaryFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert, ...subject], {
    stdio: 'pipe',
  });
  const secured = await openServer({ login, certificate: { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') } });
  expect(await secured.send({ ...login, tls: undefined })).toMatchObject({
    isDelivered: false,
    status: null,
    failure: expect.stringContaining('self-signed certificate'),
  });
  for (const { server } of [plain, secured]) expect(server.commands.filter((line) => /^(?:AUTH|MAIL)/.test(line))).toEqual([]);
  // Node reads its certificates at the start, so a process that trusts this one sends the mail.
  const channel = {
    name: 'a',
    format: 'mail',
    host: '127.0.0.1',
    port: secured.server.port,
    ...login,
    from: 'a@b.example',
    to: ['c@d.example'],
  };
  const script = `import { sendMail } from ${JSON.stringify(sender)};
    console.log(JSON.stringify(await sendMail(${JSON.stringify(channel)}, ${JSON.stringify(message)}, {})));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env: { NODE_EXTRA_CA_CERTS: cert } });
  expect(JSON.parse(stdout)).toMatchObject({ isDelivered: true, status: 250 });
  // This server accepts a login only with TLS.
  expect(secured.server.came).toMatchObject([{ user: 'alerts', to: ['c@d.example'] }]);
});

test('gives up on a silent server and a closed port, and when the gateway stops', async () => {
  const { server, send } = await openServer({});
  expect(await send({ port: await freePort() })).toMatchObject({ isDelivered: false, failure: expect.stringContaining('ECONNREFUSED') });
  const channel = {
    name: 'a',
    format: 'mail',
    host: '127.0.0.1',
    port: server.port,
    tls: 'implicit',
    from: 'a@b.example',
    to: ['c@d.example'],
  } as const;
  // It waits for TLS, which this server never starts.
  expect(await sendMail(channel, message, { maxMs: 200 })).toMatchObject({ isDelivered: false, status: null });
  const stop = AbortSignal.abort();
  expect(await sendMail(channel, message, { signal: stop })).toMatchObject({ isDelivered: false, failure: 'the gateway stopped' });
});
