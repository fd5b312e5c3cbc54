/** Attempts at upstreams as consecutive bars, within the call's total time. */
import { Link } from 'wouter';
import { formatDuration } from '../../../data/times.ts';
import { ErrorCode } from '../../../kit/error-code.tsx';
import { requests as words } from '../../../texts/requests.ts';
import { upstreamPath } from '../../reads/links.ts';
import type { ExplainedRequest } from './recompute.ts';
import { Section } from './section.tsx';

export type Attempt = ExplainedRequest['attempts'][number];
const { detail } = words;

interface AttemptsProps {
  readonly body: ExplainedRequest;
  /** The attempt whose provider's words are shown elsewhere. */
  readonly cause: Attempt | undefined;
}
export function Attempts({ body: { attempts, request }, cause }: AttemptsProps) {
  const total = Math.max(request?.total_ms ?? 0, sumDurations(attempts), 1);
  return (
    <Section title={detail.attempts}>
      {attempts.length === 0 ? <p className="soft">{request?.upstream ? detail.firstSucceeded : detail.notSent}</p> : null}
      <ol className="attempts">
        {attempts.map((attempt, index) => (
          <li key={index}>
            <Bar attempt={attempt} isCause={attempt === cause} before={sumDurations(attempts.slice(0, index))} total={total} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

const sumDurations = (attempts: readonly Attempt[]): number => attempts.reduce((sum, { ms }) => sum + ms, 0);

export const ProviderWords = ({ of: { provider_code: code, provider_message: message } }: { readonly of: Attempt }) =>
  message !== null && (
    <p className="wrapped">
      {code !== null && <code>{code}</code>} <q>{message}</q>
    </p>
  );

interface BarProps {
  readonly attempt: Attempt;
  readonly isCause: boolean;
  readonly before: number;
  readonly total: number;
}
function Bar({ attempt, isCause, before, total }: BarProps) {
  const { upstream, protocol, status, code, ms } = attempt;
  const formatWidth = (part: number) => `${((part / total) * 100).toFixed(2)}%`;
  // The attempt that got the response lasted until the call ended. Its second half is the time after the first byte.
  const rest = code === null ? total - before - ms : 0;
  return (
    <>
      <div className="row apart">
        <span className="sentence">
          <Link href={upstreamPath(upstream)}>{upstream}</Link> {protocol === null ? '' : `${detail.over(protocol)} `}
          {status} {code === null ? detail.succeeded : <ErrorCode code={code} />}
        </span>
        <span className="number">{formatDuration(ms)}</span>
      </div>
      {!isCause && <ProviderWords of={attempt} />}
      <div className="attempt-track" aria-hidden="true">
        <div className="attempt-parts">
          <div style={{ width: formatWidth(before) }} />
          <div className={code === null ? 'attempt-bar' : 'attempt-bar bad'} style={{ width: formatWidth(ms) }} />
          {rest > 0 && <div className="attempt-bar waiting" style={{ width: formatWidth(rest) }} />}
        </div>
      </div>
    </>
  );
}
