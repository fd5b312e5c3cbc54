/** The order of messages that chat needs, written a second time for comparison with the writer. */
import type { CallItem, CanonicalRequest, Item, MessageItem, Part } from '../../../server/protocols/canonical/canonical-request.ts';

const isAnswer = (item: Item | undefined): item is MessageItem => item?.kind === 'message' && item.role === 'assistant';

/** Whether one of these calls has no result yet. */
function isOpen(before: readonly Item[]): boolean {
  const answered = new Set(before.flatMap((item) => (item.kind === 'output' ? [item.callId] : [])));
  return before.some((item) => item.kind === 'call' && !answered.has(item.callId));
}

/** The end of a round of calls and results: after the last result of its calls. */
function roundEnd(items: readonly Item[], from: number): number {
  let to = from + 1;
  while (to < items.length && isOpen(items.slice(from, to))) to++;
  return to;
}

/** Orders each round: its answers and calls, its results, then other messages. */
export function settleRounds(turn: CanonicalRequest): CanonicalRequest {
  const items: Item[] = [];
  for (let at = 0; at < turn.items.length; ) {
    const to = roundEnd(turn.items, at);
    const round = turn.items.slice(at, to);
    const own: readonly Item[] = round.filter((item) => item.kind === 'call' || isAnswer(item));
    const results = round.filter((item) => item.kind === 'output');
    items.push(...own, ...results, ...round.filter((item) => !own.includes(item) && item.kind !== 'output'));
    at = to;
  }
  return { ...turn, items };
}

/** Moves parts besides text from the results of a round into a user message after them. */
export function showBehind(turn: CanonicalRequest): CanonicalRequest {
  const items: Item[] = [];
  let shown: Part[] = [];
  for (const [at, item] of turn.items.entries()) {
    if (item.kind !== 'output') {
      items.push(item);
      continue;
    }
    items.push({ ...item, parts: item.parts.filter(({ kind }) => kind === 'text') });
    shown.push(...item.parts.filter(({ kind }) => kind !== 'text'));
    if (isOpen(turn.items.slice(0, at + 1)) || shown.length === 0) continue;
    items.push({ kind: 'message', role: 'user', parts: shown, phase: null, name: null, path: '' });
    shown = [];
  }
  return { ...turn, items };
}

const joined = (parts: readonly Part[], kind: 'text' | 'refusal'): Part[] => {
  const texts = parts.flatMap((part) => (part.kind === kind ? [part.text] : []));
  return texts.length === 0 ? [] : [{ kind, text: texts.join('') }];
};

/** One answer with its text, refusal and calls. With calls an empty text is left out. */
function gather(said: readonly MessageItem[], calls: readonly CallItem[]): Item[] {
  const [first] = said;
  const parts = said.flatMap((message) => message.parts);
  const whole = [...joined(parts, 'text'), ...joined(parts, 'refusal')];
  const kept = whole.filter((part) => calls.length === 0 || ('text' in part && part.text !== ''));
  // An answer without parts and calls has an empty text.
  const spoken: Part[] = kept.length === 0 && calls.length === 0 ? [{ kind: 'text', text: '' }] : kept;
  return first === undefined || spoken.length === 0 ? [...calls] : [{ ...first, parts: spoken }, ...calls];
}

/** Joins the texts after the first call of a round, and the last one before it, with the calls; earlier texts stay separate answers. */
export function gatherAnswers(turn: CanonicalRequest): CanonicalRequest {
  const items: Item[] = [];
  for (let at = 0; at < turn.items.length; ) {
    const to = turn.items.findIndex((item, index) => index >= at && item.kind !== 'call' && !isAnswer(item));
    const run = turn.items.slice(at, to < 0 ? undefined : to);
    const firstCall = run.findIndex(({ kind }) => kind === 'call');
    const alone = firstCall < 0 ? run : run.slice(0, Math.max(0, firstCall - 1));
    for (const item of alone) if (isAnswer(item)) items.push(...gather([item], []));
    const together = run.slice(alone.length);
    items.push(
      ...gather(
        together.filter(isAnswer),
        together.filter((item) => item.kind === 'call'),
      ),
    );
    const behind = turn.items[at + run.length];
    if (behind !== undefined) items.push(behind);
    at += run.length + 1;
  }
  return { ...turn, items };
}
