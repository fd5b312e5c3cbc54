/** The numbers at the beginning of a test's title: of promises (`G3`) and of known failures of other gateways (`F29`). */

/** `G3: …`, or `F29, G3: …`, or nothing but numbers. */
const numbered = /^([FG]\d\d?(?:, [FG]\d\d?)*)(?::|$)/;

export function numbersIn(title: string): string[] {
  return numbered.exec(title)?.[1]?.split(', ') ?? [];
}
