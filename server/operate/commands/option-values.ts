/** Parses values of options: names, amounts, counts, lists, and yes or no. */
import { InvalidArgumentError } from 'commander';
import { CommandError } from './command-error.ts';

const MAX_NAME_LENGTH = 100;

export function parseName(text: string): string {
  const name = text.trim();
  // A line break or an escape sequence in a name would garble printed lists.
  if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    throw new InvalidArgumentError(`Enter a name of 1 to ${MAX_NAME_LENGTH} characters, without control characters.`);
  }
  return name;
}

/** Rejects a command that changes nothing. */
export function rejectEmptyChange(changes: object, command: string): void {
  if (Object.values(changes).some((value) => value !== undefined)) return;
  throw new CommandError(`Specify what to change. See modelgate ${command} --help`);
}

/** Wraps null, because commander reads a plain null as an empty string. */
export interface OptionValue<T> {
  readonly value: T | null;
}

export function parseDollars(text: string): string {
  if (/^-?\d{1,9}(\.\d{1,6})?$/.test(text)) return text;
  throw new InvalidArgumentError('Enter dollars such as 10 or 12.50, with at most six decimal places.');
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d{1,15}$/.test(text) && count >= 1) return count;
  throw new InvalidArgumentError('Enter a whole number of at least 1.');
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('Enter a whole number from 0 to 65535.');
}

/** Parses `a,b`, or the word that means all. */
export const createListParser =
  (all: string) =>
  (text: string): OptionValue<string[]> => {
    if (text === all) return { value: null };
    const entries = text.split(',').map((entry) => entry.trim());
    if (entries.some((entry) => entry === '')) throw new InvalidArgumentError(`Separate entries with commas, or enter ${all}.`);
    return { value: entries };
  };

export function parseYesNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw new InvalidArgumentError('Enter yes or no.');
}
