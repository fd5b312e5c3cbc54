/** Writes the message that a channel sends, in the format of the channel: an alert that opened or was resolved, or a test. */
import type { AlertKind } from '../../config/schema-alerts.ts';
import { getAlertTarget } from './alert-target.ts';
import type { Channel } from './channels.ts';
import type { AlertEvent, NewAlert } from './store.ts';

type Format = Channel['format'];
type SentAlert = NewAlert & { readonly resolvedAt: number | null };

/** What people read, in every format except `standard`. */
interface Notice {
  readonly title: string;
  readonly text: string;
  readonly tone: 'bad' | 'good';
  readonly links: readonly (readonly [title: string, url: string])[];
}

/** A mail, as it waits in the outbox. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
}

const kindTitles: Readonly<Record<AlertKind, string>> = {
  balance_low: 'Low balance',
  cap_used: 'Spending cap',
  upstream_unavailable: 'Upstream unavailable',
  ledger_mismatch: 'Ledger mismatch',
};

const formatTime = (at: number): string => new Date(at).toISOString();

/** `publicUrl`: the console's address for browsers. Without it, messages have no links. */
export function writeAlertMessage(format: Format, event: AlertEvent, alert: SentAlert, publicUrl?: string): string {
  const { kind, subject, name, message } = alert;
  const [consoleUrl, guideUrl] = getLinks(publicUrl, getConsolePath(alert), `#${kind}`);
  if (format === 'standard') return writeStandardAlert(event, alert, { consoleUrl, guideUrl });
  const about = name ?? subject;
  const title = `${event === 'resolved' ? 'Resolved: ' : ''}${kindTitles[kind]}${about === '' ? '' : `: ${about}`}`;
  return writeNotice(format, {
    title,
    text: toReadableTimes(message),
    tone: event === 'resolved' ? 'good' : 'bad',
    links: toLinks(consoleUrl, guideUrl),
  });
}

/** `2026-11-29T01:05:42.443Z` becomes `2026-11-29 01:05 UTC`. */
const toReadableTimes = (text: string): string => text.replaceAll(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z/g, '$1 $2 UTC');

const TEST_TEXT = 'This is a test message. No action is needed.';

export function writeTestMessage({ format, name }: Pick<Channel, 'format' | 'name'>, at: number, publicUrl?: string): string {
  if (format === 'standard')
    return JSON.stringify({ type: 'webhook.test', timestamp: formatTime(at), data: { webhook: name, message: TEST_TEXT } });
  return writeNotice(format, {
    title: 'Test message',
    text: TEST_TEXT,
    tone: 'good',
    links: toLinks(...getLinks(publicUrl, '/alerts', '')),
  });
}

/** The page of the console that shows the subject. */
function getConsolePath(alert: SentAlert): string {
  const id = encodeURIComponent(alert.subject);
  return { account: `/accounts/${id}`, key: `/keys?open=${id}`, upstream: `/upstreams/${id}`, gateway: '/activity' }[getAlertTarget(alert)];
}

function getLinks(publicUrl: string | undefined, path: string, heading: string): readonly [console: string | null, guide: string | null] {
  if (publicUrl === undefined) return [null, null];
  const { origin } = new URL(publicUrl);
  return [`${origin}/console${path}`, `${origin}/admin/docs/guides/alerts${heading}`];
}

const toLinks = (consoleUrl: string | null, guideUrl: string | null): Notice['links'] =>
  consoleUrl === null || guideUrl === null
    ? []
    : [
        ['Open in console', consoleUrl],
        ['What to do', guideUrl],
      ];

interface AlertLinks {
  readonly consoleUrl: string | null;
  readonly guideUrl: string | null;
}

function writeStandardAlert(
  event: AlertEvent,
  { id, kind, subject, name, message, value, threshold, openedAt, resolvedAt }: SentAlert,
  { consoleUrl, guideUrl }: AlertLinks,
): string {
  return JSON.stringify({
    type: `alert.${event}`,
    timestamp: formatTime(resolvedAt ?? openedAt),
    data: {
      id,
      kind,
      subject: subject === '' ? null : subject,
      name,
      message,
      value,
      threshold,
      opened_at: formatTime(openedAt),
      resolved_at: resolvedAt === null ? null : formatTime(resolvedAt),
      console_url: consoleUrl,
      guide_url: guideUrl,
    },
  });
}

function writeNotice(format: Exclude<Format, 'standard'>, notice: Notice): string {
  if (format === 'slack') return JSON.stringify(createSlackMessage(notice));
  return JSON.stringify(format === 'teams' ? createTeamsMessage(notice) : createMailContent(notice));
}

/** Slack's maximum lengths of a header and a text. */
const MAX_SLACK_TITLE = 150;
const MAX_SLACK_TEXT = 3_000;

const escapeSlackText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Names that customers choose are only in plain text, so that they can't contain links. `text` is for notifications. */
function createSlackMessage({ title, text, links }: Notice) {
  return {
    text: escapeSlackText(`${title}. ${text}`),
    mrkdwn: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title.slice(0, MAX_SLACK_TITLE), emoji: false } },
      { type: 'section', text: { type: 'plain_text', text: text.slice(0, MAX_SLACK_TEXT), emoji: false } },
      ...(links.length === 0
        ? []
        : [
            {
              type: 'context',
              elements: [{ type: 'mrkdwn', text: links.map(([name, url]) => `<${escapeSlackText(url)}|${name}>`).join(' · ') }],
            },
          ]),
    ],
  };
}

/** A text run isn't Markdown, unlike a text block, so names that customers choose can't contain links. */
const createTeamsText = (text: string, style: object = {}) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...style }] });

function createTeamsMessage({ title, text, tone, links }: Notice) {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      createTeamsText(title, { size: 'Medium', weight: 'Bolder', color: tone === 'good' ? 'Good' : 'Attention' }),
      createTeamsText(text),
    ],
    actions: links.map(([name, url]) => ({ type: 'Action.OpenUrl', title: name, url })),
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }] };
}

const createMailContent = ({ title, text, links }: Notice): MailContent => ({
  subject: `Modelgate: ${title}`,
  text: `${text}\n${links.map(([name, url]) => `\n${name}: ${url}`).join('')}`.trimEnd(),
});
