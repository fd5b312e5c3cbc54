/** Writes the measured tables into a page, between the marks that name them, so that a run on another machine is one command. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { table } from '../../../docs/generate/table.ts';
import type { EngineResult } from './engines.ts';
import { loadShare } from './engines-compare.ts';
import { planTable } from './engines-plan.ts';
import { engineTable, memoryTable, stepTable, type Table, wallTable } from './engines-report.ts';
import type { Options } from './options.ts';

/** What was not measured stays as it was. */
export function writePage(page: string, result: EngineResult, options: Options): void {
  if (result.missing !== null) throw new Error(`${page} is not written: ${result.missing}`);
  const { rounds, walls, memory } = result;
  const blocks: Readonly<Record<string, Table>> = {
    engines: engineTable(rounds),
    steps: stepTable(rounds),
    walls: wallTable(walls),
    memory: memoryTable(memory),
    plan: planTable(result),
  };
  const before = readFileSync(page, 'utf8');
  const after = Object.entries(blocks).reduce(
    (text, [name, rows]) => (rows.length > 1 ? replaceBlock(text, name, `${table(rows)}\n\n${aboutRun(options, result)}`) : text),
    before,
  );
  writeFileSync(page, after);
}

/** A page without the marks of a table is a mistake: what was measured would be lost. */
export function replaceBlock(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- measured: ${name} -->`, `<!-- end: ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no ${begin} before ${end}`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}

/** The load of other programs stands there too: figures that were taken beside them are to be taken again. */
function aboutRun({ rounds, loadMs, openStreams }: Options, { loadBefore }: EngineResult): string {
  const how = `${rounds} rounds of ${(loadMs * loadShare) / 1_000} s, ${openStreams} open streams`;
  return `${cpus().length} cores, Node ${process.version}, ${how}; load of the machine before the run: ${loadBefore.toFixed(2)}.`;
}
