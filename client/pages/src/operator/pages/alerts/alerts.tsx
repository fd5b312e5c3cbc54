/** Alerts, open and resolved: who acknowledged them, links to their subjects, and their channels. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { Alert } from '../../../../../../contract/admin/alerts.ts';
import { createEnumField, useUrlState } from '../../../data/url-state.ts';
import { Segments } from '../../../kit/segments.tsx';
import { Empty, Failed, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { roundAmounts, TextWithTimes, Time } from '../../../kit/values.tsx';
import { alerts as words } from '../../../texts/alerts.ts';
import { overview } from '../../../texts/overview.ts';
import { useChange, useRead } from '../../api.ts';
import { Impact } from '../../parts/impact.tsx';
import { accountPath, keyPath, upstreamPath } from '../../reads/links.ts';
import { useRefusal } from '../../reads/role.ts';
import { AlertActions, AlertStatus, type AttendProps } from './attended.tsx';
import { Channels } from './channels.tsx';

const states = ['open', 'resolved', 'all'] as const;
type AlertFilter = (typeof states)[number];
const fields = { state: createEnumField(states, 'open') } as const;

const isOfAccount = ({ subject }: Alert): boolean => subject?.startsWith('acct_') ?? false;

/** Returns the path of the page that shows the alert's problem. */
function getAlertPath(alert: Alert): string {
  const { kind, subject } = alert;
  if (isOfAccount(alert)) return accountPath(subject ?? '');
  if (kind === 'cap_used') return keyPath(subject ?? '');
  return kind === 'upstream_unavailable' ? upstreamPath(subject ?? '') : '/activity';
}

/** The section of the alerts guide for this kind, as the gateway serves it. */
const getGuidePath = ({ kind }: Alert): string => `/admin/docs/guides/alerts#${kind}`;

interface AttendOptions extends Omit<AttendProps, 'alert' | 'isBusy'> {
  /** ID of the alert that is being changed. */
  readonly busy: string | undefined;
}

const { columns: titles } = words;
const createColumns = ({ busy, ...attend }: AttendOptions): readonly Column<Alert>[] => [
  { id: 'what', title: titles.message, isMain: true, cell: (alert) => <What alert={alert} /> },
  { id: 'state', title: titles.state, isMain: true, card: 'end', cell: (alert) => <AlertStatus of={alert} /> },
  {
    id: 'actions',
    title: titles.actions,
    isMain: true,
    card: 'third',
    cell: (alert) => <AlertActions alert={alert} isBusy={busy === alert.id} {...attend} />,
  },
];

/** Describes the problem like the overview: an outage with its effect. */
function What({ alert }: { readonly alert: Alert }) {
  const { kind, subject, message, opened_at: openedAt } = alert;
  const isOutage = kind === 'upstream_unavailable' && alert.resolved_at === null;
  const upstreams = useRead('listUpstreams', {}, { isEnabled: isOutage });
  const upstream = upstreams.data?.data.find(({ name }) => isOutage && name === subject);
  return (
    <div className="stack">
      <p className="wrapped">
        <Link href={getAlertPath(alert)}>
          <TextWithTimes text={isOutage ? overview.titles.unavailable(subject ?? '') : roundAmounts(message.replace(/\.$/, ''))} />
        </Link>{' '}
        <span className="soft small">
          <Time at={upstream?.unavailable_since ?? openedAt} format="ago" />
        </span>
      </p>
      {upstream?.impact && <Impact of={upstream.impact} />}
      <p className="soft small">
        <a href={getGuidePath(alert)} target="_blank" rel="noreferrer" aria-label={words.guideNamed(words.kinds[kind])}>
          {words.guide}
        </a>
      </p>
    </div>
  );
}

/** The columns, and why the last change failed. */
function useColumns() {
  const refusal = useRefusal('admin');
  const { mutate, isPending, variables, error } = useChange('acknowledgeAlert', ['listAlerts', 'getOverview', 'listAudit']);
  const acknowledge: AttendOptions['acknowledge'] = ({ id }, seconds) => {
    const body = seconds === undefined ? {} : { snooze_seconds: seconds };
    mutate({ params: { alert_id: id }, body }, { onSuccess: () => showToast(seconds === undefined ? words.acknowledged : words.snoozed) });
  };
  const busy = isPending ? variables.params.alert_id : undefined;
  return { columns: createColumns({ busy, refusal, acknowledge }), error };
}

const PAGE_LENGTH = 100;
/** Maximum page size of the list. */
const MOST = 1_000;

export function Alerts() {
  const [{ state }, set] = useUrlState(fields);
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <Segments
          label={words.stateFilter}
          value={state}
          choices={states.map((value) => ({ value, label: words.stateOptions[value] }))}
          onChange={(chosen) => set({ state: chosen })}
        />
      </div>
      <p className="soft">{words.lead}</p>
      <List key={state} state={state} />
      <Channels />
    </section>
  );
}

function List({ state }: { readonly state: AlertFilter }) {
  const [length, setLength] = useState(PAGE_LENGTH);
  const query = { limit: length, ...(state !== 'all' && { state }) };
  const list = useRead('listAlerts', { query }, { everyMs: 10_000 });
  const { columns, error } = useColumns();
  return (
    <>
      {error && <Failed failure={error} title={words.notAcknowledged} />}
      <Loaded of={list} rows={3}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty title={words.empty[state]} />
          ) : (
            <Table
              caption={words.caption}
              columns={columns}
              rows={data}
              getRowId={({ id }) => id}
              onMore={has_more && length < MOST ? () => setLength(Math.min(length * 3, MOST)) : undefined}
              isReadingMore={list.isFetching}
            />
          )
        }
      </Loaded>
    </>
  );
}
