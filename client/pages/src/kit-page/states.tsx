/** States on the kit page: loading, empty, failed, and sign-in. */
import { Failure } from '../data/failure.ts';
import { Button } from '../kit/button.tsx';
import { Empty, Failed, Loading } from '../kit/states.tsx';
import { State } from '../kit/values.tsx';

const failure = new Failure({
  status: 503,
  code: 'overloaded',
  message: 'The gateway is overloaded.',
  param: null,
  requestId: 'req_1aff03c2',
  retryAfterSeconds: 3,
});

export const States = () => (
  <section className="stack" aria-label="States">
    <div className="row card">
      <State tone="good">Active</State>
      <State tone="warn">Account suspended</State>
      <State tone="bad">Revoked</State>
      <State tone="neutral">Expired</State>
    </div>
    <Failed failure={failure} onRetry={() => undefined} />
    <Empty title="No calls in this time range.">
      <Button>Show the last 30 days</Button>
    </Empty>
    <Loading rows={3} />
  </section>
);
