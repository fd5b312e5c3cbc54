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

The caller chooses a model and a protocol; the gateway translates to the upstream's protocol. Columns are pairs of caller and upstream.
Each cell is the result of a call to a running gateway, with and without streaming, read with the official OpenAI SDK:

- **works**: the upstream receives the request in its own format, and the response comes back in the caller's.
- **works (by prompt)**: the upstream has no such mode (including Gemini models before the third generation when tools are used). The gateway adds an
  instruction instead and forwards only the JSON object from the response. A response without one is \`upstream_error\`.
- **omitted**: the field isn't sent. It can't change the response in a way that matters.
- **400** with a field: the upstream has no equivalent. The call is rejected with \`unsupported_parameter\` and this \`param\`.
- **–**: the caller's protocol has no such field, or the upstream gives no such response.

If caller and upstream use the same protocol, bytes are forwarded unchanged. The exceptions are unknown fields that could choose a model, provider, tier, tool, or price,
and all unknown fields if the provider isn't OpenAI.
`;

const inClouds = `## In clouds

An upstream's cloud changes its URL and authentication, not its features. The tests for each cloud call it from both protocols, with and without streaming:

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
