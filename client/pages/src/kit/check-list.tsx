/** The rules that a call was checked against, in order. Only a rejection is always visible. */
import { checkNames, checks as words } from '../texts/check-names.ts';
import { State, type Tone } from './values.tsx';

interface Check {
  readonly rule: keyof typeof checkNames;
  readonly result: keyof typeof words.results;
  readonly scope: string | null;
  readonly limit: number | null;
  readonly remaining: number | null;
}

const tonesByResult = { passed: 'good', rejected: 'warn', not_reached: 'neutral' } as const satisfies Record<Check['result'], Tone>;

export function CheckList({ checks }: { readonly checks: readonly Check[] }) {
  const list = (fits: (check: Check) => boolean) => checks.filter(fits);
  const rejected = list(({ result }) => result === 'rejected');
  const others = list(({ result }) => result !== 'rejected');
  const passed = list(({ result }) => result === 'passed').length;
  return (
    <>
      {rejected.length > 0 && <Checks checks={rejected} />}
      {others.length > 0 && (
        <details className="more-checks">
          <summary>{words.summary(passed, others.length - passed)}</summary>
          <Checks checks={others} />
        </details>
      )}
    </>
  );
}

const Checks = ({ checks }: { readonly checks: readonly Check[] }) => (
  <ol className="checks">
    {checks.map((check) => (
      <li key={check.rule}>
        <State tone={tonesByResult[check.result]}>
          <span>
            {checkNames[check.rule]} {words.results[check.result]}
            <Limit check={check} />
          </span>
        </State>
      </li>
    ))}
  </ol>
);

function Limit({ check: { limit, remaining, scope } }: { readonly check: Check }) {
  const parts = [scope, limit === null ? null : words.limit(remaining, limit)].filter((part) => part !== null);
  return parts.length === 0 ? null : <span className="cell-detail">{parts.join(': ')}</span>;
}
