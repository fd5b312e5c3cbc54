/** Replaces a page's content while it's loading, empty, or failed. Earlier content stays after a failure. */
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { Failure } from '../data/failure.ts';
import { formatTime } from '../data/times.ts';
import { kit } from '../texts/kit.ts';
import { Button } from './button.tsx';
import { ErrorCode } from './error-code.tsx';
import { Icon } from './icon.tsx';
import { CopiedId, TextWithCode } from './values.tsx';

/** Gray rows in the size of the expected content. CSS shows them after 150 ms, so that a fast response doesn't flicker. */
export function Loading({ rows = 5, isRetrying = false }: { readonly rows?: number | undefined; readonly isRetrying?: boolean }) {
  return (
    <div className="loading" role="status">
      {isRetrying ? (
        <p className="row notice">
          <Icon name="clock" />
          {kit.tryingAgain}
        </p>
      ) : (
        <span className="hidden">{kit.loading}</span>
      )}
      {!isRetrying && Array.from({ length: rows }, (_, row) => <div key={row} className="loading-row" />)}
    </div>
  );
}

/** Failures in the first second are retried silently. */
const LATE_MS = 1_000;

export interface WaitingProps {
  readonly on: Pick<UseQueryResult, 'failureCount'>;
  readonly rows?: number | undefined;
}
/** For the first response of a read: gray rows, then after a second and a failed attempt, a note about the retry. */
export function Waiting({ on, rows }: WaitingProps) {
  const [isLate, setLate] = useState(false);
  // Read at each render, because a query rerenders only for properties that were read.
  const hasFailed = on.failureCount > 0;
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return <Loading rows={rows} isRetrying={hasFailed && isLate} />;
}

export interface EmptyProps {
  /** One sentence: why it's empty. */
  readonly title: string;
  /** One action: make a key, widen the range, clear the filter. Without one, the sentence stands alone. */
  readonly children?: ReactNode;
}
export const Empty = ({ title, children }: EmptyProps) => (
  <div className={children ? 'empty' : 'soft'}>
    <p>
      <TextWithCode text={title} />
    </p>
    {children}
  </div>
);

export interface FailedProps {
  readonly failure: Failure;
  /** Null to show only the message. */
  readonly title?: string | null;
  readonly onRetry?: () => void;
}
/** Message, code, and request ID of a failure. */
export function Failed({ failure, title = kit.failed, onRetry }: FailedProps) {
  const { message, code, requestId, retryAfterSeconds } = failure;
  return (
    <div className="failed" role="alert">
      <Icon name="warning" />
      <div className="stack">
        <p>
          {title !== null && <strong>{title}. </strong>}
          {message}
        </p>
        <p className="row">
          <ErrorCode code={code} />
          {requestId !== null && (
            <span className="row">
              {kit.requestId} <CopiedId id={requestId} what={kit.requestId} />
            </span>
          )}
          {retryAfterSeconds !== null && <span>{kit.retryIn(retryAfterSeconds)}</span>}
          {onRetry && <Button onClick={onRetry}>{kit.tryAgain}</Button>}
        </p>
      </div>
    </div>
  );
}

export interface LoadedProps<Body> {
  readonly of: UseQueryResult<Body, Failure>;
  /** Gray rows until the first response. */
  readonly rows?: number;
  readonly children: (body: Body) => ReactNode;
}
/** Shows the loaded content, or why it's missing. After a failure, earlier content stays, marked with its time. */
export function Loaded<Body>({ of, rows, children }: LoadedProps<Body>) {
  if (of.data === undefined && of.error === null) return <Waiting on={of} rows={rows} />;
  return (
    <div className="stack" aria-busy={of.isFetching || undefined}>
      {of.error && <Failed failure={of.error} onRetry={() => void of.refetch()} />}
      {of.error && of.data !== undefined && <p className="soft">{kit.asOf(formatTime(new Date(of.dataUpdatedAt)))}</p>}
      {of.data !== undefined && children(of.data)}
    </div>
  );
}
