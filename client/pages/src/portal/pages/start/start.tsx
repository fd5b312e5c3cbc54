/** Start: the key, setup of a tool with the base URL, and the first call when it arrives. Completed steps get a checkmark. */
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { PortalContract } from '../../../../../../contract/portal/index.ts';
import { describeSetup } from '../../../../../connect/recipes/document.ts';
import { writeCurl } from '../../../../../connect/recipes/programs.ts';
import type { Connection } from '../../../../../connect/recipes/recipe.ts';
import { recipes } from '../../../../../connect/recipes/tools.ts';
import type { Success } from '../../../data/contract-types.ts';
import { createEnumField, text, useUrlState } from '../../../data/url-state.ts';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { CodeBox, Copy } from '../../../kit/copy.tsx';
import { ErrorCode } from '../../../kit/error-code.tsx';
import { SelectField } from '../../../kit/form.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { CopiedId, Money, State, TextWithCode, Time } from '../../../kit/values.tsx';
import { catalog } from '../../../texts/portal-catalog.ts';
import { start as words } from '../../../texts/portal-start.ts';
import { useRead } from '../../api.ts';
import type { CallRow } from '../../calls-table.tsx';
import { findConnection } from '../../samples.ts';
import './start.css';

const toolIds: readonly string[] = ['curl', ...recipes.map(({ id }) => id)];
const toolOptions = [{ value: 'curl', label: 'curl' }, ...recipes.map(({ id, name }) => ({ value: id, label: name }))];
const fields = { tool: createEnumField(toolIds, 'curl'), model: text } as const;
const VARIABLE = 'export MODELGATE_API_KEY=';

export function Start() {
  const session = useRead('getSession');
  return (
    <section className="stack wide">
      <Loaded of={session} rows={6}>
        {(data) => <Steps session={data} />}
      </Loaded>
    </section>
  );
}

type Session = Success<PortalContract['getSession']>;

function Steps({ session: { base_url: baseUrl, key } }: { readonly session: Session }) {
  const calls = useCalls(key.id);
  const steps = [true, calls.latest !== undefined, calls.isCompleted];
  const [isKeyDone, isToolDone, isCallDone] = steps;
  return (
    <>
      <div className="page-head">
        <h1>{words.title}</h1>
        <span className="soft">{words.progress(steps.filter(Boolean).length, steps.length)}</span>
      </div>
      <ol className="start-steps">
        <Step title={words.key} isDone={isKeyDone}>
          <p className="soft">{words.keyHint(key.name, key.last_four)}</p>
          <div className="row apart">
            <code>{VARIABLE}</code>
            <Copy text={VARIABLE} what={words.copyNames.key} />
          </div>
        </Step>
        <Step title={words.tool} isDone={isToolDone}>
          <p className="row">
            {words.baseUrl} <CopiedId id={baseUrl} what={words.copyNames.baseUrl} />
          </p>
          <p className="soft small">{words.baseUrlHint}</p>
          <ToolPicker baseUrl={baseUrl} />
        </Step>
        <Step title={words.firstCall} isDone={isCallDone}>
          <FirstCall {...calls} />
        </Step>
      </ol>
    </>
  );
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean | undefined;
  readonly children: ReactNode;
}
const Step = ({ title, isDone = false, children }: StepProps) => (
  <li className="card stack" data-done={isDone || undefined}>
    <h2>
      <span className="step-mark">
        {isDone && (
          <>
            <Icon name="check" />
            <span className="hidden">{words.done}</span>
          </>
        )}
      </span>
      {title}
    </h2>
    {children}
  </li>
);

function ToolPicker({ baseUrl }: { readonly baseUrl: string }) {
  const [{ tool, model }, set] = useUrlState(fields);
  const models = useRead('listModels');
  return (
    <Loaded of={models} rows={4}>
      {({ data }) => {
        const connection = findConnection(baseUrl, data, model);
        if (connection === null)
          return (
            <p>
              {words.noModel} <Link href="/models">{catalog.title}</Link>
            </p>
          );
        return (
          <>
            <div className="row">
              <SelectField
                label={words.toolName}
                name="tool"
                value={tool}
                onChange={(value) => set({ tool: value }, { replace: true })}
                options={toolOptions}
              />
              <SelectField
                label={words.model}
                name="model"
                value={connection.model.id}
                onChange={(value) => set({ model: value }, { replace: true })}
                options={connection.models.map(({ id }) => ({ value: id, label: id }))}
              />
            </div>
            <ToolSetup id={tool} connection={connection} />
          </>
        );
      }}
    </Loaded>
  );
}

