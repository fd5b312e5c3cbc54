/** Shows the maximum cost of a call, and what's left of its limits, before the call. The gateway estimates both as for the call itself. */
import { useQuery } from '@tanstack/react-query';
import { useSettled } from '../../../data/settled.ts';
import { ErrorCode } from '../../../kit/error-code.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { Money } from '../../../kit/values.tsx';
import { playground as words } from '../../../texts/playground.ts';
import { call } from '../../api.ts';
import { getOperation } from './code.ts';
import type { Fields, Tab } from './frames.ts';

export interface CeilingProps {
  readonly tab: Tab;
  /** Name of the model, if there are two. */
  readonly model: string | null;
  /** Null while there's nothing to send. */
  readonly body: Fields | null;
  /** ID of the latest call. The estimate is read again after it, because less is left. */
  readonly after: string | null;
}

/** Waits for a pause in typing, instead of an estimate per letter. */
const PAUSE_MS = 400;

export function Ceiling({ tab, model, body, after }: CeilingProps) {
  const current = JSON.stringify(body && { operation: getOperation(tab, body), body });
  const text = useSettled(current, PAUSE_MS);
  const estimate = useQuery({
    queryKey: ['estimateCost', text, after],
    // `as`: created above from an operation and a body.
    queryFn: ({ signal }) =>
      call('estimateCost', { body: JSON.parse(text) as { operation: ReturnType<typeof getOperation>; body: Fields } }, signal),
    enabled: text !== 'null',
    placeholderData: (previous) => previous,
    gcTime: 0,
    retry: false,
  });
  const isStale = text !== current || estimate.isPlaceholderData;
  if (body === null || !estimate.data) return <p className="soft small play-ceiling">{'\u00a0'}</p>;
  if (!estimate.data.ok) return <p className="soft small play-ceiling">{words.noEstimate}</p>;
  const { max_cost: maxCost, available, output_limit: outputLimit, error, requests, tokens } = estimate.data.body;
  if (error)
    return (
      <p className="row notice warn small play-ceiling">
        <Icon name="warning" />
        {`${model === null ? '' : `${model}: `}${words.rejectedBefore} ${error.message}`} <ErrorCode code={error.code} />
      </p>
    );
  return (
    <p className="soft small play-ceiling" aria-busy={isStale || undefined}>
      {model !== null && `${model}: `}
      {maxCost === null ? (
        words.free
      ) : (
        <>
          {words.maxCost} <Money amount={maxCost} isRounded />
        </>
      )}
      {available !== null && (
        <>
          {' · '}
          {words.balance} <Money amount={available} isRounded />
        </>
      )}
      {requests && ` · ${words.left(requests.remaining.toLocaleString(), requests.limit.toLocaleString())}`}
      {tokens && ` · ${words.tokensLeft(tokens.remaining.toLocaleString(), tokens.limit.toLocaleString())}`}
      {outputLimit !== null && ` · ${words.outputLimited(outputLimit.toLocaleString())}`}
    </p>
  );
}
