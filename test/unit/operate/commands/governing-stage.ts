/** A folder with a configuration, and the commands that run in it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { governed } from '../../../harness/admin.ts';
import { modelgate } from '../../../harness/command-line.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

export function openFolder(settings: object = governed) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), stringify(settings));
  const run = (...words: string[]) => modelgate(words, { folder });
  return {
    folder,
    run,
    /** The output of the command, which must succeed. */
    async text(...words: string[]): Promise<string> {
      const { code, stdout, stderr } = await run(...words);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      return stdout;
    },
    json: async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout),
  };
}
