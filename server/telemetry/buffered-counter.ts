/** Counters and histograms that buffer values by label, with a limit on the number of series. */

import type { Attributes, Meter } from '@opentelemetry/api';
import type { Instrument } from './instruments.ts';

/** Values in the order of an instrument's labels. Undefined omits the label. */
type LabelValues = readonly (string | undefined)[];

/** Below the library's cardinality limit, beyond which it would merge all labels into one overflow series. */
const MAX_SERIES = 1_500;

const OTHER_LABEL = 'other';

/** Caches label sets, so that each is created only once. */
class LabelSets<T> {
  readonly #instrument: Instrument;
  readonly #createSeries: (attributes: Attributes) => T;
  readonly #seriesByKey = new Map<string, T>();

  constructor(instrument: Instrument, createSeries: (attributes: Attributes) => T) {
    this.#instrument = instrument;
    this.#createSeries = createSeries;
  }

  getSeries(values: LabelValues): T {
    const key = values.join('\n');
    const existingSeries = this.#seriesByKey.get(key);
    if (existingSeries !== undefined) return existingSeries;
    if (this.#seriesByKey.size >= MAX_SERIES && values[0] !== OTHER_LABEL) return this.getSeries(values.map(() => OTHER_LABEL));
    const series = this.#createSeries(toAttributes(this.#instrument, values));
    this.#seriesByKey.set(key, series);
    return series;
  }

  all(): Iterable<T> {
    return this.#seriesByKey.values();
  }
}

/** Sorted by name, as the library requires. */
function toAttributes({ labels }: Instrument, values: LabelValues): Attributes {
  const pairs = labels.flatMap((label, index) => (values[index] === undefined ? [] : [[label, values[index]] as const]));
  return Object.fromEntries(pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Counts locally, and passes the total to the library when metrics are collected. */
export class BufferedCounter {
  readonly #series: LabelSets<{ readonly attributes: Attributes; value: number }>;

  constructor(meter: Meter, instrument: Instrument) {
    this.#series = new LabelSets(instrument, (attributes) => ({ attributes, value: 0 }));
    const { name, unit, description } = instrument;
    meter.createObservableCounter(name, { unit, description }).addCallback((result) => {
      for (const { attributes, value } of this.#series.all()) result.observe(value, attributes);
    });
  }

  add(value: number, values: LabelValues): void {
    this.#series.getSeries(values).value += value;
  }
}

/** A histogram, recorded by the library. */
export class LabeledHistogram {
  readonly #labels: LabelSets<Attributes>;
  readonly #histogram;

  constructor(meter: Meter, instrument: Instrument) {
    const { name, unit, description, boundaries = [] } = instrument;
    this.#labels = new LabelSets(instrument, (attributes) => attributes);
    this.#histogram = meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...boundaries] } });
  }

  record(value: number, values: LabelValues): void {
    this.#histogram.record(value, this.#labels.getSeries(values));
  }
}
