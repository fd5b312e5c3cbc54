/** What single sign-on costs where nobody uses it: nothing is loaded, at the start or at a sign-in with a key. */
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const server = join(import.meta.dirname, '../../../../server');

/** Loads these files in a thread of its own; the names of packages that were asked for. */
async function packagesOf(code: string): Promise<readonly string[]> {
  const watch = `
    import { registerHooks } from 'node:module';
    const seen = new Set();
    registerHooks({ resolve(name, context, next) { seen.add(name); return next(name, context); } });
    await (async () => { ${code} })();
    process.stdout.write(JSON.stringify([...seen].filter((name) => /^[a-z@]/.test(name) && !name.startsWith('node:'))));
  `;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(watch)}`), { stdout: true });
  const [told] = await Promise.all([text(worker.stdout), once(worker, 'exit')]);
  return JSON.parse(told);
}

test('loads no library for single sign-on before the first request to the provider', async () => {
  const load = ['gateway/gateway.ts', 'api/admin/listener.ts', 'access/sessions/oidc.ts']
    .map((file) => `await import('file://${join(server, file)}');`)
    .join('');
  const loaded = await packagesOf(load);
  expect(loaded).toContain('fastify');
  expect(loaded.filter((name) => /openid|oauth|jose/.test(name))).toEqual([]);
  const settings = { issuer: 'http://127.0.0.1:9', clientId: 'c', clientSecret: 's', scopes: [] };
  const ask = `const { openProvider } = await import('file://${join(server, 'access/sessions/oidc.ts')}');
    await openProvider(${JSON.stringify(settings)}, Date.now).getMetadata().catch(() => undefined);`;
  expect(await packagesOf(ask)).toContain('openid-client');
});
