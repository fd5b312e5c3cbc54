/** A good body with one thing wrong: a value of another kind, a field too few, too many or twice, something deep or something huge. */
import fc from 'fast-check';
import { edgeNumbers, objectOf, oddName, oddText, oddValue } from './hostile.ts';

type Path = readonly (string | number)[];

/** Where any value stands in a body, the body itself aside. */
export function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || isRaw(value)) return [];
  const steps = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [...steps].flatMap((step) => {
    const place = [...path, step];
    return [place, ...pathsIn(at(value, step), place)];
  });
}

const at = (value: object, step: string | number): unknown => Object.getOwnPropertyDescriptor(value, step)?.value;

// Text of JSON that is no object, though it looks like one.
const isRaw = (value: object): boolean => (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON(value);

/** The same body with what stands at the path changed; `undefined` takes it away. */
export function replaceAt(value: unknown, [step, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value.map((inner, index) => (index === step ? replaceAt(inner, rest, change) : inner));
    return list.filter((inner) => inner !== undefined);
  }
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [
    name,
    name === step ? replaceAt(inner, rest, change) : inner,
  ]);
  return objectOf(entries.filter(([, inner]) => inner !== undefined));
}

/** Written in place of a text, so that JSON can say what JSON.stringify cannot. */
const MARK = '\u0001here\u0001';

interface Wrong {
  readonly change: (old: unknown) => unknown;
  /** What stands in the place of the mark. */
  readonly text?: string;
}

const value = (given: fc.Arbitrary<unknown>): fc.Arbitrary<Wrong> => given.map((next) => ({ change: () => next }));
const raw = (text: fc.Arbitrary<string>): fc.Arbitrary<Wrong> => text.map((written) => ({ change: () => MARK, text: written }));

const deep = fc
  .tuple(fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"__proto__":', '}]']), fc.constantFrom(3, 63, 64, 65, 66, 1_000, 20_000))
  .map(([[open = '', close = ''], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);
const large = fc
  .tuple(fc.constantFrom('x', '\\u0000', '\\ud800', '\\n', 'é'), fc.constantFrom(65, 513, 33_000, 300_000))
  .map(([unit, times]) => `"${unit.repeat(times)}"`);
const long = fc
  .tuple(fc.constantFrom('0', '[]', '{}', 'null', '""'), fc.constantFrom(129, 1_025, 5_000, 40_000))
  .map(([item, times]) => `[${`${item},`.repeat(times)}${item}]`);
const wide = fc.constantFrom(17, 2_000, 40_000).map((times) => `{${Array.from({ length: times }, (_, index) => `"k${index}":""`).join()}}`);

const wrong: fc.Arbitrary<Wrong> = fc.oneof(
  { weight: 4, arbitrary: value(fc.constantFrom(...edgeNumbers)) },
  { weight: 4, arbitrary: value(oddText) },
  { weight: 4, arbitrary: value(oddValue) },
  { weight: 2, arbitrary: fc.constant<Wrong>({ change: () => undefined }) },
  { weight: 2, arbitrary: fc.constant<Wrong>({ change: (old) => [old] }) },
  { weight: 2, arbitrary: oddName.map((name): Wrong => ({ change: (old) => objectOf([[name, old]]) })) },
  { weight: 2, arbitrary: fc.tuple(oddName, oddValue).map(([name, more]): Wrong => ({ change: (old) => withField(old, name, more) })) },
  { weight: 1, arbitrary: raw(deep) },
  { weight: 1, arbitrary: raw(large) },
  { weight: 1, arbitrary: raw(fc.oneof(long, wide)) },
);

function withField(old: unknown, name: string, more: unknown): unknown {
  if (typeof old !== 'object' || old === null || Array.isArray(old) || isRaw(old)) return more;
  return objectOf([...Object.entries(old).filter(([own]) => own !== name), [name, more]]);
}

/** The texts of bodies that are off by one change. */
export function mutated(bodies: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc.tuple(bodies, fc.nat(), wrong).map(([body, choice, { change, text }]) => {
    const paths: Path[] = [[], ...pathsIn(body)];
    const json = JSON.stringify(replaceAt(body, paths[choice % paths.length] ?? [], change)) ?? '';
    return text === undefined ? json : json.replace(JSON.stringify(MARK), () => text);
  });
}
