/** A measure of a model. A low success rate is also described in words. */
import { State } from '../../../kit/values.tsx';
import { catalog as words } from '../../../texts/portal-catalog.ts';
import { type Entry, formatMeasure, type MeasureName } from './entries.ts';

const GOOD = 0.95;
const BAD = 0.8;

export function Measure({ of, name }: { readonly of: Entry; readonly name: MeasureName }) {
  const text = formatMeasure(of, name);
  const success = of.measures?.success ?? 1;
  if (name !== 'success' || success >= GOOD) return text;
  return (
    <State tone={success < BAD ? 'bad' : 'warn'}>
      {text}, {words.low}
    </State>
  );
}
