/** Numbers on the command lines of the tools in `test`, and what a person is told who gets one wrong. */

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

/** An option that is none is refused by Node itself. */
export const isMisuse = (error: unknown): error is Error =>
  error instanceof WrongOption || (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
