/** The channels that are notified of alerts: the configured webhooks and mail. */
import type { Config } from '../../config/config.ts';

type AlertsConfig = Pick<Config['alerts'], 'webhooks' | 'mail'>;
export type WebhookChannel = AlertsConfig['webhooks'][number];
export type MailChannel = AlertsConfig['mail'][number] & { readonly format: 'mail' };
export type Channel = WebhookChannel | MailChannel;

export const listChannels = ({ webhooks, mail }: AlertsConfig): readonly Channel[] => [
  ...webhooks,
  ...mail.map((one) => ({ ...one, format: 'mail' as const })),
];

/** Returns where the channel sends to, without secrets. */
export const getChannelHost = (channel: Channel): string =>
  channel.format === 'mail' ? `${channel.host}:${channel.port}` : new URL(channel.url).host;
