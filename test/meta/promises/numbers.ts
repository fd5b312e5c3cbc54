/** The numbers at the beginning of a test's title: of promises (`G3`), and of known failures and faults (`F29`, `A3`). */

/** `G3: …`, or `F29, G3: …`, or nothing but numbers. */
const numbered = /^([A-G]\d\d?(?:, [A-G]\d\d?)*)(?::|$)/;

export function numbersIn(title: string): string[] {
  return numbered.exec(title)?.[1]?.split(', ') ?? [];
}
