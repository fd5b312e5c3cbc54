/** The turns with one model, newest last: the request, the response, and its cost. */
import { useEffect, useRef } from 'react';
import { Empty } from '../../../kit/states.tsx';
import { playground as words } from '../../../texts/playground.ts';
import { getPrompt, type Turn } from './conversation.ts';
import type { Tab } from './frames.ts';
import { Answer, Outcome } from './panels.tsx';

export interface TranscriptProps {
  readonly tab: Tab;
  /** Turns with another model show its name. */
  readonly model: string;
  readonly turns: readonly Turn[];
}
export function Transcript({ tab, model, turns }: TranscriptProps) {
  const last = useRef<HTMLLIElement>(null);
  const count = turns.length;
  useEffect(() => {
    if (count > 1) last.current?.scrollIntoView({ block: 'nearest' });
  }, [count]);
  if (count === 0) return <Empty title={words.empty} />;
  return (
    <ol className="play-turns">
      {turns.map(({ body, run }, index) => (
        <li key={index} ref={index === count - 1 ? last : undefined} className="stack wide">
          <p className="play-prompt">
            <span className="hidden">{words.you}</span> {getPrompt(tab, body)}
          </p>
          {body.model !== model && <p className="soft small">{words.answeredBy(String(body.model))}</p>}
          <Answer run={run} />
          <Outcome run={run} />
        </li>
      ))}
    </ol>
  );
}
