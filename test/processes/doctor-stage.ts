/** Runs `modelgate doctor` over settings, and reads its findings. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { modelgate } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';

export interface Told {
  readonly state: string;
  readonly detail: string;
  readonly ms: number;
  readonly hint?: string;
}
interface Diagnosis {
  readonly code: number | null;
  readonly parts: Readonly<Record<string, Told>>;
  readonly text: string;
}
interface Order {
  readonly settings?: object;
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory; the data folder in it is `data`. */
  readonly folder?: string;
}

export const free = { server: { port: 0 }, admin: { enabled: false } };

export async function diagnose({ settings = {}, words = [], env = {}, folder = temporaryFolder() }: Order): Promise<Diagnosis> {
  writeFileSync(join(folder, 'modelgate.yaml'), stringify({ ...free, ...settings }));
  const { code, stdout, stderr } = await modelgate(['doctor', '--json', ...words], { folder, env });
  expect(stderr).toBe('');
  // Written by the command, in the shape that the guide shows.
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: (Told & { part: string })[] };
  expect(code).toBe(ok ? 0 : 1);
  for (const { ms } of findings) expect(ms).toBeGreaterThanOrEqual(0);
  return { code, parts: Object.fromEntries(findings.map((finding) => [finding.part, finding])), text: stdout };
}

/** Expects that this part is at fault, and no other. */
export async function expectFault(part: string, order: Order): Promise<Told> {
  const { code, parts } = await diagnose(order);
  const faults = Object.entries(parts).filter(([, { state }]) => state === 'fault');
  expect({ code, faults: faults.map(([name]) => name) }).toEqual({ code: 1, faults: [part] });
  const told = parts[part] ?? { state: '', detail: '', ms: 0 };
  expect(told.hint).toMatch(/\w{3,}/);
  return told;
}
