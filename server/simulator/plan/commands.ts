/** Phrases in a prompt that control what the simulator writes; `simulator.ts` lists them for people. */

export type Command =
  | { readonly kind: 'echo'; readonly text: string }
  | { readonly kind: 'count'; readonly to: number }
  | { readonly kind: 'words'; readonly count: number };

/** Bounds of what one phrase can make the simulator write. */
const MOST_NUMBERS = 5_000;
const MOST_WORDS = 10_000;

const filler =
  'This text comes from the built-in simulator and not from a model. It only fills the stream word by word so that you can watch it arrive.'.split(
    ' ',
  );

export function readCommand(prompt: string): Command | null {
  const order = prompt.trim().replace(/^please\s+(?!refuse)/i, '');
  const repeat = /^repeat:\s?(.*)$/is.exec(order);
  if (repeat) return { kind: 'echo', text: repeat[1] ?? '' };
  const say = /^say:?\s+(.+)$/is.exec(order);
  if (say) return { kind: 'echo', text: unquote(say[1] ?? '') };
  const count = /^count\s+(?:from\s+1\s+)?to\s+(\d{1,9})\b/i.exec(order);
  if (count) return { kind: 'count', to: Math.min(Number(count[1]), MOST_NUMBERS) };
  const words = /^write\s+(\d{1,9})\s+words\b/i.exec(order);
  if (words) return { kind: 'words', count: Math.min(Number(words[1]), MOST_WORDS) };
  return null;
}

/** What a command makes the simulator write. */
export function obey(command: Command): string {
  switch (command.kind) {
    case 'echo':
      return command.text;
    case 'count':
      return Array.from({ length: command.to }, (_, index) => index + 1).join(', ');
    case 'words':
      return Array.from({ length: command.count }, (_, index) => filler[index % filler.length]).join(' ');
  }
}

export function asksToRefuse(prompt: string): boolean {
  return /^[ \t]*please refuse\b/im.test(prompt);
}

function unquote(text: string): string {
  return /^(["'“‘`])(.*)(["'”’`])$/s.exec(text)?.[2] ?? text;
}
