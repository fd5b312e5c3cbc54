/** Fields that set spending caps, and bars that show their usage. */
import { formatCents, readDollars, toPerMille, trimZeros } from '../data/money.ts';
import { spendingCaps as words } from '../texts/spending-caps.ts';
import { TextField } from './form.tsx';
import { Meter } from './values.tsx';

const periods = ['day', 'week', 'month', 'never'] as const;
type Period = (typeof periods)[number];

/** A cap of the API, in dollars. */
interface SpendingCap {
  readonly amount: string;
  readonly period: Period;
}

interface UsedCap extends SpendingCap {
  /** Spent in the current period. */
  readonly used: string;
}

/** The typed amount for each period. Empty for none. */
export type TypedCaps = Readonly<Record<Period, string>>;
export const noCaps: TypedCaps = { day: '', week: '', month: '', never: '' };

export const toTypedCaps = (caps: readonly SpendingCap[]): TypedCaps => ({
  ...noCaps,
  ...Object.fromEntries(caps.map(({ amount, period }) => [period, trimZeros(amount)])),
});

export const toCapsInput = (typed: TypedCaps) =>
  periods.flatMap((period) => (typed[period].trim() === '' ? [] : [{ amount: typed[period].trim(), period }]));

export const isSameCaps = (one: TypedCaps, other: TypedCaps): boolean =>
  periods.every((period) => one[period].trim() === other[period].trim());

/** The caps as a command-line option. */
export function toCapOption(typed: TypedCaps): string[] {
  const caps = toCapsInput(typed).map(({ amount, period }) => (period === 'never' ? amount : `${amount}/${period}`));
  return caps.length === 0 ? [] : ['--cap', caps.join(',')];
}

export interface CapFieldsProps {
  readonly value: TypedCaps;
  readonly onChange: (value: TypedCaps) => void;
}
export const CapFields = ({ value, onChange }: CapFieldsProps) => (
  <fieldset className="fields">
    <legend>{words.fields}</legend>
    <p className="soft small">{words.hint}</p>
    <div className="field-row">
      {periods.map((period) => (
        <TextField
          key={period}
          label={words.typed[period]}
          name={`spending_caps[${toCapsInput(value).findIndex((cap) => cap.period === period)}]`}
          inputMode="decimal"
          value={value[period]}
          onChange={(amount) => onChange({ ...value, [period]: amount })}
        />
      ))}
    </div>
  </fieldset>
);

const toMicros = (amount: string): bigint => readDollars(amount) ?? 0n;
/** In per mille. A cap of $0 counts as used up. */
export const getCapUse = (used: bigint, cap: bigint): number => (cap <= 0n ? 1_000 : toPerMille(used, cap));
const getShare = ({ used, amount }: Pick<UsedCap, 'used' | 'amount'>): number => getCapUse(toMicros(used), toMicros(amount));

/** For sorting: the usage of the most used cap, in per mille. Null without a cap. */
export const getCapShare = (caps: readonly UsedCap[]): number | null => (caps.length === 0 ? null : Math.max(...caps.map(getShare)));

/** Shows the usage of each cap, as bars and text. */
export function CapMeters({ caps }: { readonly caps: readonly UsedCap[] }) {
  if (caps.length === 0) return <span className="soft">{words.none}</span>;
  return (
    <span className="cap-bars">
      {caps.map((cap) => (
        <span key={cap.period} className="cap-bar">
          <Meter label={words.used} perMille={getShare(cap)} />
          <span className="number small">
            {words.usedOf(formatCents(toMicros(cap.used)), formatCents(toMicros(cap.amount)), words.periods[cap.period])}
          </span>
        </span>
      ))}
    </span>
  );
}
