/** A configuration that changes while its gateway comes up: with SIGHUP, as a supervisor sends it that starts and reloads in one go, and without (F50). */
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { start } from '../../harness/command-line.ts';
import { temporaryFolder } from '../../harness/folder.ts';

test.for(['signal', 'file'])(
  'F50: a reload that is asked for during the start by a %s ends nothing, and is made up for when the gateway runs',
  async (trigger) => {
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
    // It has read the file and begun to load the server: this is the middle of its start.
    if (trigger === 'signal') running.kill('SIGHUP');
    renameSync(`${file}.new`, file);
    const shown = once(running.stdout, 'data');
    const reloaded = Promise.withResolvers<void>();
    let log = '';
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('the configuration was reloaded')) reloaded.resolve();
    });
    void running.ended.then((code) => reloaded.reject(new Error(`it ended with ${code}: ${log}`)));
    await reloaded.promise;
    // From here on it listens for the end too.
    await shown;
    expect(log).toContain(`"trigger":"${trigger}"`);
    running.kill('SIGTERM');
    expect(await running.ended).toBe(0);
  },
);
