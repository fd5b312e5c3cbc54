/** The playground: a request as form and as JSON on one side, what came of it on the other. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { PortalSession } from '../../../../../../contract/portal/index.ts';
import { SESSION_KEY } from '../../../data/queries.ts';
import { text as anyText, createEnumField, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { playground as words } from '../../../texts/playground.ts';
import { Ceiling } from './ceiling.tsx';
import { Area, RequestForm } from './form.tsx';
import { type Fields, parseFields, type Tab } from './frames.ts';
import { Answer, Events, Outcome, SampleCode } from './panels.tsx';
import './playground.css';
import { createRun, executeRun, type Run } from './run.ts';
import { readForm, saveForm } from './saved.ts';

const tabs = ['responses', 'chat', 'images'] as const;
const views = ['answer', 'events', 'code'] as const;
const fields = { tab: createEnumField(tabs, 'responses'), view: createEnumField(views, 'answer'), model: anyText } as const;

export function Playground() {
  const [{ tab, view, model }, setState] = useUrlState(fields);
  const choose = (next: Tab) => setState({ tab: next, ...(isImageTab(next) !== isImageTab(tab) && { model: '' }) });
  return (
    <div className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <Segments legend={words.operations} of={tabs} names={words.tabs} chosen={tab} onChoose={choose} />
      </div>
      <Bench
        key={tab}
        tab={tab}
        model={model}
        view={view}
        onView={(next) => setState({ view: next })}
        onEdit={() => model !== '' && setState({ model: '' }, { replace: true })}
      />
    </div>
  );
}

/** A text model can't generate images. */
const isImageTab = (tab: Tab): boolean => tab === 'images';

interface SegmentsProps<Name extends string> {
  readonly legend: string;
  readonly of: readonly Name[];
  readonly names: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}
const Segments = <Name extends string>({ legend, of, names, chosen, onChoose }: SegmentsProps<Name>) => (
  <fieldset className="segments">
    <legend className="hidden">{legend}</legend>
    {of.map((name) => (
      <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
        {names[name]}
      </button>
    ))}
  </fieldset>
);

interface BenchProps {
  readonly tab: Tab;
  readonly view: (typeof views)[number];
  readonly onView: (view: (typeof views)[number]) => void;
  /** The model that the form begins with; empty: the one of the last visit. */
  readonly model: string;
  /** The form counts from now on, and not the address. */
  readonly onEdit: () => void;
}
function Bench({ tab, model, view, onView, onEdit }: BenchProps) {
  const session = useQueryClient().getQueryData<PortalSession>(SESSION_KEY);
  const holder = session?.key.id ?? '';
  const [text, setText] = useState(() => readForm(holder, tab, model));
  const { run, start, stop } = useRun(tab);
  const body = parseFields(text);
  const write = (next: string) => {
    setText(next);
    saveForm(holder, tab, next);
    onEdit();
  };
  const isRunning = run?.state === 'running';
  const begin = () => {
    if (body === null || isRunning) return;
    start(body);
    if (view === 'code') onView('answer');
  };
  useShortcut(begin);
  return (
    <div className="play">
      <section className="card stack" aria-label={words.request}>
        {body && <RequestForm tab={tab} body={body} onChange={(changes) => write(JSON.stringify({ ...body, ...changes }, null, 2))} />}
        <details open={body === null || undefined}>
          <summary>{words.json}</summary>
          <Area
            label={words.json}
            name="body"
            rows={10}
            value={text}
            onChange={write}
            complaint={body === null ? words.invalidJson : undefined}
          />
          <p className="soft small">{words.jsonHint}</p>
        </details>
        <div className="row play-run">
          <Button kind="primary" icon="start" onClick={begin} isBusy={isRunning} refusal={body === null ? words.invalidJson : undefined}>
            {words.run}
          </Button>
          {isRunning && <Button onClick={stop}>{words.stop}</Button>}
          <span className="soft small">{words.runHint}</span>
        </div>
        {body && <Ceiling tab={tab} body={body} after={run === null || isRunning ? null : run.requestId} />}
        <p className="soft small">{words.intro}</p>
      </section>
      <section className="card stack" aria-label={words.response}>
        <Segments legend={words.response} of={views} names={words.views} chosen={view} onChoose={onView} />
        {run && view !== 'code' && <Outcome run={run} />}
        {view === 'answer' && <Answer run={run} />}
        {view === 'events' && <Events run={run} />}
        {view === 'code' && (
          <SampleCode sample={{ tab, body: run?.sent ?? body ?? {}, baseUrl: session?.base_url ?? `${location.origin}/v1` }} />
        )}
      </section>
    </div>
  );
}

/** One call at a time; leaving the page stops it. */
function useRun(tab: Tab) {
  const [run, setRun] = useState<Run | null>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const start = (body: Fields) => {
    leaving.current?.abort();
    const here = new AbortController();
    leaving.current = here;
    const first = createRun(tab, body);
    setRun(first);
    void executeRun(first, here.signal, (next) => leaving.current === here && setRun(next));
  };
  return { run, start, stop: () => leaving.current?.abort() };
}

function useShortcut(begin: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      begin();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}
