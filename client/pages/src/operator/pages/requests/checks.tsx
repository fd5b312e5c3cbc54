/** The rules that a call was checked against, in order, with their values at that time. */
import { State, type Tone } from '../../../kit/values.tsx';
import { checkNames } from '../../../texts/check-names.ts';
import { requests as words } from '../../../texts/requests.ts';
import type { ExplainedRequest } from './recompute.ts';
import { Section } from './section.tsx';

type Check = ExplainedRequest['checks'][number];

const tonesByState = { passed: 'good', rejected: 'warn', not_reached: 'neutral' } as const satisfies Record<Check['result'], Tone>;

export const Checks = ({ checks }: { readonly checks: readonly Check[] }) => (
  <Section title={words.detail.checks}>
    <ol className="checks">
      {checks.map((check) => (
        <li key={check.rule}>
          <State tone={tonesByState[check.result]}>
            <span>
              {checkNames[check.rule]} {words.checkResults[check.result]}
              <Figures check={check} />
            </span>
          </State>
        </li>
      ))}
    </ol>
  </Section>
);

function Figures({ check: { limit, remaining, scope } }: { readonly check: Check }) {
  const parts = [scope, limit === null ? null : words.detail.limit(remaining, limit)].filter((part) => part !== null);
  return parts.length === 0 ? null : <span className="cell-detail">{parts.join(': ')}</span>;
}
