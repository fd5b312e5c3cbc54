/** The result of a call: its response, events, code, and cost. */
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../kit/button.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { ErrorCode } from '../../../kit/error-code.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { Empty, Loading } from '../../../kit/states.tsx';
import { CopiedId, Money, State as StateWord, type Tone } from '../../../kit/values.tsx';
import { findAdvice, playground as words } from '../../../texts/playground.ts';
import { type Form, listForms, type Sample, writeCode } from './code.ts';
import type { Fields } from './frames.ts';
import { Markdown } from './markdown.tsx';
import { useRead } from './paths.ts';
import { readAnswer } from './reading.ts';
import type { Run, RunState } from './run.ts';

const tones: Readonly<Record<RunState, Tone>> = { running: 'neutral', done: 'good', rejected: 'bad', broken: 'bad', stopped: 'warn' };

export function Outcome({ run }: { readonly run: Run }) {
  const { state, firstMs, totalMs, requestId, fault } = run;
  return (
    <div className="stack">
      <div className="row" role="status">
        <StateWord tone={tones[state]}>{words.states[state]}</StateWord>
        {firstMs !== null && <span className="soft">{`${words.firstEvent} ${firstMs} ms`}</span>}
        {totalMs !== null && <span className="soft">{`${words.total} ${totalMs} ms`}</span>}
        {requestId !== null && <CopiedId id={requestId} what={words.request} />}
      </div>
      {state === 'broken' && <Notice text={words.faults[fault === 'order' || fault === 'error' ? fault : 'cut']} />}
      {state === 'stopped' && <Notice text={words.stoppedNote} />}
      {state !== 'running' && state !== 'rejected' && requestId !== null && <Cost requestId={requestId} />}
    </div>
  );
}

const Notice = ({ text }: { readonly text: string }) => (
  <p className="notice warn row">
    <Icon name="warning" />
    {text}
  </p>
);

/** The call's receipt, if anything was charged. */
function Cost({ requestId }: { readonly requestId: string }) {
  const receipt = useRead('getUsage', { params: { request_id: requestId } });
  if (receipt.error) return <p className="soft">{receipt.error.status === 404 ? words.noReceipt : receipt.error.message}</p>;
  if (!receipt.data) return null;
  const { state, charged, tokens } = receipt.data;
  if (state === 'held')
    return (
      <p className="row soft">
        {words.stillInFlight} <Button onClick={() => void receipt.refetch()}>{words.refresh}</Button>
      </p>
    );
  const sum =
    tokens && words.tokens((tokens.input + tokens.cached_input + tokens.cache_write).toLocaleString(), tokens.output.toLocaleString());
  return (
    <div className="row play-charge">
      <details className="play-cost">
        <summary>
          {words.charged} <Money amount={charged} /> {sum !== null && <span className="soft">· {sum}</span>}
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys. */}
        <pre className="code" tabIndex={0}>
          {JSON.stringify(receipt.data, null, 2)}
        </pre>
      </details>
      <Link href={`/usage?open=${requestId}`}>{words.receipt}</Link>
    </div>
  );
}

export function Answer({ run }: { readonly run: Run }) {
  if (run.state === 'rejected') return <Refusal run={run} />;
  const { text, reasoning, calls, images } = readAnswer(run);
  const isEmpty = text === '' && calls.length === 0 && images.length === 0;
  if (isEmpty && run.state === 'running') return <Loading rows={4} />;
  const error = run.frames.find(({ data }) => data?.error != null)?.data?.error;
  return (
    <div className="stack wide" aria-busy={run.state === 'running' || undefined}>
      {reasoning !== '' && (
        <details>
          <summary>{words.reasoning}</summary>
          <Markdown text={reasoning} />
        </details>
      )}
      {text !== '' && <Markdown text={text} />}
      {calls.map(({ name, input }, index) => (
        <Code key={`${index} ${name}`} text={`${name}(${input})`} />
      ))}
      {images.map((url, index) => (
        <figure key={`${index} ${url.length}`} className="play-image">
          <img src={url} alt={words.image(index + 1)} />
          <figcaption>
            <a className="button plain" href={url} download={`image-${index + 1}`}>
              {words.download}
            </a>
          </figcaption>
        </figure>
      ))}
      {isEmpty && <p className="soft">{words.noText}</p>}
      {error !== undefined && <Code text={JSON.stringify(error, null, 2)} />}
    </div>
  );
}

