/** Shows what a form will send, as an API call and as a command line to copy. Secrets are variables. */
import { useState } from 'react';
import { kit } from '../texts/kit.ts';
import { CodeBox } from './copy.tsx';

export interface SameAsProps {
  readonly method: string;
  /** The path with its parameters: `/admin/v1/keys`. */
  readonly path: string;
  readonly body?: unknown;
  /** Arguments after `modelgate`. Omit if no command does the same. */
  readonly command?: readonly string[];
}

const isPlain = /^[\w./:@=,+*-]+$/;
/** Quotes a word for a shell. */
const quote = (word: string): string => (isPlain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

export function formatCurl({ method, path, body }: SameAsProps, origin: string): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(`${origin}${path}`)}`,
    '-H "authorization: Bearer $MODELGATE_ADMIN_KEY"',
  ];
  if (body !== undefined) lines.push("-H 'content-type: application/json'", `-d ${quote(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}
export const formatCommand = (words: readonly string[]): string => ['modelgate', ...words].map(quote).join(' ');

export function SameAs(props: SameAsProps) {
  const [shown, setShown] = useState<'api' | 'cli'>('api');
  const { command } = props;
  const title = command ? kit.equivalentCallAndCommand : kit.equivalentCall;
  const text = shown === 'cli' && command ? formatCommand(command) : formatCurl(props, location.origin);
  const tabs = [
    { id: 'api', label: kit.apiCall },
    { id: 'cli', label: kit.commandLine },
  ] as const;
  return (
    <details className="same-as">
      <summary>{title}</summary>
      <CodeBox code={text} what={shown === 'api' ? kit.apiCall : kit.commandLine}>
        <fieldset className="segments">
          <legend className="hidden">{title}</legend>
          {(command ? tabs : tabs.slice(0, 1)).map(({ id, label }) => (
            <button key={id} type="button" aria-pressed={shown === id} onClick={() => setShown(id)}>
              {label}
            </button>
          ))}
        </fieldset>
      </CodeBox>
    </details>
  );
}
