/** The order that chat wants of a conversation, told once more and apart from the writer, so that its tests have something to hold it against. */
import type { CallItem, Item, MessageItem, Part, Turn } from '../../../server/dialects/turn/turn.ts';

const isAnswer = (item: Item | undefined): item is MessageItem => item?.kind === 'message' && item.role === 'assistant';

/** Whether a call among those before still waits for its result. */
function isOpen(before: readonly Item[]): boolean {
  const answered = new Set(before.flatMap((item) => (item.kind === 'output' ? [item.callId] : [])));
  return before.some((item) => item.kind === 'call' && !answered.has(item.callId));
}

/** Where a round of calls and results ends: behind the last result of the calls in it. */
function roundEnd(items: readonly Item[], from: number): number {
  let to = from + 1;
  while (to < items.length && isOpen(items.slice(from, to))) to++;
  return to;
}

/** Each round as its answers and calls, its results in their order, and then whatever others said meanwhile. */
export function settleRounds(turn: Turn): Turn {
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

/** What the results of a round show besides text is said by the user, behind them. */
export function showBehind(turn: Turn): Turn {
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

/** One answer: its text, its refusal, its calls. Beside calls an empty text is none. */
function gather(said: readonly MessageItem[], calls: readonly CallItem[]): Item[] {
  const [first] = said;
  const parts = said.flatMap((message) => message.parts);
  const whole = [...joined(parts, 'text'), ...joined(parts, 'refusal')];
  const kept = whole.filter((part) => calls.length === 0 || ('text' in part && part.text !== ''));
  // Without a text a silent answer is an empty one.
  const spoken: Part[] = kept.length === 0 && calls.length === 0 ? [{ kind: 'text', text: '' }] : kept;
  return first === undefined || spoken.length === 0 ? [...calls] : [{ ...first, parts: spoken }, ...calls];
}

/** An answer goes on over texts only where a call waits: those before the first call of a round are answers of their own but for the last. */
export function gatherAnswers(turn: Turn): Turn {
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
