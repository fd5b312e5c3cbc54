/** A configuration that changes while its gateway comes up: with SIGHUP, as a supervisor sends it that starts and reloads in one go, and without (F50). */
import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { temporaryFolder } from '../../harness/folder.ts';
import { exitOf, start } from '../../unit/commands/run.ts';

test.for(['signal', 'file'])(
  'F50: a reload that is asked for during the start by a %s ends nothing, and is made up for when the gateway runs',
  async (trigger) => {
    const folder = temporaryFolder();
    const file = join(folder, 'modelgate.yaml');
    // A pipe in place of the file.
    execFileSync('mkfifo', [file]);
    const settings = (level: string) =>
      stringify({
        ...{ data: join(folder, 'data'), admin: { enabled: false }, log: { level }, reload: { watch: trigger === 'file' } },
        upstreams: { demo: { kind: 'simulator' } },
      });
    const child = start(['serve', '--port', '0', '--config', file], { folder });
    const reloaded = Promise.withResolvers<void>();
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('the configuration was reloaded')) reloaded.resolve();
    });
    child.stdout.resume();
    child.once('exit', () => reloaded.reject(new Error(`it ended by ${child.signalCode}: ${log}`)));
    // Opened when the gateway opens it to read, which is the middle of its start.
    const pipe = await open(file, 'w');
    if (trigger === 'signal') child.kill('SIGHUP');
    writeFileSync(`${file}.new`, settings('info'));
    renameSync(`${file}.new`, file);
    await pipe.write(settings('warn'));
    await pipe.close();
    await reloaded.promise;
    expect(log).toContain(`"trigger":"${trigger}"`);
    const ended = exitOf(child);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  },
);
