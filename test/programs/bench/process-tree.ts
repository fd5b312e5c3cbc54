/** CPU that a program has used together with the processes below it, as Linux tells it in /proc. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** Its own and that of its children that have ended, in ticks of the kernel's clock. */
  readonly ticks: number;
}

export const canReadTrees = existsSync('/proc/self/stat');
const tickMicros = canReadTrees ? 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : Number.NaN;

/** Microseconds. */
export function cpuOf(root: number): number {
  return treeOf(root).reduce((sum, { ticks }) => sum + ticks * tickMicros, 0);
}

export const pidsOf = (root: number): number[] => treeOf(root).map(({ pid }) => pid);

/** Children of this process that run a program of this name. */
export function childrenNamed(name: string): number[] {
  return processes().flatMap((one) => (one.parent === process.pid && one.name === name ? [one.pid] : []));
}

function treeOf(root: number): Stat[] {
  const all = processes();
  const tree = all.filter(({ pid }) => pid === root);
  // It grows while it is walked through: children of children are found too.
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

function processes(): Stat[] {
  if (!canReadTrees) return [];
  return readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? readStat(Number(entry)) : []));
}

/** Empty where the process has ended since it was listed. */
function readStat(pid: number): Stat[] {
  try {
    // The name stands in brackets and may hold brackets and spaces itself.
    const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    return [{ pid, parent: Number(fields[1]), name, ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) }];
  } catch {
    return [];
  }
}