function ToolSetup({ id, connection }: { readonly id: string; readonly connection: Connection }) {
  const recipe = recipes.find((one) => one.id === id);
  if (!recipe) {
    return (
      <CodeBox code={writeCurl(connection)} what={words.copyNames.sample}>
        <h3>{words.sampleCall}</h3>
      </CodeBox>
    );
  }
  const { files, lines, steps, start } = describeSetup(recipe, connection);
  return (
    <>
      {lines !== null && (
        <CodeBox code={lines} what={words.copyNames.sample}>
          <h3>{words.shell}</h3>
        </CodeBox>
      )}
      {files.length > 0 && <h3>{words.files}</h3>}
      {files.map(({ path, text: code }) => (
        <CodeBox key={path} code={code} what={path}>
          <code>{path}</code>
        </CodeBox>
      ))}
      {steps.length > 0 && (
        <ul className="bullets">
          {steps.map((step) => (
            <li key={step}>
              <TextWithCode text={step} />
            </li>
          ))}
        </ul>
      )}
      {lines === null && (
        <p>
          {words.startWith} <code>{start}</code>
        </p>
      )}
    </>
  );
}

const EVERY_MS = 2_000;
const PATIENCE_MS = 300_000;

const FIRST_FAULT = 500;

function formatArrival({ code, status }: { readonly code: string | null; readonly status: number }): string {
  if (code === null) return words.arrived;
  return status < FIRST_FAULT ? words.arrivedRejected : words.arrivedFailed;
}

interface Calls {
  /** The key's latest call, even from before the page was opened. */
  readonly latest: CallRow | undefined;
  /** Whether the key has completed a call. */
  readonly isCompleted: boolean;
  /** Whether to stop waiting, because no call came for long. */
  readonly isOver: boolean;
  readonly waitAgain: () => void;
}

function useCalls(keyId: string): Calls {
  const [since, setSince] = useState(() => new Date().toISOString());
  const [isOver, setOver] = useState(false);
  const polling = isOver ? {} : { everyMs: EVERY_MS };
  const latest = useRead('listRequests', { query: { key_id: keyId, limit: 1 } }, polling).data?.data[0];
  const completed = useRead('listRequests', { query: { key_id: keyId, outcome: 'completed', limit: 1 } }, polling);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), Date.parse(since) + PATIENCE_MS - Date.now());
    return () => clearTimeout(timer);
  }, [since]);
  const waitAgain = () => {
    setOver(false);
    setSince(new Date().toISOString());
  };
  const isCompleted = (completed.data?.data.length ?? 0) > 0;
  return { latest, isCompleted, isOver, waitAgain };
}

function FirstCall({ latest: row, isOver, waitAgain }: Calls) {
  return (
    <>
      <div role="status">
        {row !== undefined ? (
          <p className="row">
            <State tone={row.code === null ? 'good' : 'bad'}>{formatArrival(row)}</State>
            <Time at={row.at} format="second" /> {row.model} <Money amount={row.charged} />{' '}
            {row.code !== null && <ErrorCode code={row.code} />}
          </p>
        ) : isOver ? (
          <p>{words.timedOut}</p>
        ) : (
          <State tone="neutral">{words.waiting}</State>
        )}
        {row !== undefined && !isOver && <p className="soft small">{words.waitingForNext}</p>}
      </div>
      {row !== undefined && (
        <p>
          <ButtonLink href={`/usage?range=30d&open=${row.request_id}`} kind="primary">
            {words.receipt}
          </ButtonLink>
        </p>
      )}
      {row === undefined && isOver && (
        <p>
          <Button onClick={waitAgain}>{words.waitAgain}</Button>
        </p>
      )}
      {row === undefined && (
        <details>
          <summary>{words.troubleshooting}</summary>
          <ul className="bullets">
            {words.commonCauses.map((mistake) => (
              <li key={mistake}>{mistake}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
