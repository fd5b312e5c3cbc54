/** One sentence of the document about what becomes of a field over each kind of upstream, with a body to try it with. */

export const kinds = ['chat', 'responses', 'anthropic', 'gemini'] as const;
export type Kind = (typeof kinds)[number];

/** `sent`: the mark reaches the upstream. `left out`: it does not. `refused`: the call is 400. A list: these texts reach it in place of the mark. */
export type Fate = 'sent' | 'left out' | 'refused' | readonly string[];

interface Probe {
  /** Put over a body that says hello. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What is looked for in the bytes that go out. */
  readonly mark: string;
  /** In the order of the kinds. */
  readonly fates: readonly [Fate, Fate, Fate, Fate];
}

export interface Row extends Probe {
  /** Path in the components of the document. */
  readonly at: string;
  /** What stands there. */
  readonly says: string;
}

export const row = (at: string, says: string, probe: Probe): Row => ({ at, says, ...probe });

/** Of a field that changes no answer. */
export const hint = (at: string, body: Probe['body']): Row =>
  row(at, 'Anthropic and Gemini upstreams are not sent it.', { body, mark: 'marker', fates: ['sent', 'sent', 'left out', 'left out'] });

export const PNG = 'data:image/png;base64,aGVsbG8=';
export const ADDRESS = 'https://marker.example/picture.png';
