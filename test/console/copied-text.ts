/** Runs the equivalent API call or command that a page shows, as a shell that has the program and the key of an operator. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';

const program = join(import.meta.dirname, '../../server/operate/cli.ts');

export type TextKind = 'api' | 'cli';

/** Opens the box within `place`, and reads the text that a person would copy. */
export async function textOf(place: Locator, kind: TextKind): Promise<string> {
  const box = place.locator('.same-as');
  if ((await box.getAttribute('open')) === null) await box.locator('summary').click();
  await box.getByRole('button', { name: kind === 'cli' ? 'Command line' : 'API call', exact: true }).click();
  return (await box.locator('pre').textContent()) ?? '';
}

/** What it printed; throws with all of that where it failed. */
export async function runText(text: string, { origin, key }: Readonly<Record<'origin' | 'key', string>>): Promise<string> {
  const url = text.includes('--url') ? '' : `--url "${origin}"`;
  const command = `modelgate() { one="$1"; shift; case "$1" in -*) ;; *) two="$1"; shift;; esac; "${process.execPath}" "${program}" "$one" $two ${url} "$@"; }`;
  const shell = `${command}\n${text.replace('curl', 'curl -sS --fail-with-body')}\n`;
  const env = { ...process.env, MODELGATE_ADMIN_KEY: key };
  const { stdout } = await promisify(execFile)('sh', ['-c', shell], { env }).catch((error: unknown) => {
    const { stdout, stderr } = Object(error);
    throw new Error(`${text}\n${stdout}${stderr}`);
  });
  return stdout;
}
