/** Writes Markdown tables the way the formatter does. */

/** The first row is the header. */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((text) => text.replaceAll('|', '\\|')));
  const widths = cells.reduce<number[]>((widest, row) => row.map((text, column) => Math.max(text.length, widest[column] ?? 3)), []);
  const line = (row: readonly string[]) => `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
