/** Console sessions of all operators. Each can be ended. */
import type { Session } from '../../../../../../contract/admin/session.ts';
import { Button } from '../../../kit/button.tsx';
import { Failed, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { Time } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { settings } from '../../../texts/settings.ts';
import { useChange, useRead } from '../../api.ts';

const words = settings.sessions;

const createColumns = (own: string | undefined, end: (id: string) => void): readonly Column<Session>[] => [
  {
    id: 'name',
    title: words.name,
    isMain: true,
    cell: ({ id, name }) => (
      <>
        {name} {id === own && <span className="soft">({words.thisSession})</span>}
      </>
    ),
  },
  { id: 'id', title: words.id, isMain: true, cell: ({ id }) => <code className="wrapped">{id}</code> },
  {
    id: 'browser',
    title: words.browser,
    isMain: true,
    cell: ({ browser, address }) => (
      <span>
        {browser ?? kit.none}
        {address !== null && <span className="cell-detail">{address}</span>}
      </span>
    ),
  },
  { id: 'since', title: words.since, isMain: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { id: 'ends', title: words.ends, isMain: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
  {
    id: 'action',
    title: words.action,
    isMain: true,
    card: 'third',
    cell: ({ id }) => (
      <Button aria-label={words.endNamed(id)} refusal={id === own ? words.cannotEndOwn : undefined} onClick={() => end(id)}>
        {words.end}
      </Button>
    ),
  },
];

export function Sessions() {
  const list = useRead('listSessions', {}, { everyMs: 30_000 });
  const caller = useRead('getSession');
  const { mutate, error } = useChange('revokeSession', ['listSessions']);
  const end = (id: string) => mutate({ params: { session_id: id } }, { onSuccess: () => showToast(words.ended) });
  return (
    <section className="stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className="soft">{words.lead}</p>
      {error && <Failed failure={error} title={kit.notSaved} />}
      <Loaded of={list} rows={2}>
        {({ data }) => (
          <Table caption={words.caption} columns={createColumns(caller.data?.session?.id, end)} rows={data} getRowId={({ id }) => id} />
        )}
      </Loaded>
    </section>
  );
}
