/** The commands of the guide for those who come from another gateway, run as they stand there. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../harness/folder.ts';

const root = join(import.meta.dirname, '../../../..');
const guide = readFileSync(join(root, 'docs/guides/from-litellm-and-new-api.md'), 'utf8');
const blocks = [...guide.matchAll(/```bash\n(.*?)```/gs)].map(([, code = '']) => code.trim().split('\n'));

test('writes a file that config check accepts for each block of the guide', () => {
  const folder = temporaryFolder();
  copyFileSync(join(root, 'test/fixtures/litellm/aws-deployment.yaml'), join(folder, 'config.yaml'));
  const channel = { name: 'Main', type: 1, status: 1, key: 'sk-x', models: 'gpt-5.4', group: 'default' };
  writeFileSync(join(folder, 'channels.json'), JSON.stringify({ success: true, data: { items: [channel] } }));
  const options = Object.entries({ ModelRatio: { 'gpt-5.4': 1 }, CompletionRatio: { 'gpt-5.4': 4 } });
  writeFileSync(
    join(folder, 'options.json'),
    JSON.stringify({ success: true, data: options.map(([key, value]) => ({ key, value: JSON.stringify(value) })) }),
  );
  const env = { ...process.env, OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: 'sk-2', MAIN_API_KEY: 'sk-3' };
  expect(blocks).toHaveLength(2);
  for (const lines of blocks) {
    for (const line of lines) {
      const [command, ...words] = line.split(' ');
      expect(command).toBe('modelgate');
      // Throws where the command ends with another code than 0.
      execFileSync(process.execPath, [join(root, 'server/operate/launch.mjs'), ...words], { cwd: folder, env, stdio: 'pipe' });
    }
    expect(existsSync(join(folder, 'modelgate.yaml'))).toBe(true);
    rmSync(join(folder, 'modelgate.yaml'));
  }
});
