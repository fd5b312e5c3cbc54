/** A notice for each model whose latest calls all failed. */
import { Link } from 'wouter';
import { ErrorCode } from '../../../kit/error-code.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { Time } from '../../../kit/values.tsx';
import { overview as words } from '../../../texts/portal-overview.ts';
import type { CallRow } from '../../calls-table.tsx';

const RECENT_MS = 15 * 60_000;
/** One failed call can be a coincidence. */
const MIN_FAILED = 2;
/** Outcomes that depend on the caller, and say nothing about the model. */
const others: ReadonlySet<CallRow['outcome']> = new Set(['rejected', 'client_disconnected']);

interface FailingModel {
  readonly model: string;
  /** The latest call. */
  readonly last: CallRow;
  readonly count: number;
}

/** `calls`: newest first. */
export function findFailingModels(calls: readonly CallRow[], now: number): readonly FailingModel[] {
  const telling = calls.filter(({ model, outcome }) => model !== null && !others.has(outcome));
  return [...Map.groupBy(telling, ({ model }) => model ?? '')].flatMap(([model, own]) => {
    const end = own.findIndex(({ outcome }) => outcome !== 'failed');
    const count = end === -1 ? own.length : end;
    const [last] = own;
    return last && count >= MIN_FAILED && now - Date.parse(last.at) < RECENT_MS ? [{ model, last, count }] : [];
  });
}

interface FailingModelsProps {
  readonly calls: readonly CallRow[];
  /** URL of the failed calls to a model. */
  readonly getHref: (model: string) => string;
}
export function FailingModels({ calls, getHref }: FailingModelsProps) {
  const failing = findFailingModels(calls, Date.now());
  if (failing.length === 0) return null;
  return (
    <div className="failed" role="status">
      <Icon name="warning" />
      <div className="stack">
        {failing.map(({ model, last: { at, code }, count }) => (
          <p key={model}>
            <strong>{words.failing(model)}.</strong> {words.failedCalls(count)} <Time at={at} format="ago" />
            {code !== null && (
              <>
                {': '}
                <ErrorCode code={code} />
              </>
            )}
            . <Link href={getHref(model)}>{words.viewFailed}</Link>
          </p>
        ))}
      </div>
    </div>
  );
}
