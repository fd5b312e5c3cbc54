/** The known failures of other gateways that tests of this one stand for, by their numbers, and where no test can stand for one. */

export interface Section {
  readonly section: number;
  readonly about: string;
  /** First and last number. */
  readonly from: number;
  readonly to: number;
}

/** Sections whose rows all have to be tested. */
export const sections: readonly Section[] = [
  { section: 1, about: 'the responses protocol and streaming', from: 1, to: 18 },
  { section: 2, about: 'coding agents', from: 19, to: 28 },
  { section: 3, about: 'money and limits', from: 29, to: 42 },
  { section: 4, about: 'images', from: 43, to: 44 },
  { section: 5, about: 'access, tenancy and security', from: 45, to: 51 },
  { section: 6, about: 'operation', from: 52, to: 62 },
];

export interface Exempt {
  readonly row: string;
  readonly reason: string;
  /** Holds as long as no path of the contract looks like this; left out where it has nothing to do with paths. */
  readonly unlessPath?: RegExp;
}

export const exempt: readonly Exempt[] = [
  {
    row: 'F27',
    reason: 'No caller speaks the Messages protocol: it is spoken to upstreams alone.',
    unlessPath: /\/(messages|count_tokens)\b/,
  },
  {
    row: 'F62',
    reason:
      'Time is judged by the benchmark, beside a bare pass-through in the same run: a test that measured it would fail with the machine.',
  },
];

export const rowOf = (number: number): string => `F${String(number).padStart(2, '0')}`;
export const rowsOf = ({ from, to }: Section): string[] => Array.from({ length: to - from + 1 }, (_, index) => rowOf(from + index));
