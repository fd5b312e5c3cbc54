/** Attempts at upstreams as consecutive bars, within the call's total time. */
import { Link } from 'wouter';
import { formatDuration } from '../../../data/times.ts';
import { ErrorCode } from '../../../kit/error-code.tsx';
import { requests as words } from '../../../texts/requests.ts';
import { upstreamPath } from '../../reads/links.ts';
import type { ExplainedRequest } from './recompute.ts';
import { Section } from './section.tsx';

type Attempt = ExplainedRequest['attempts'][number];
const { detail } = words;

export function Attempts({ body: { attempts, request } }: { readonly body: ExplainedRequest }) {
  const total = Math.max(request?.total_ms ?? 0, sumDurations(attempts), 1);
  return (
    <Section title={detail.attempts}>
      {attempts.length === 0 ? <p className="soft">{request?.upstream ? detail.firstSucceeded : detail.notSent}</p> : null}
      <ol className="attempts">
        {attempts.map((attempt, index) => (
          <li key={index}>
            <Bar attempt={attempt} before={sumDurations(attempts.slice(0, index))} total={total} />
          </li>
        ))}
      </ol>
      {request && (
        <p className="soft small">
          {[
            request.first_ms === null ? null : detail.firstEvent(formatDuration(request.first_ms)),
            detail.total(formatDuration(request.total_ms)),
          ]
            .filter((part) => part !== null)
            .join(' · ')}
        </p>
      )}
    </Section>
  );
}

const sumDurations = (attempts: readonly Attempt[]): number => attempts.reduce((sum, { ms }) => sum + ms, 0);

interface BarProps {
  readonly attempt: Attempt;
  readonly before: number;
  readonly total: number;
}
function Bar({ attempt: { upstream, protocol, status, code, ms, provider_code, provider_message }, before, total }: BarProps) {
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
      {provider_message !== null && (
        <p className="wrapped">
          {provider_code !== null && <code>{provider_code}</code>} <q>{provider_message}</q>
        </p>
      )}
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
