/** Numbers and strings that fit a schema and look as if the prompt had asked for them. */
import { type JsonRecord, toNumber, toText } from '../values.ts';
import { samplePattern } from './pattern.ts';
import type { Place, Source, Walk } from './walk.ts';

/** Longer strings than this are not made, whatever `minLength` says. */
const LONGEST_STRING = 10_000;

export function exampleNumber(walk: Walk, schema: JsonRecord, place: Place): number {
  const said = walk.source.numbers[walk.numbersUsed];
  const fits = createFit(schema);
  if (said !== undefined && fits(said)) {
    walk.numbersUsed += 1;
    return said;
  }
  const step = toNumber(schema.multipleOf) ?? 1;
  const low = toNumber(schema.minimum) ?? toNumber(schema.exclusiveMinimum);
  const high = toNumber(schema.maximum) ?? toNumber(schema.exclusiveMaximum);
  const round = (value: number) => Math.ceil(value / step) * step;
  const starts = [
    1,
    round(1),
    ...(low === null ? [] : [low, round(low), round(low) + step]),
    ...(high === null ? [] : [high, round(high) - step]),
  ];
  const middle = (Math.max(low ?? 0, -1e9) + Math.min(high ?? 0, 1e9)) / 2;
  const start = [...starts, middle].find(fits) ?? 1;
  // Apart from its neighbours where there is room: the array may ask for unique entries.
  return [start + place.index * step, start - place.index * step, start].find(fits) ?? start;
}

function createFit(schema: JsonRecord): (value: number) => boolean {
  const above = toNumber(schema.exclusiveMinimum) ?? Number.NEGATIVE_INFINITY;
  const below = toNumber(schema.exclusiveMaximum) ?? Number.POSITIVE_INFINITY;
  const low = toNumber(schema.minimum) ?? Number.NEGATIVE_INFINITY;
  const high = toNumber(schema.maximum) ?? Number.POSITIVE_INFINITY;
  const step = toNumber(schema.multipleOf);
  const isWhole = [schema.type].flat().includes('integer');
  return (value) =>
    value >= low && value <= high && value > above && value < below && !(isWhole && !Number.isInteger(value)) && isMultiple(value, step);
}

function isMultiple(value: number, step: number | null): boolean {
  if (step === null || step <= 0) return true;
  return Math.abs(value / step - Math.round(value / step)) < 1e-9;
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T12:00:00Z',
  date: '2026-01-01',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'simulator@example.com',
  hostname: 'example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '00000000-0000-4000-8000-000000000000',
};

export function exampleString({ source, budget }: Walk, schema: JsonRecord, place: Place): string {
  const least = Math.min(toNumber(schema.minLength) ?? 0, LONGEST_STRING, budget.characters);
  const made = makeString(schema, least, { source, budget, place });
  budget.take(made.length + 2);
  return made;
}

type Making = Pick<Walk, 'source' | 'budget'> & { readonly place: Place };

function makeString(schema: JsonRecord, least: number, { source, budget, place }: Making): string {
  const most = toNumber(schema.maxLength) ?? LONGEST_STRING;
  const format = formats[toText(schema.format)];
  if (format !== undefined) return format;
  if (typeof schema.pattern === 'string') return samplePattern(schema.pattern, least, budget);
  return fitLength(chooseWords(source, place), least, most);
}

/** A client may act on these values: names that suggest commands or paths get harmless ones. */
function chooseWords(source: Source, { name, index }: Place): string {
  const hints: readonly (readonly [RegExp, string])[] = [
    [/e-?mail/i, 'simulator@example.com'],
    [/ur[il]$|link|href/i, 'https://example.com/'],
    [/(^|_)(cmd|command|shell|script)s?$/i, 'echo simulator'],
    [/^code$|(^|_)(sql)$/i, "select 'simulator'"],
    [/path|file|(^|_)dir/i, 'simulator.txt'],
    [/date$|^day$/i, '2026-01-01'],
    [/(^|_)id$|[a-z]Id$/, `simulated-${index + 1}`],
    [/^(q|query|question|prompt|text|message|content|body|input)$/i, source.quote],
    [/answer|summary|description|explanation|reason|note|title/i, `Simulated ${name.replaceAll('_', ' ')}`],
  ];
  const hinted = hints.find(([pattern]) => pattern.test(name))?.[1];
  if (hinted) return hinted;
  const subject = source.subjects[index];
  return subject ?? (index === 0 ? 'simulator' : `${source.subjects[0] ?? 'simulator'} ${index + 1}`);
}

const FILLER = ' simulator';

/** JSON schema counts code points, not UTF-16 units. */
function fitLength(text: string, least: number, most: number): string {
  const missing = Math.max(0, least - [...text].length);
  const long = text + FILLER.repeat(Math.ceil(missing / FILLER.length));
  return [...long].slice(0, Math.max(most, 0)).join('').trimEnd().padEnd(least, '.');
}
