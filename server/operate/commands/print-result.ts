/** Prints the result of a command: as JSON, as rows, or as a table. */
import type { AdminOptions } from './admin-command.ts';

/** Prints the API's response as JSON for scripts, or the text for people. */
export function printResult({ json = false, shell }: AdminOptions, result: unknown, text: string): void {
  shell.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : text);
}

/** Formats names and values in two columns. */
export function formatRows(rows: readonly (readonly [string, string | null | undefined])[]): string {
  const filledRows = rows.filter((row): row is [string, string] => typeof row[1] === 'string');
  const width = Math.max(...filledRows.map(([name]) => name.length)) + 2;
  return filledRows.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}\n`).join('');
}

/** Formats a time for tables, to the minute in UTC. */
export const formatShortTime = (time: string | null): string => time?.slice(0, 16) ?? 'never';

export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const formatLine = (line: readonly string[]): string =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${lines.map(formatLine).join('\n')}\n`;
}
