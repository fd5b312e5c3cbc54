/** The request: as a form, as JSON, and its maximum cost with each model. */
import { Button, IconButton } from '../../../kit/button.tsx';
import { playground as words } from '../../../texts/playground.ts';
import { Ceiling } from './ceiling.tsx';
import { Area, ModelField, RequestForm } from './form.tsx';
import type { Tab } from './frames.ts';
import type { Bench } from './use-bench.ts';

export interface RequestProps {
  readonly tab: Tab;
  readonly bench: Bench;
  readonly onRun: () => void;
}

export function Request({ tab, bench, onRun }: RequestProps) {
  const { text, body, columns, isRunning, refusal, write, change, stop, setSecond } = bench;
  const hasTurns = columns.some(({ turns }) => turns.length > 0);
  return (
    <section className="card stack play-request" aria-label={words.request}>
      {body && (
        <RequestForm tab={tab} body={body} onChange={change}>
          {columns[1] && (
            <div className="play-second">
              <ModelField tab={tab} label={words.secondModel} value={columns[1].model} onChange={setSecond} />
              <IconButton label={words.removeModel} icon="close" onClick={() => setSecond(null)} />
            </div>
          )}
        </RequestForm>
      )}
      <div className="row play-run">
        <Button kind="primary" icon="start" onClick={onRun} isBusy={isRunning} refusal={refusal}>
          {words.run}
        </Button>
        {isRunning && <Button onClick={stop}>{words.stop}</Button>}
        <span className="soft small play-hint">{words.runHint}</span>
      </div>
      {columns.map(
        ({ place, model, turns, next }) =>
          next && (
            <Ceiling
              key={place}
              tab={tab}
              model={columns.length > 1 ? model : null}
              body={refusal === undefined ? next : null}
              after={isRunning ? null : (turns.at(-1)?.run.requestId ?? null)}
            />
          ),
      )}
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
        <p className="soft small">{hasTurns && tab !== 'images' ? words.jsonHintLater : words.jsonHint}</p>
      </details>
      <p className="soft small">{words.intro}</p>
    </section>
  );
}
