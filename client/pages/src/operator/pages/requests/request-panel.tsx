/** One request beside the list: the deciding rule, its upstream, its cost, and its ledger entries. */
import { Link } from 'wouter';
import { ButtonLink } from '../../../kit/button.tsx';
import { ErrorCode } from '../../../kit/error-code.tsx';
import { Panel } from '../../../kit/panel.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { CopiedId, State, TextWithTimes, Time } from '../../../kit/values.tsx';
import { requests as words } from '../../../texts/requests.ts';
import { useRead } from '../../api.ts';
import { requestsPath } from '../../reads/links.ts';
import type { Names } from '../../reads/names.ts';
import { Attempts } from './attempts.tsx';
import { Charge } from './charge.tsx';
import { Checks } from './checks.tsx';
import { Ledger } from './ledger.tsx';
import { outcomeTones } from './outcomes.ts';
import type { ExplainedRequest } from './recompute.ts';
import { Section } from './section.tsx';

const { detail } = words;

export interface RequestPanelProps {
  readonly id: string;
  readonly names: Names;
  readonly onClose: () => void;
}

export function RequestPanel({ id, names, onClose }: RequestPanelProps) {
  const request = useRead('getRequest', { params: { request_id: id } });
  return (
    <Panel label={detail.panel} title={<CopiedId id={id} what={detail.id} />} onClose={onClose}>
      {request.error?.status === 404 ? (
        <Empty title={detail.notFound} />
      ) : (
        <Loaded of={request}>{(body) => <Whole body={body} names={names} />}</Loaded>
      )}
    </Panel>
  );
}

function Whole({ body, names }: { readonly body: ExplainedRequest; readonly names: Names }) {
  return (
    <>
      <Summary body={body} names={names} />
      {body.error && <Why error={body.error} />}
      {body.checks.length > 0 && <Checks checks={body.checks} />}
      <Attempts body={body} />
      <Charge receipt={body.receipt} entries={body.entries} />
      {body.receipt && <Ledger entries={body.entries} />}
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

function Summary({ body: { request, error, path, address }, names }: { readonly body: ExplainedRequest; readonly names: Names }) {
  if (request === null) return error && <Time at={error.created_at} format="second" />;
  const { status, outcome, at, model, operation, is_stream, account_id, key_id, end_user, tag } = request;
  const what = [model, operation, is_stream ? detail.stream : null].filter((part) => part !== null).join(' · ');
  return (
    <div className="stack">
      <p className="row">
        <State tone={outcomeTones[outcome]}>
          <strong>
            {status} {words.outcomes[outcome]}
          </strong>
        </State>
        <Time at={at} format="second" />
      </p>
      <p>{path ?? what}</p>
      <p className="soft">
        {account_id === null ? words.unknownCaller : names.getAccountName(account_id)}
        {key_id !== null && ` / ${names.getKeyName(key_id)}`}
        {address !== null && ` · ${detail.from(address)}`}
      </p>
      {end_user !== null && (
        <p className="soft">
          {detail.endUser} <Link href={requestsPath({ end_user })}>{end_user}</Link>
        </p>
      )}
      {tag !== null && (
        <p className="soft">
          {detail.tag} <Link href={requestsPath({ tag })}>{tag}</Link>
        </p>
      )}
    </div>
  );
}

const Why = ({ error: { code, message, param } }: { readonly error: NonNullable<ExplainedRequest['error']> }) => (
  <Section title={detail.why}>
    <p>
      <TextWithTimes text={message} />
    </p>
    <p className="row">
      <ErrorCode code={code} />
      {param !== null && (
        <span>
          {detail.field} <code>{param}</code>
        </span>
      )}
    </p>
  </Section>
);

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
