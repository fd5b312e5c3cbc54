/** The results of calls: conversations with one model or two side by side, their events, and their code. */
import { Button } from '../../../kit/button.tsx';
import { Segments } from '../../../kit/segments.tsx';
import { playground as words } from '../../../texts/playground.ts';
import { useRead } from '../../api.ts';
import type { Tab } from './frames.ts';
import { Events, Outcome, SampleCode } from './panels.tsx';
import { Transcript } from './transcript.tsx';
import type { Bench, Column } from './use-bench.ts';

export const views = ['answer', 'events', 'code'] as const;
export type View = (typeof views)[number];
const viewChoices = views.map((value) => ({ value, label: words.views[value] }));

export interface ResponsesProps {
  readonly tab: Tab;
  readonly bench: Bench;
  readonly view: View;
  readonly onView: (view: View) => void;
}

export function Responses({ tab, bench, view, onView }: ResponsesProps) {
  const { columns, isRunning, restart, setSecond } = bench;
  const [first, second] = columns;
  return (
    <section className="card stack" aria-label={words.response}>
      <div className="row apart">
        <Segments label={words.response} value={view} onChange={onView} choices={viewChoices} />
        <span className="row">
          {first && first.turns.length > 0 && !isRunning && (
            <Button onClick={restart}>{tab === 'images' ? words.clear : words.restart}</Button>
          )}
          {first && !second && <AddModel tab={tab} model={first.model} onAdd={setSecond} />}
        </span>
      </div>
      <div className="play-columns">
        {columns.map((column) => (
          <section key={column.place} className="stack wide" aria-label={column.model}>
            {second && <h2 className="play-model">{column.model}</h2>}
            <Content tab={tab} column={column} view={view} baseUrl={bench.baseUrl} />
          </section>
        ))}
      </div>
    </section>
  );
}

interface ContentProps {
  readonly tab: Tab;
  readonly column: Column;
  readonly view: View;
  readonly baseUrl: string;
}
function Content({ tab, column: { model, turns, next }, view, baseUrl }: ContentProps) {
  const run = turns.at(-1)?.run ?? null;
  if (view === 'answer') return <Transcript tab={tab} model={model} turns={turns} />;
  if (view === 'code') return <SampleCode sample={{ tab, body: run?.sent ?? next ?? {}, baseUrl }} />;
  return (
    <>
      {run && <Outcome run={run} />}
      <Events run={run} />
    </>
  );
}

interface AddModelProps {
  readonly tab: Tab;
  readonly model: string;
  readonly onAdd: (model: string) => void;
}
/** Starts with another model that the key can call. */
function AddModel({ tab, model, onAdd }: AddModelProps) {
  const models = useRead('listModels');
  const kind = tab === 'images' ? 'image' : 'text';
  const suggested = models.data?.data.find((one) => one.callable && one.kind === kind && one.id !== model)?.id ?? model;
  return (
    <Button icon="plus" onClick={() => onAdd(suggested)}>
      {words.addModel}
    </Button>
  );
}
