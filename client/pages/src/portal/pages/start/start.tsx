/** Start: base URL, key, a sample for the tool at hand, and the first call as soon as it has come. */
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { describeSetup } from '../../../../../connect/recipes/document.ts';
import { writeCurl } from '../../../../../connect/recipes/programs.ts';
import type { Connection } from '../../../../../connect/recipes/recipe.ts';
import { recipes } from '../../../../../connect/recipes/tools.ts';
import { createEnumField, text, useUrlState } from '../../../data/url-state.ts';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { CodeBox, Copy } from '../../../kit/copy.tsx';
import { ErrorCode } from '../../../kit/error-code.tsx';
import { SelectField } from '../../../kit/form.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { CopiedId, Money, State, TextWithCode, Time } from '../../../kit/values.tsx';
import { catalog } from '../../../texts/portal-catalog.ts';
import { start as words } from '../../../texts/portal-start.ts';
import { useRead } from '../../api.ts';
import { findConnection } from '../../samples.ts';

const toolIds: readonly string[] = ['curl', ...recipes.map(({ id }) => id)];
const toolOptions = [{ value: 'curl', label: 'curl' }, ...recipes.map(({ id, name }) => ({ value: id, label: name }))];
const fields = { tool: createEnumField(toolIds, 'curl'), model: text } as const;
const VARIABLE = 'export MODELGATE_API_KEY=mg-…';

export function Start() {
  const session = useRead('getSession');
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
      </div>
      <Loaded of={session} rows={6}>
        {({ base_url: baseUrl, key }) => (
          <>
            <section className="card stack">
              <h2>{words.baseUrl}</h2>
              <CopiedId id={baseUrl} what={words.copyNames.baseUrl} />
              <p className="soft small">{words.baseUrlHint}</p>
            </section>
            <section className="card stack">
              <h2>{words.key}</h2>
              <div className="row apart">
                <code>{VARIABLE}</code>
                <Copy text={VARIABLE} what={words.copyNames.key} />
              </div>
              <p className="soft small">{words.keyHint(key.last_four)}</p>
            </section>
            <ToolPicker baseUrl={baseUrl} />
            <FirstCall keyId={key.id} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function ToolPicker({ baseUrl }: { readonly baseUrl: string }) {
  const [{ tool, model }, set] = useUrlState(fields);
  const models = useRead('listModels');
  return (
    <section className="card stack">
      <h2>{words.tool}</h2>
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
    </section>
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

/** The latest call of the key, also one from before the page was opened. */
function FirstCall({ keyId }: { readonly keyId: string }) {
  const [since, setSince] = useState(() => new Date().toISOString());
  const [isOver, setOver] = useState(false);
  const query = { key_id: keyId, limit: 1 };
  const calls = useRead('listRequests', { query }, isOver ? {} : { everyMs: EVERY_MS });
  const row = calls.data?.data[0];
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), Date.parse(since) + PATIENCE_MS - Date.now());
    return () => clearTimeout(timer);
  }, [since]);
  const waitAgain = () => {
    setOver(false);
    setSince(new Date().toISOString());
  };
  return (
    <section className="card stack">
      <h2>{words.firstCall}</h2>
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
          <ButtonLink href={`/usage?open=${row.request_id}`} kind="primary">
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
    </section>
  );
}
