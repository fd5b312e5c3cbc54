/** Subscriptions of an account, and the dialog that cancels one. */
import { useState } from 'react';
import type { Subscription } from '../../../../../../contract/admin/money.ts';
import { Button } from '../../../kit/button.tsx';
import { DangerDialog } from '../../../kit/decisions.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { Money, State, Time, type Tone } from '../../../kit/values.tsx';
import { accounts } from '../../../texts/accounts.ts';
import { useChange, useRead } from '../../api.ts';
import { Facts } from '../../parts/facts.tsx';
import type { AccountRow } from './account-row.ts';

const words = accounts.subscriptions;
const tonesByState = { scheduled: 'neutral', active: 'good', ended: 'neutral', cancelled: 'bad' } as const satisfies Record<string, Tone>;

export function Subscriptions({ row, onCreate }: { readonly row: AccountRow; readonly onCreate: () => void }) {
  const list = useRead('listSubscriptions', { params: { account_id: row.id } });
  const [leaving, setLeaving] = useState<Subscription | null>(null);
  const create = <Button onClick={onCreate}>{words.create}…</Button>;
  return (
    <Loaded of={list} rows={2}>
      {({ data }) => (
        <>
          {data.length === 0 ? <Empty title={words.empty}>{create}</Empty> : <p>{create}</p>}
          {data.map((one) => (
            <SubscriptionCard key={one.id} one={one} onCancel={() => setLeaving(one)} />
          ))}
          {leaving && <CancelSubscription one={leaving} onClose={() => setLeaving(null)} />}
        </>
      )}
    </Loaded>
  );
}

function SubscriptionCard({ one, onCancel }: { readonly one: Subscription; readonly onCancel: () => void }) {
  const isOver = one.state === 'ended' || one.state === 'cancelled';
  return (
    <section className="card stack" aria-label={one.plan}>
      <div className="row apart">
        <h3>{one.plan}</h3>
        <State tone={tonesByState[one.state]}>{words.states[one.state]}</State>
      </div>
      <Facts
        lines={[
          [
            words.included,
            <span key="included">
              <Money amount={one.included} /> {words.periods[one.period]}, {words.exhaustion[one.on_exhaustion]}
            </span>,
          ],
          [words.starts, <Time key="starts" at={one.starts_at} />],
          [words.ends, <Time key="ends" at={one.cancelled_at ?? one.ends_at} />],
        ]}
      />
      {!isOver && (
        <p>
          <Button onClick={onCancel}>{words.cancel}…</Button>
        </p>
      )}
    </section>
  );
}

function CancelSubscription({ one, onClose }: { readonly one: Subscription; readonly onClose: () => void }) {
  const { mutate, isPending, error } = useChange('cancelSubscription', ['listSubscriptions']);
  const onSuccess = () => {
    showToast(words.cancelled(one.plan));
    onClose();
  };
  return (
    <DangerDialog
      title={words.cancelTitle(one.plan)}
      name={one.plan}
      action={words.cancel}
      onConfirm={() => mutate({ params: { subscription_id: one.id } }, { onSuccess })}
      onClose={onClose}
      isBusy={isPending}
      failure={error}
    >
      <p>{words.cancelEffect}</p>
    </DangerDialog>
  );
}
