/** The image as the Dockerfile describes it, built by buildah: it serves calls and pages, not as root, and ends with SIGTERM. */
import { type ExecFileSyncOptions, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const { error } = spawnSync('buildah', ['--version']);
const missing = error ? `buildah cannot be run: ${error.message}` : process.getuid?.() === 0 ? null : 'Only root builds images here.';
if (missing) console.warn(`The image is not built. ${missing}`);

/** The process at the end of the chain that this one started: the gateway, below what sets up its root. */
function lastOf(pid = 0): number {
  const children = String(execFileSync('ps', ['-eo', 'pid=,ppid='])).matchAll(/(\d+) +(\d+)/g);
  const child = [...children].find(([, , parent]) => Number(parent) === pid)?.[1];
  return child === undefined ? pid : lastOf(Number(child));
}

const BUILD_MS = 600_000;

describe.skipIf(missing !== null)('the image', () => {
  let storage: string;
  let container: string;
  const withStorage = (args: readonly string[]) => ['--root', join(storage, 'root'), '--runroot', join(storage, 'run'), ...args];
  const buildah = (args: readonly string[], options: ExecFileSyncOptions = {}): string =>
    String(execFileSync('buildah', withStorage(args), { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env, ...options })).trim();
  let env: NodeJS.ProcessEnv;

  beforeAll(() => {
    storage = mkdtempSync(join(tmpdir(), 'modelgate-image-'));
    // Images of this test only. Processes run without a container's namespaces, which a test machine may not have.
    env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE: storage };
    const [, base = ''] = /^FROM (\S+)/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
    execFileSync(join(import.meta.dirname, 'base-image.sh'), [`docker.io/library/${base}`, process.execPath], { env, stdio: 'pipe' });
    buildah(['build', '--pull-never', '--quiet', '--tag', 'modelgate-image-test', '.'], { timeout: BUILD_MS });
    container = buildah(['from', '--pull-never', 'modelgate-image-test']);
  }, BUILD_MS);
  afterAll(() => {
    if (missing) return;
    if (container) buildah(['rm', container]);
    buildah(['rmi', '--all', '--force']);
    rmSync(storage, { recursive: true, force: true });
  });

  test('runs as a user without rights, and reports when it is ready', () => {
    const { config } = JSON.parse(buildah(['inspect', container])).OCIv1;
    expect(config).toMatchObject({ User: 'node', Cmd: ['node', 'server/operate/launch.mjs', 'serve'], StopSignal: 'SIGTERM' });
    expect(config.Env).toContain('MODELGATE_DATA=/data');
  });

  test('serves calls, pages, and documents, and stops on SIGTERM', async () => {
    const words = [
      'run',
      '--user',
      'node',
      container,
      '--',
      'node',
      'server/operate/launch.mjs',
      'serve',
      '--port',
      '0',
      '--host',
      '127.0.0.1',
    ];
    const child = spawn('buildah', withStorage(words), { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    const said: string[] = [];
    for await (const line of createInterface(child.stdout)) if (said.push(line) && line.includes('Data ')) break;
    const find = (pattern: RegExp): string => pattern.exec(said.join('\n'))?.[1] ?? expect.fail(said.join('\n'));
    const [base, key, console] = [find(/Base URL +(\S+)/), find(/API key +(\S+)/), find(/Console +(\S+)#/)];
    const answer = await fetch(`${base}/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-5.4', input: 'Hi' }),
    });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ status: 'completed' })]);
    const { origin } = new URL(base);
    for (const url of ['/docs', '/portal/', '/openapi.json', '/openapi-3.2.json', '/readyz'].map((path) => origin + path).concat(console)) {
      const page = await fetch(url, { headers: { accept: 'text/html, application/json' } });
      expect([url, page.status, (await page.text()).length > 0]).toEqual([url, 200, true]);
    }
    process.kill(lastOf(child.pid), 'SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
