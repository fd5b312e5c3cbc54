/** Webhooks of the configuration: how far the newest message came, and a test message. */
import type { Webhook, WebhookTest } from '../../../../../../contract/admin/alerts.ts';
import { Button } from '../../../kit/button.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { Empty, Failed, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { State, Time, type Tone } from '../../../kit/values.tsx';
import { alerts } from '../../../texts/alerts.ts';
import { kit } from '../../../texts/kit.ts';
import { useChange, useRead } from '../../api.ts';

const words = alerts.webhooks;
const tones: Readonly<Record<keyof typeof words.states, Tone>> = { waiting: 'warn', delivered: 'good', failed: 'bad' };

interface WebhookTesting {
  readonly test: (webhook: string) => void;
  /** Which one is being tested. */
  readonly busy: string | undefined;
  /** Why this operator may not. */
  readonly refusal: string | undefined;
}

const createColumns = ({ test, busy, refusal }: WebhookTesting): readonly Column<Webhook>[] => [
  { id: 'name', title: words.name, isMain: true, cell: ({ name }) => name },
  { id: 'host', title: words.host, isMain: true, cell: ({ host }) => <code className="wrapped">{host}</code> },
  { id: 'events', title: words.events, cell: ({ events }) => formatEvents(events) },
  { id: 'last', title: words.lastDelivery, isMain: true, cell: (webhook) => <LastDelivery of={webhook} /> },
  {
    id: 'action',
    title: words.action,
    isMain: true,
    cell: ({ name }) => (
      <Button aria-label={words.testNamed(name)} isBusy={busy === name} refusal={refusal} onClick={() => test(name)}>
        {words.test}
      </Button>
    ),
  },
];

const formatEvents = (events: Webhook['events']): string =>
  events.length === Object.keys(alerts.kinds).length ? words.all : events.map((kind) => alerts.kinds[kind]).join(', ');

function LastDelivery({ of: { last_delivery: last, waiting } }: { readonly of: Webhook }) {
  if (last === null) return <span className="soft">{words.none}</span>;
  const details = [last.failure, words.attempts(last.attempts), ...(waiting > 1 ? [words.waiting(waiting)] : [])];
  return (
    <span className="stack">
      <span className="row">
        <State tone={tones[last.state]}>{words.states[last.state]}</State>
        <Time at={last.attempted_at ?? last.created_at} format="ago" />
      </span>
      {last.state !== 'delivered' && <span className="soft small wrapped">{details.filter((part) => part !== null).join(' · ')}</span>}
    </span>
  );
}

export function Webhooks() {
  const list = useRead('listWebhooks', {}, { everyMs: 10_000 });
  const caller = useRead('getSession');
  const { mutate, isPending, variables, data: tested, error } = useChange('testWebhook', ['listAudit']);
  const busy = isPending ? variables.params.webhook : undefined;
  const refusal = caller.data === undefined || caller.data.role === 'admin' ? undefined : kit.requiresRole('admin');
  const test = (webhook: string) => mutate({ params: { webhook } });
  return (
    <section className="stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      {error && <Failed failure={error} title={words.testNotSent} />}
      {tested && <TestResult of={tested} />}
      <Loaded of={list} rows={2}>
        {({ data: [...webhooks] }) =>
          webhooks.length === 0 ? (
            <NoWebhook />
          ) : (
            <>
              <Table
                caption={words.caption}
                columns={createColumns({ test, busy, refusal })}
                rows={webhooks}
                getRowId={({ name }) => name}
              />
              <SameAs
                method="POST"
                path={`/admin/v1/webhooks/${webhooks[0]?.name}/test`}
                command={['alert', 'test', webhooks[0]?.name ?? '']}
              />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

const TestResult = ({ of: { webhook, ok, status, failure, total_ms: ms } }: { readonly of: WebhookTest }) => (
  <p role="status" className={ok ? 'row notice' : 'row notice warn'}>
    {ok ? words.testDelivered(webhook, status, ms) : words.testFailed(webhook, failure ?? '')}
  </p>
);

const NoWebhook = () => (
  <>
    <Empty title={words.empty} />
    <p className="soft">{words.addHint}</p>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys. */}
    <pre className="code" tabIndex={0}>
      {words.example}
    </pre>
  </>
);
