/** Configured webhooks and mail channels: the delivery of the latest message, and a test message. */
import type { AlertChannel, AlertChannelTest } from '../../../../../../contract/admin/alerts.ts';
import { Button } from '../../../kit/button.tsx';
import { CodeBox } from '../../../kit/copy.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { Empty, Failed, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { State, Time, type Tone } from '../../../kit/values.tsx';
import { alerts } from '../../../texts/alerts.ts';
import { kit } from '../../../texts/kit.ts';
import { useChange, useRead } from '../../api.ts';

const words = alerts.channels;
const tones: Readonly<Record<keyof typeof words.states, Tone>> = { waiting: 'warn', delivered: 'good', failed: 'bad' };

interface ChannelTesting {
  readonly test: (channel: string) => void;
  /** The channel under test. */
  readonly busy: string | undefined;
  /** Why this operator can't send a test message. */
  readonly refusal: string | undefined;
}

const createColumns = ({ test, busy, refusal }: ChannelTesting): readonly Column<AlertChannel>[] => [
  { id: 'name', title: words.name, isMain: true, cell: ({ name }) => name },
  {
    id: 'target',
    title: words.target,
    isMain: true,
    cell: ({ format, host }) => (
      <span>
        {words.formats[format]}
        <span className="cell-detail wrapped">{host}</span>
      </span>
    ),
  },
  { id: 'events', title: words.events, cell: ({ events }) => formatEvents(events) },
  { id: 'last', title: words.lastDelivery, isMain: true, cell: (channel) => <LastDelivery of={channel} /> },
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

const formatEvents = (events: AlertChannel['events']): string =>
  events.length === Object.keys(alerts.kinds).length ? words.all : events.map((kind) => alerts.kinds[kind]).join(', ');

function LastDelivery({ of: { last_delivery: last, waiting } }: { readonly of: AlertChannel }) {
  if (last === null) return <span className="soft">{words.none}</span>;
  const details = [last.failure, words.attempts(last.attempts), ...(waiting > 1 ? [words.waiting(waiting)] : [])];
  return (
    <span className="stack">
      <span className="row">
        <State tone={tones[last.state]}>{words.states[last.state]}</State>
        <Time at={last.attempted_at ?? last.created_at} format="ago" />
      </span>
      {(last.state !== 'delivered' || last.failure !== null) && (
        <span className="soft small wrapped">{details.filter((part) => part !== null).join(' · ')}</span>
      )}
    </span>
  );
}

export function Channels() {
  const list = useRead('listAlertChannels', {}, { everyMs: 10_000 });
  const caller = useRead('getSession');
  const { mutate, isPending, variables, data: tested, error } = useChange('testAlertChannel', ['listAudit']);
  const busy = isPending ? variables.params.channel : undefined;
  const refusal = caller.data === undefined || caller.data.role === 'admin' ? undefined : kit.requiresRole('admin');
  const test = (channel: string) => mutate({ params: { channel } });
  return (
    <section className="stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      {error && <Failed failure={error} title={words.testNotSent} />}
      {tested && <TestResult of={tested} />}
      <Loaded of={list} rows={2}>
        {({ data: [...channels] }) =>
          channels.length === 0 ? (
            <NoChannel />
          ) : (
            <>
              <Table
                caption={words.caption}
                columns={createColumns({ test, busy, refusal })}
                rows={channels}
                getRowId={({ name }) => name}
              />
              <SameAs
                method="POST"
                path={`/admin/v1/alert-channels/${channels[0]?.name}/test`}
                command={['alert', 'test', channels[0]?.name ?? '']}
              />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function TestResult({ of: { channel, ok, status, response, failure, total_ms: ms, sent } }: { readonly of: AlertChannelTest }) {
  const outcome = ok ? words.testDelivered(channel, status, ms) : words.testFailed(channel);
  return (
    <section className={ok ? 'stack notice' : 'stack notice warn'} aria-label={words.testResult}>
      <p role="status">{failure === null ? outcome : `${outcome} ${words.reason(failure)}`}</p>
      {response !== null && (
        <p>
          {words.response} <q className="wrapped">{response}</q>
        </p>
      )}
      <details>
        <summary>{words.sent}</summary>
        {/* The spaces allow line breaks. */}
        <code className="wrapped small">{JSON.stringify(JSON.parse(sent), null, 1)}</code>
      </details>
    </section>
  );
}

const NoChannel = () => (
  <>
    <Empty title={words.empty} />
    <CodeBox code={words.example} what={words.exampleName}>
      <p className="soft">{words.addHint}</p>
    </CodeBox>
  </>
);
