/** Parses and runs the commands in a prompt that control the simulator's response. */

/** The most that one phrase can make the simulator write. */
const MAX_NUMBERS = 5_000;

const MAX_WORDS = 10_000;

const fillerWords =
  'This text comes from the built-in simulator and not from a model. It only fills the stream word by word so that you can watch it arrive.'.split(
    ' ',
  );

/** Returns the text that a command at the start of the prompt asks for. Null without a command. */
export function runCommand(prompt: string): string | null {
  const commandText = prompt.trim().replace(/^please\s+(?!refuse)/i, '');
  const repeatMatch = /^repeat:\s?(.*)$/is.exec(commandText);
  if (repeatMatch) return repeatMatch[1] ?? '';
  const sayMatch = /^say:?\s+(.+)$/is.exec(commandText);
  if (sayMatch) return unquote(sayMatch[1] ?? '');
  const countMatch = /^count\s+(?:from\s+1\s+)?to\s+(\d{1,9})\b/i.exec(commandText);
  if (countMatch) return createList(countMatch[1], MAX_NUMBERS, (index) => index + 1).join(', ');
  const wordsMatch = /^write\s+(\d{1,9})\s+words\b/i.exec(commandText);
  if (wordsMatch) return createList(wordsMatch[1], MAX_WORDS, (index) => fillerWords[index % fillerWords.length]).join(' ');
  return null;
}

const createList = <Entry>(length: string | undefined, maxLength: number, create: (index: number) => Entry): Entry[] =>
  Array.from({ length: Math.min(Number(length), maxLength) }, (_, index) => create(index));

export function isRefusalRequested(prompt: string): boolean {
  return /^[ \t]*please refuse\b/im.test(prompt);
}

function unquote(text: string): string {
  return /^(["'“‘`])(.*)(["'”’`])$/s.exec(text)?.[2] ?? text;
}
