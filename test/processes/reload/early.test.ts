/** A configuration that changes while the gateway starts, with SIGHUP or with a watched file (F50). */
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { start } from '../../harness/command-line.ts';
import { temporaryFolder } from '../../harness/folder.ts';

test.for(['signal', 'file'])('F50: survives a reload by a %s during the start, and applies it when the gateway runs', async (trigger) => {
  const folder = temporaryFolder();
  const file = join(folder, 'modelgate.yaml');
  const settings = (level: string) =>
    stringify({
      data: join(folder, 'data'),
      admin: { enabled: false },
      log: { level },
      reload: { watch: trigger === 'file' },
      upstreams: { demo: { kind: 'simulator' } },
    });
  writeFileSync(file, settings('warn'));
  writeFileSync(`${file}.new`, settings('info'));
  const running = start(['serve', '--port', '0', '--config', file], { folder });
  await running.listensForSighup;
  // It has read the file and is loading the server.
  if (trigger === 'signal') running.kill('SIGHUP');
  renameSync(`${file}.new`, file);
  const shown = once(running.stdout, 'data');
  const reloaded = Promise.withResolvers<void>();
  let log = '';
  running.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
    if (log.includes('configuration reloaded')) reloaded.resolve();
  });
  void running.ended.then((code) => reloaded.reject(new Error(`it ended with ${code}: ${log}`)));
  await reloaded.promise;
  // After the banner it listens for SIGTERM too.
  await shown;
  expect(log).toContain(`"trigger":"${trigger}"`);
  running.kill('SIGTERM');
  expect(await running.ended).toBe(0);
});
