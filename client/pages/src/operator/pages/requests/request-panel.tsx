/** One request beside the list: the deciding rule, its upstream, its cost, and its ledger entries. */
import { Link } from 'wouter';
import { ButtonLink } from '../../../kit/button.tsx';
import { CallFigures } from '../../../kit/call-figures.tsx';
import { CheckList } from '../../../kit/check-list.tsx';
import { ErrorCode } from '../../../kit/error-code.tsx';
import { Panel } from '../../../kit/panel.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { CopiedId, State, TextWithTimes, Time } from '../../../kit/values.tsx';
import { checks as checkWords } from '../../../texts/check-names.ts';
import { requests as words } from '../../../texts/requests.ts';
import { useRead } from '../../api.ts';
import { type FactLine, Facts } from '../../parts/facts.tsx';
import { accountPath, keyPath, requestsPath, upstreamPath } from '../../reads/links.ts';
import { formatKeyName } from '../../reads/names.ts';
import { type Attempt, Attempts, ProviderWords } from './attempts.tsx';
import { Charge } from './charge.tsx';
import { Ledger } from './ledger.tsx';
import { outcomeTones } from './outcomes.ts';
import type { ExplainedRequest } from './recompute.ts';
import { Section } from './section.tsx';

const { detail } = words;

export interface RequestPanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function RequestPanel({ id, onClose }: RequestPanelProps) {
  const request = useRead('getRequest', { params: { request_id: id } });
  const ended = request.data?.request;
  return (
    <Panel label={detail.panel} title={ended ? <Headline of={ended} /> : detail.panel} onClose={onClose}>
      {request.error?.status === 404 ? <Empty title={detail.notFound} /> : <Loaded of={request}>{(body) => <Whole body={body} />}</Loaded>}
    </Panel>
  );
}

type EndedRequest = NonNullable<ExplainedRequest['request']>;
const Headline = ({ of: { status, outcome, code } }: { readonly of: EndedRequest }) => (
  <State tone={outcomeTones[outcome]}>{detail.title(status, words.outcomes[outcome], code)}</State>
);

interface WholeProps {
  readonly body: ExplainedRequest;
}
function Whole({ body }: WholeProps) {
  const { error, request, checks, attempts } = body;
  const cause = error === null ? undefined : attempts.findLast(({ provider_message: message }) => message !== null);
  return (
    <>
      {error && <Why error={error} attempt={cause} body={body} />}
      {request && <CallFigures of={request} labels={{ ...words.columns, firstEvent: words.firstEvent }} />}
      <Summary body={body} />
      {checks.length > 0 && (
        <Section title={checkWords.title}>
          <CheckList checks={checks} />
        </Section>
      )}
      <Attempts body={body} cause={cause} />
      <Charge receipt={body.receipt} entries={body.entries} />
      {body.receipt && <Ledger entries={body.entries} accountName={body.request?.account_name ?? null} />}
      {body.dropped.length > 0 && (
        <Section title={detail.dropped}>
          <p className="row">
            {body.dropped.map((field) => (
              <code key={field}>{field}</code>
            ))}
          </p>
        </Section>
      )}
      <Further body={body} />
      <SameAs
        method="GET"
        path={`/admin/v1/requests/${encodeURIComponent(body.request_id)}`}
        command={['explain', '--request', body.request_id]}
      />
    </>
  );
}

function Summary({ body: { request_id, request, error, path, address } }: WholeProps) {
  const { filters, columns } = words;
  const id: FactLine = [detail.idTitle, <CopiedId key="id" id={request_id} what={detail.id} />];
  if (request === null)
    return <Facts lines={[id, ...(error ? [[columns.time, <Time key="time" at={error.created_at} format="second" />] as const] : [])]} />;
  const { at, model, upstream, operation, is_stream, account_id, account_name, key_id, key_name, end_user, tag } = request;
  const keyName = account_name !== null && key_name !== null ? formatKeyName({ account: { name: account_name }, name: key_name }) : key_id;
  const links: readonly (readonly [label: string, value: string | null, href: (value: string) => string, name?: string | null])[] = [
    [filters.model, model, (value) => `/prices?q=${encodeURIComponent(value)}`],
    [filters.upstream, upstream, upstreamPath],
    [filters.account_id, account_id, accountPath, account_name],
    [filters.key_id, key_id, keyPath, keyName],
    [filters.end_user, end_user, (value) => requestsPath({ end_user: value })],
    [filters.tag, tag, (value) => requestsPath({ tag: value })],
  ];
  return (
    <Facts
      lines={[
        id,
        [columns.time, <Time key="time" at={at} format="second" />],
        ...links.flatMap(([label, value, getHref, name]): readonly FactLine[] =>
          value === null
            ? []
            : [
                [
                  label,
                  <Link key={label} href={getHref(value)}>
                    {name ?? value}
                  </Link>,
                ],
              ],
        ),
        [filters.operation, path ?? [operation, is_stream ? detail.stream : null].filter((part) => part !== null).join(' · ')],
        ...(address === null ? [] : [[detail.address, address] as const]),
      ]}
    />
  );
}

interface WhyProps extends WholeProps {
  readonly error: NonNullable<ExplainedRequest['error']>;
  /** The attempt with the provider's words. */
  readonly attempt: Attempt | undefined;
}
function Why({ error: { code, message, param }, attempt, body }: WhyProps) {
  const action = findAction(body);
  return (
    <section className="stack" aria-label={detail.why}>
      <p>
        <TextWithTimes text={message} />
      </p>
      {attempt && <ProviderWords of={attempt} />}
      <p className="row">
        {action && <ButtonLink href={action.href}>{action.label}</ButtonLink>}
        <ErrorCode code={code} />
        {param !== null && (
          <span>
            {detail.field} <code>{param}</code>
          </span>
        )}
      </p>
    </section>
  );
}

/** Where an operator can remove the cause. Undefined if only the caller can. */
function findAction({ request, checks }: ExplainedRequest): { readonly label: string; readonly href: string } | undefined {
  if (request === null) return undefined;
  const { outcome, upstream, account_id: account, key_id: key } = request;
  const { actions } = detail;
  if (outcome === 'failed') return upstream === null ? undefined : { label: actions.upstream, href: upstreamPath(upstream) };
  const { rule, scope } = checks.find(({ result }) => result === 'rejected') ?? {};
  if (key !== null && (rule === 'key' || rule === 'permission' || scope === 'key')) return { label: actions.key, href: keyPath(key) };
  if (account !== null && (rule === 'balance' || rule === 'subscription' || rule === 'spending_cap' || scope === 'account'))
    return { label: actions.account, href: accountPath(account) };
  if (rule === 'model') return { label: actions.models, href: '/prices' };
  return scope == null ? undefined : { label: actions.limits, href: '/limits' };
}

const AROUND_MS = 5 * 60_000;

function Further({ body: { request } }: { readonly body: ExplainedRequest }) {
  if (request === null || request.key_id === null) return null;
  const { session } = request;
  const at = Date.parse(request.at);
  const [since, until] = [new Date(at - AROUND_MS).toISOString(), new Date(at + AROUND_MS).toISOString()];
  return (
    <p className="row">
      <ButtonLink href={requestsPath({ key_id: request.key_id, since, until })}>{detail.ofKey}</ButtonLink>
      {session !== null && <ButtonLink href={requestsPath({ session })}>{detail.ofSession}</ButtonLink>}
    </p>
  );
}
