/** States of the kit page: loading, empty, failed, and the sign-in. */
import { Failure } from '../data/failure.ts';
import { Button } from '../kit/button.tsx';
import { Empty, Failed, Loading } from '../kit/states.tsx';
import { State } from '../kit/values.tsx';

const failure = new Failure({
  status: 503,
  code: 'overloaded',
  message: 'The gateway is at its limit of running requests.',
  param: null,
  requestId: 'req_1aff03c2',
  retryAfterSeconds: 3,
});

export const States = () => (
  <section className="stack" aria-label="States">
    <div className="row card">
      <State tone="good">active</State>
      <State tone="warn">account suspended</State>
      <State tone="bad">revoked</State>
      <State tone="neutral">expired</State>
    </div>
    <Failed failure={failure} onRetry={() => undefined} />
    <Empty title="Nothing ended in this range.">
      <Button>Widen the range</Button>
    </Empty>
    <Loading rows={3} />
  </section>
);
