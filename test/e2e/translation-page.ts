/** The page of the docs that shows the translation matrix, written from what the cases found. */
import { placeRows } from './translation-places.ts';

export interface Cell {
  readonly feature: string;
  readonly caller: string;
  readonly kind: string;
  readonly isStream: boolean;
  /** `works`, or the result in its place. */
  outcome: string;
}

const introduction = `<!-- Made by test/e2e/translation.test.ts from its results. Do not edit: run \`node docs/generate/translation.ts\`. -->

# Translation

A caller picks a model and a protocol; what the upstream speaks is the gateway's business. Columns are pairs of caller and upstream.
Each cell was found by asking a running gateway, whole and streamed, and reading the answer with the stock OpenAI SDK:

- **works**: the upstream was asked for it in its own words, and the answer came back in the caller's.
- **works (in words)**: the upstream has no such mode (nor have Gemini models before the third generation beside tools). It is told so in its instructions; of what it says, the JSON object alone is
  handed on, and an answer without one is \`upstream_error\`.
- **left out**: it cannot change what is answered for, so it is not sent.
- **400** with a field: the upstream cannot express it; the call is rejected with \`unsupported_parameter\` and this \`param\`.
- **–**: the caller's protocol has no such field, or the upstream gives no such answer.

Like pairs (chat over chat, responses over responses) hand the bytes on, but for unknown fields that may choose a model, provider, tier, tool or price, and for all unknown fields where the vendor is not OpenAI.
`;

const inClouds = `## In clouds

A place of an upstream changes its address and how it authenticates, not what it can do. The tests of each cloud ask both callers there, whole and streamed:

`;

/** A table whose first row is the head. Columns are padded, as the formatter does. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((widest, row) => row.map((text, column) => Math.max(text.length, widest[column] ?? 3)), []);
  const line = (row: readonly string[]) => `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

export function writePage(cells: readonly Cell[], kinds: readonly string[]): string {
  const features = [...new Set(cells.map(({ feature }) => feature))];
  const sections = ['chat', 'responses'].map((caller) => {
    const rows = features.map((feature) => [feature, ...kinds.map((kind) => outcomeOf(cells.filter(isAt({ feature, caller, kind }))))]);
    const told = rows.filter((row) => row.slice(1).some((outcome) => outcome !== '–'));
    return `## ${caller === 'chat' ? 'Chat' : 'Responses'} callers\n\n${table([['Feature', ...kinds.map((kind) => `over ${kind}`)], ...told])}\n`;
  });
  return [introduction, ...sections, `${inClouds}${table(placeRows)}\n`].join('\n');
}

const isAt = (place: Pick<Cell, 'feature' | 'caller' | 'kind'>) => (cell: Cell) =>
  cell.feature === place.feature && cell.caller === place.caller && cell.kind === place.kind;

/** One outcome where the streamed and the whole one are the same. */
function outcomeOf(cells: readonly Cell[]): string {
  const [whole, streamed] = [false, true].map((isStream) => cells.find((cell) => cell.isStream === isStream)?.outcome);
  if (whole === undefined && streamed === undefined) return '–';
  return whole === streamed ? String(whole) : `whole: ${whole}; streamed: ${streamed}`;
}
