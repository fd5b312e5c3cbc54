/** Shown before the first call: three steps with commands to copy. */
import { ButtonLink } from '../../../kit/button.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { State } from '../../../kit/values.tsx';
import { overview } from '../../../texts/overview.ts';
import { useRead } from '../../api.ts';

const { steps: words } = overview;

const commands = {
  upstream: 'modelgate config check',
  key: 'modelgate key create --account default --name first',
  call: (address: string, model: string) => `curl ${address}/v1/chat/completions \\
  -H "authorization: Bearer $MODELGATE_API_KEY" -H "content-type: application/json" \\
  -d '{"model":"${model}","messages":[{"role":"user","content":"Hello."}]}'`,
} as const;

/** The gateway's public URL, or its port on this machine. */
function useAddress(): string {
  const { entries = [] } = useRead('getConfig', { query: { under: 'server' } }).data ?? {};
  const find = (name: string) => entries.find(({ key }) => key === `server.${name}`)?.value;
  return find('publicUrl') ?? `http://127.0.0.1:${find('port') ?? '8080'}`;
}

export function FirstStart({ keys }: { readonly keys: number }) {
  const upstreams = useRead('listUpstreams').data?.data.filter(({ kind }) => kind !== 'simulator') ?? [];
  const model = useRead('listModels').data?.data.find(({ kind }) => kind === 'text')?.id ?? 'gpt-5.4';
  const call = commands.call(useAddress(), model);
  return (
    <section className="card stack wide" aria-label={words.title}>
      <h2>{words.title}</h2>
      <ol className="steps">
        <li className="stack">
          <h3>{words.upstream}</h3>
          {upstreams.length > 0 ? (
            <State tone="good">{words.upstreamDone(upstreams.length)}</State>
          ) : (
            <>
              <p className="soft">{words.upstreamText}</p>
              <Command text={commands.upstream} what={words.upstream} />
            </>
          )}
        </li>
        <li className="stack">
          <h3>{words.key}</h3>
          {keys > 0 ? (
            <State tone="good">{words.keyDone(keys)}</State>
          ) : (
            <>
              <p className="soft">{words.keyText}</p>
              <Command text={commands.key} what={words.key} />
            </>
          )}
          <p>
            <ButtonLink href="/keys?dialog=create" kind={keys > 0 ? 'plain' : 'primary'}>
              {words.createKey}
            </ButtonLink>
          </p>
        </li>
        <li className="stack">
          <h3>{words.call}</h3>
          <p className="soft">{words.callText}</p>
          <Command text={call} what={words.call} />
        </li>
      </ol>
    </section>
  );
}

const Command = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <div className="secret plain row">
    <code className="command">{text}</code>
    <Copy text={text} what={what} />
  </div>
);
