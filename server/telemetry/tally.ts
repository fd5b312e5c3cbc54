/** Cheap counters and labels: the library sorts and serializes all labels each time that it gets a value. */
import type { Attributes, Meter } from '@opentelemetry/api';
import type { Instrument } from './instruments.ts';

/** In the order of an instrument's labels; undefined leaves the label out. */
export type LabelValues = readonly (string | undefined)[];

/** Below the cardinality limit of the library, beyond which it would merge all labels into one overflow series. */
const MOST_SERIES = 1_500;
const OTHER = 'other';

/** Each set of labels is created once. */
class LabelSets<T> {
  readonly #instrument: Instrument;
  readonly #make: (attributes: Attributes) => T;
  readonly #made = new Map<string, T>();

  constructor(instrument: Instrument, make: (attributes: Attributes) => T) {
    this.#instrument = instrument;
    this.#make = make;
  }

  of(values: LabelValues): T {
    const key = values.join('\n');
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    if (this.#made.size >= MOST_SERIES && values[0] !== OTHER) return this.of(values.map(() => OTHER));
    const made = this.#make(attributesOf(this.#instrument, values));
    this.#made.set(key, made);
    return made;
  }

  all(): Iterable<T> {
    return this.#made.values();
  }
}

/** In the order of their names, as the library needs them. */
function attributesOf({ labels }: Instrument, values: LabelValues): Attributes {
  const pairs = labels.flatMap((label, index) => (values[index] === undefined ? [] : [[label, values[index]] as const]));
  return Object.fromEntries(pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Counts here, and gives the sum to the library when the metrics are collected. */
export class Tally {
  readonly #series: LabelSets<{ readonly attributes: Attributes; value: number }>;

  constructor(meter: Meter, instrument: Instrument) {
    this.#series = new LabelSets(instrument, (attributes) => ({ attributes, value: 0 }));
    const { name, unit, description } = instrument;
    meter.createObservableCounter(name, { unit, description }).addCallback((result) => {
      for (const { attributes, value } of this.#series.all()) result.observe(value, attributes);
    });
  }

  add(value: number, values: LabelValues): void {
    this.#series.of(values).value += value;
  }
}

/** Values in buckets, by the library. */
export class Buckets {
  readonly #labels: LabelSets<Attributes>;
  readonly #histogram;

  constructor(meter: Meter, instrument: Instrument) {
    const { name, unit, description, boundaries = [] } = instrument;
    this.#labels = new LabelSets(instrument, (attributes) => attributes);
    this.#histogram = meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...boundaries] } });
  }

  record(value: number, values: LabelValues): void {
    this.#histogram.record(value, this.#labels.of(values));
  }
}
