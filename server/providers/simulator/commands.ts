/** Reads and runs the commands in a prompt that tell the simulator what to write. */

type Command =
  | { readonly kind: 'echo'; readonly text: string }
  | { readonly kind: 'count'; readonly to: number }
  | { readonly kind: 'words'; readonly count: number };

/** The most that one phrase can make the simulator write. */
const MAX_NUMBERS = 5_000;

const MAX_WORDS = 10_000;

const fillerWords =
  'This text comes from the built-in simulator and not from a model. It only fills the stream word by word so that you can watch it arrive.'.split(
    ' ',
  );

export function readCommand(prompt: string): Command | null {
  const commandText = prompt.trim().replace(/^please\s+(?!refuse)/i, '');
  const repeatMatch = /^repeat:\s?(.*)$/is.exec(commandText);
  if (repeatMatch) return { kind: 'echo', text: repeatMatch[1] ?? '' };
  const sayMatch = /^say:?\s+(.+)$/is.exec(commandText);
  if (sayMatch) return { kind: 'echo', text: unquote(sayMatch[1] ?? '') };
  const countMatch = /^count\s+(?:from\s+1\s+)?to\s+(\d{1,9})\b/i.exec(commandText);
  if (countMatch) return { kind: 'count', to: Math.min(Number(countMatch[1]), MAX_NUMBERS) };
  const wordsMatch = /^write\s+(\d{1,9})\s+words\b/i.exec(commandText);
  if (wordsMatch) return { kind: 'words', count: Math.min(Number(wordsMatch[1]), MAX_WORDS) };
  return null;
}

/** Returns the text that a command makes the simulator write. */
export function runCommand(command: Command): string {
  switch (command.kind) {
    case 'echo':
      return command.text;
    case 'count':
      return Array.from({ length: command.to }, (_, index) => index + 1).join(', ');
    case 'words':
      return Array.from({ length: command.count }, (_, index) => fillerWords[index % fillerWords.length]).join(' ');
  }
}

export function isRefusalRequested(prompt: string): boolean {
  return /^[ \t]*please refuse\b/im.test(prompt);
}

function unquote(text: string): string {
  return /^(["'“‘`])(.*)(["'”’`])$/s.exec(text)?.[2] ?? text;
}
