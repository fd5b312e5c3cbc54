/** The playground: a request as form and JSON on one side, the conversation with one or two models on the other. */
import { useEffect } from 'react';
import { text as anyText, createEnumField, useUrlState } from '../../../data/url-state.ts';
import { Segments } from '../../../kit/segments.tsx';
import { playground as words } from '../../../texts/playground.ts';
import type { Tab } from './frames.ts';
import './playground.css';
import { Request } from './request.tsx';
import { Responses, type View, views } from './responses.tsx';
import { type BenchOptions, useBench } from './use-bench.ts';

const tabs = ['responses', 'chat', 'images'] as const;
/** `with`: the second model. */
const fields = { tab: createEnumField(tabs, 'responses'), view: createEnumField(views, 'answer'), model: anyText, with: anyText } as const;

export function Playground() {
  const [{ tab, view, model, with: other }, setState] = useUrlState(fields);
  const choose = (next: Tab) => setState({ tab: next, ...(isImageTab(next) !== isImageTab(tab) && { model: '', with: '' }) });
  return (
    <div className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <Segments label={words.operations} value={tab} onChange={choose} choices={tabChoices} />
      </div>
      <BenchView
        key={tab}
        tab={tab}
        model={model}
        other={other}
        view={view}
        onView={(next) => setState({ view: next })}
        onOther={(next) => setState({ with: next }, { replace: true })}
        onEdit={() => model !== '' && setState({ model: '' }, { replace: true })}
      />
    </div>
  );
}

const tabChoices = tabs.map((value) => ({ value, label: words.tabs[value] }));

/** A text model can't generate images. */
const isImageTab = (tab: Tab): boolean => tab === 'images';

interface BenchViewProps extends BenchOptions {
  readonly view: View;
  readonly onView: (view: View) => void;
}
function BenchView({ view, onView, ...options }: BenchViewProps) {
  const bench = useBench(options);
  const run = () => {
    if (bench.begin() && view === 'code') onView('answer');
  };
  useShortcut(run);
  return (
    <div className={bench.columns.length > 1 ? 'play two' : 'play'}>
      <Request tab={options.tab} bench={bench} onRun={run} />
      <Responses tab={options.tab} bench={bench} view={view} onView={onView} />
    </div>
  );
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
