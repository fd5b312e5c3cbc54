/** The playground's state: the body, the conversation with each model, and the actions. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PortalSession } from '../../../../../../contract/portal/index.ts';
import { SESSION_KEY } from '../../../data/queries.ts';
import { playground as words } from '../../../texts/playground.ts';
import { composeBody, getPrompt, hasEmptyPrompt, setPrompt, type Turn } from './conversation.ts';
import { type Fields, parseFields, type Tab } from './frames.ts';
import { readForm, saveForm } from './saved.ts';
import { useConversation } from './use-conversation.ts';

/** A model with its turns. */
export interface Column {
  readonly place: 'first' | 'second';
  readonly model: string;
  readonly turns: readonly Turn[];
  /** The body of the next call. Null while the JSON isn't valid. */
  readonly next: Fields | null;
}

export interface BenchOptions {
  readonly tab: Tab;
  /** The form's initial model. Empty to use the model of the last visit. */
  readonly model: string;
  /** The second model. Empty without one. */
  readonly other: string;
  readonly onOther: (model: string) => void;
  /** From now on, the form counts instead of the URL. */
  readonly onEdit: () => void;
}

const format = (body: Fields): string => JSON.stringify(body, null, 2);

/** The body's text, saved for the next visit. */
function useBody({ tab, model, onEdit }: BenchOptions) {
  const session = useQueryClient().getQueryData<PortalSession>(SESSION_KEY);
  const owner = session?.key.id ?? '';
  const [text, setText] = useState(() => readForm(owner, tab, model));
  const replace = (change: (now: string) => string) =>
    setText((now) => {
      const next = change(now);
      saveForm(owner, tab, next);
      return next;
    });
  return {
    baseUrl: session?.base_url ?? `${location.origin}/v1`,
    text,
    body: parseFields(text),
    write: (next: string) => {
      replace(() => next);
      onEdit();
    },
    /** After its response, a message is cleared for the next one, unless it was edited since. */
    clearPrompt: (answered: string) =>
      replace((now) => {
        const current = parseFields(now);
        return current && getPrompt(tab, current) === answered ? format(setPrompt(tab, current, '')) : now;
      }),
  };
}

export function useBench(options: BenchOptions) {
  const { tab, other, onOther } = options;
  const { clearPrompt, ...form } = useBody(options);
  const { body, write } = form;
  const [second, setSecond] = useState(other === '' ? null : other);
  const conversations = { first: useConversation(tab, 'first'), second: useConversation(tab, 'second') };
  const both = [conversations.first, conversations.second];
  const toColumn = (place: Column['place'], name: string): Column => {
    const { turns } = conversations[place];
    return { place, model: name, turns, next: body && composeBody(tab, { ...body, ...(place === 'second' && { model: name }) }, turns) };
  };
  const refusal = body === null ? words.invalidJson : hasEmptyPrompt(tab, body) ? words.emptyPrompt : undefined;
  const isRunning = both.some((one) => one.isRunning);
  return {
    ...form,
    columns: [toColumn('first', String(body?.model ?? '')), ...(second === null ? [] : [toColumn('second', second)])],
    isRunning,
    refusal,
    change: (changes: Fields) => write(format({ ...body, ...changes })),
    /** Whether a call was made. */
    begin: () => {
      if (body === null || refusal !== undefined || isRunning) return false;
      const onDone = () => clearPrompt(getPrompt(tab, body));
      conversations.first.start(body, onDone);
      if (second !== null) conversations.second.start({ ...body, model: second }, onDone);
      return true;
    },
    stop: () => {
      for (const { stop } of both) stop();
    },
    restart: () => {
      const [opening] = conversations.first.turns;
      for (const { replace } of both) replace([]);
      if (body && opening && hasEmptyPrompt(tab, body)) write(format(setPrompt(tab, body, getPrompt(tab, opening.body))));
    },
    /** Sets the second model, which continues from the same turns. Null removes it. */
    setSecond: (name: string | null) => {
      const isNew = second === null && tab !== 'images';
      if (isNew) conversations.second.replace(conversations.first.turns.filter(({ run }) => run.state !== 'running'));
      if (name === null) conversations.second.stop();
      setSecond(name);
      onOther(name ?? '');
    },
  };
}
export type Bench = ReturnType<typeof useBench>;
