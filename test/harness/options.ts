/** Reads numeric options of the command-line tools in `test`, with an error message for a wrong one. */

export class WrongOption extends Error {
  override readonly name = 'WrongOption';
}

export interface Bounds {
  readonly from: number;
  readonly to: number;
  readonly isWhole?: boolean;
}

export function readNumber(name: string, text: string, { from, to, isWhole = true }: Bounds): number {
  const value = Number(text);
  if (/^[\d.]+$/.test(text) && value >= from && value <= to && (Number.isInteger(value) || !isWhole)) return value;
  throw new WrongOption(`${name} takes a ${isWhole ? 'whole ' : ''}number from ${from} to ${to}.`);
}

/** Node itself refuses unknown options. */
export const isMisuse = (error: unknown): error is Error =>
  error instanceof WrongOption || (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
