/** What `modelgate serve` prints when it is ready: the address, the key at the first start, and two samples to paste. */
import type { Config } from '../config/config.ts';
import { dataHint } from './location.ts';
import type { SetupTokens } from './setup-tokens.ts';

export interface BannerFacts {
  readonly version: string;
  readonly config: Config;
  /** The working directory. */
  readonly folder: string;
  /** The origin that works from this machine, without a path. */
  readonly origin: string;
  /** The origin of the admin API; undefined when it is off. */
  readonly adminOrigin: string | undefined;
  /** The address of the metrics; undefined when they are off. */
  readonly metricsOrigin?: string | undefined;
  /** Only at the first start. */
  readonly firstKey: string | undefined;
  /** Only at the first start. */
  readonly setUp?: SetupTokens | undefined;
  /** Marks a heading; does nothing when the output is not a terminal. */
  readonly emphasize: (text: string) => string;
}

/** How to call the other commands: from the installed package, or from a checkout. */
const PROGRAM = import.meta.url.includes('/node_modules/') ? 'npx modelgate' : 'npm run modelgate --';

export function writeBanner(facts: BannerFacts): string {
  const { version, config, folder, origin, adminOrigin, metricsOrigin, firstKey, emphasize } = facts;
  const hint = dataHint(config.data, folder);
  const baseUrl = `${origin}/v1`;
  const sample = sampleFor(config);
  const rows = [
    ['Base URL', baseUrl],
    ['API key', keyText(hint, firstKey)],
    ['Docs', `${origin}/docs`],
    ...pageRows(facts),
    ...(adminOrigin === undefined ? [] : [['Admin API', `${adminOrigin}/admin/docs   (a key for it: ${PROGRAM} admin-key create${hint})`]]),
    ...(metricsOrigin === undefined ? [] : [['Metrics', `${metricsOrigin}/metrics`]]),
    ...upstreamRows(config),
    ['Data', config.data],
  ];
  return [
    emphasize(`Modelgate ${version}`),
    '',
    ...rows.map(([name = '', text = '']) => `  ${emphasize(name.padEnd(10))} ${text}`),
    '',
    emphasize('Try it with curl:'),
    '',
    `  ${curlLine({ baseUrl, firstKey, sample })}`,
    '',
    emphasize('or with the OpenAI SDK (npm install openai; hello.mjs):'),
    '',
    ...sdkLines({ baseUrl, firstKey, sample }).map((line) => `  ${line}`),
    '',
    '',
  ].join('\n');
}

const ONCE = '   (opens signed in: once, within 15 minutes)';

function pageRows(facts: BannerFacts): string[][] {
  const { console: operators, portal } = pageLinks(facts);
  const note = facts.setUp === undefined ? '' : ONCE;
  return [...(portal === null ? [] : [['Portal', portal + note]]), ...(operators === null ? [] : [['Console', operators + note]])];
}

/** Null where the pages are turned off. The token stands behind `#`, so that no server and no log sees it. */
function pageLinks({ config: { pages }, origin, adminOrigin, setUp }: BannerFacts): Record<'console' | 'portal', string | null> {
  const hash = (token: string | undefined): string => (token === undefined ? '' : `#setup=${token}`);
  return {
    console: pages.console && adminOrigin !== undefined ? `${adminOrigin}/console/${hash(setUp?.console)}` : null,
    portal: pages.portal ? `${origin}/portal/${hash(setUp?.portal)}` : null,
  };
}

/** The same for programs, as one line of JSON. */
export function writeReadyLine(facts: BannerFacts): string {
  const { version, origin, adminOrigin, metricsOrigin, firstKey } = facts;
  const links = pageLinks(facts);
  const line = {
    baseUrl: `${origin}/v1`,
    // Null when the key was shown at an earlier start: it cannot be shown again.
    apiKey: firstKey ?? null,
    pid: process.pid,
    version,
    adminUrl: adminOrigin ?? null,
    metricsUrl: metricsOrigin === undefined ? null : `${metricsOrigin}/metrics`,
    consoleUrl: links.console,
    portalUrl: links.portal,
  };
  return `${JSON.stringify(line)}\n`;
}

function keyText(hint: string, firstKey: string | undefined): string {
  if (firstKey !== undefined) return `${firstKey}   (keep it: it is shown only once)`;
  return `your key was shown at the first start; create another: ${PROGRAM} key create${hint}`;
}

function upstreamRows({ upstreams, tape }: Config): string[][] {
  if (tape?.kind === 'replay') return [['Upstream', `replay: the answers are those recorded in ${tape.folder}`]];
  const kept = tape ? [['Recording', tape.folder]] : [];
  return [...kept, ...rowsOf(upstreams)];
}

function rowsOf(upstreams: Config['upstreams']): string[][] {
  return Object.values(upstreams).flatMap((upstream) =>
    upstream.kind !== 'simulator'
      ? [['Upstream', `${upstream.name} at ${upstream.baseUrl}`]]
      : [
          ['Upstream', `${upstream.name}: SIMULATOR. A built-in program makes up the answers; there is no model behind it.`],
          ['', 'For real models set OPENAI_API_KEY, or name upstreams in modelgate.yaml.'],
        ],
  );
}

/** A call of a model that the catalog has. */
interface Sample {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly call: string;
  readonly print: string;
}

const GREETING = 'Say hello.';

function sampleFor({ models }: Config): Sample {
  const chat = models.find(({ protocols }) => protocols.includes('chat'));
  if (chat !== undefined) {
    const body = { model: chat.id, messages: [{ role: 'user', content: GREETING }] };
    return { path: '/chat/completions', body, call: 'chat.completions.create', print: 'answer.choices[0].message.content' };
  }
  const responses = models.find(({ protocols }) => protocols.includes('responses'));
  if (responses !== undefined) {
    return { path: '/responses', body: { model: responses.id, input: GREETING }, call: 'responses.create', print: 'answer.output_text' };
  }
  return { path: '/models', body: undefined, call: 'models.list', print: 'answer.data' };
}

interface SampleFacts {
  readonly baseUrl: string;
  readonly firstKey: string | undefined;
  readonly sample: Sample;
}

function curlLine({ baseUrl, firstKey, sample }: SampleFacts): string {
  const call = `curl ${baseUrl}${sample.path} -H "Authorization: Bearer ${firstKey ?? '$MODELGATE_API_KEY'}"`;
  return sample.body === undefined ? call : `${call} -H "Content-Type: application/json" -d '${JSON.stringify(sample.body)}'`;
}

function sdkLines({ baseUrl, firstKey, sample }: SampleFacts): string[] {
  const key = firstKey === undefined ? 'process.env.MODELGATE_API_KEY' : `'${firstKey}'`;
  return [
    "import OpenAI from 'openai';",
    `const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: ${key} });`,
    `const answer = await client.${sample.call}(${sample.body === undefined ? '' : JSON.stringify(sample.body)});`,
    `console.log(${sample.print});`,
  ];
}
