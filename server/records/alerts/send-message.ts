/** Sends one message to a channel. */

import type { Channel } from './channels.ts';
import { sendMail } from './send-mail.ts';
import type { Message, SendOptions, SendResult } from './send-result.ts';
import { sendWebhook } from './send-webhook.ts';

export type SendMessage = (channel: Channel, message: Message) => Promise<SendResult>;

/** Never rejects. */
export const sendMessage = (channel: Channel, message: Message, options: SendOptions): Promise<SendResult> =>
  channel.format === 'mail' ? sendMail(channel, message, options) : sendWebhook(channel, message, options);