const Code = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys.
  <pre className="code" tabIndex={0}>
    {text}
  </pre>
);

/** Errors from this status on aren't the caller's. */
const FIRST_FAULT = 500;

function Refusal({ run: { whole, status, retryAfter } }: { readonly run: Run }) {
  // `as`: every field is checked before use.
  const error = (whole?.error ?? {}) as Fields;
  const advice = findAdvice(String(error.code ?? ''));
  return (
    <div className="failed" role="alert">
      <Icon name="warning" />
      <div className="stack">
        <p>
          <strong>{status < FIRST_FAULT ? words.callRejected : words.callFailed}.</strong> {String(error.message ?? status)}
        </p>
        <dl className="play-why">
          {typeof error.code === 'string' && <Why name={words.errorCode} value={<ErrorCode code={error.code} />} />}
          {advice && <Why name={words.rule} value={advice.rule} />}
          {advice && <Why name={words.howToFix} value={retryAfter === null ? advice.change : `${advice.change} (${retryAfter} s)`} />}
          {typeof error.param === 'string' && <Why name={words.field} value={error.param} />}
        </dl>
        <p className="soft">{words.errorObject}</p>
        <Code text={JSON.stringify(whole, null, 2)} />
      </div>
    </div>
  );
}
const Why = ({ name, value }: { readonly name: string; readonly value: ReactNode }) => (
  <div>
    <dt className="soft">{name}</dt>
    <dd>{value}</dd>
  </div>
);

export function Events({ run }: { readonly run: Run | null }) {
  const [filter, setFilter] = useState('');
  if (run === null || run.frames.length === 0) return <Empty title={run === null ? words.empty : words.noEvents} />;
  const shown = run.frames.filter(({ type }) => type.includes(filter.trim()));
  const raw = run.frames.map((frame) => `${frame.raw}\n\n`).join('');
  const isOver = run.state === 'done' || run.state === 'broken';
  return (
    <div className="stack">
      <div className="row">
        <input
          className="input play-filter"
          aria-label={words.filter}
          placeholder={words.filter}
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <span className="soft">{words.events(shown.length)}</span>
        {isOver && (
          <StateWord tone={run.state === 'done' ? 'good' : 'bad'}>{run.state === 'done' ? words.orderValid : words.orderInvalid}</StateWord>
        )}
        <Copy text={raw} what={words.copyNames.events} />
        <a className="button plain" download="events.sse" href={`data:text/event-stream;charset=utf-8,${encodeURIComponent(raw)}`}>
          {words.download}
        </a>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys. */}
      <ol className="play-events" tabIndex={0}>
        {shown.map(({ raw: text, at, type }, index) => (
          <li key={`${index} ${at}`}>
            <span className="number soft">+{at} ms</span> <strong>{type}</strong>
            <pre>{text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}</pre>
          </li>
        ))}
      </ol>
    </div>
  );
}
/** An image in an event has millions of characters. Copy and download contain all of them. */
const MAX_SHOWN = 4_000;

export function SampleCode({ sample }: { readonly sample: Sample }) {
  const [chosen, setChosen] = useState<Form>('curl');
  const forms = listForms(sample.tab);
  const form = forms.includes(chosen) ? chosen : 'curl';
  const text = writeCode(form, sample);
  return (
    <div className="stack">
      <div className="row apart">
        <fieldset className="segments play-forms">
          <legend className="hidden">{words.codeLanguage}</legend>
          {forms.map((one) => (
            <button key={one} type="button" aria-pressed={form === one} onClick={() => setChosen(one)}>
              {words.forms[one]}
            </button>
          ))}
        </fieldset>
        <Copy text={text} what={words.copyNames.code} />
      </div>
      <Code text={text} />
      <p className="soft small">{words.codeHint}</p>
    </div>
  );
}
