/** `modelgate key edit|rotate|revoke`: changes an existing key. */
import { type Command, InvalidArgumentError } from 'commander';
import { type AdminOptions, addAdminCommand, print, withAdmin } from './administration.ts';
import { parseExpiry } from './expiry.ts';
import { grantsFrom, type KeyOptions, withKeyOptions } from './key-options.ts';
import { warnOfModels } from './key-warnings.ts';
import { parseName, parseTimeOrNever, refuseNothing, type Said } from './settings.ts';

interface EditOptions extends KeyOptions {
  readonly name?: string;
  readonly expires?: Said<string>;
}

export function addEdit(key: Command): void {
  const command = addAdminCommand(key, 'edit <id>', {
    description: 'change what a key may do; options that you leave out change nothing',
    examples: [
      'modelgate key edit key_0aB3dE5gH7jK9mN1p --models "gpt-5*,gpt-image-2" --cap 5/day',
      'modelgate key edit key_0aB3dE5gH7jK9mN1p --requests-per-minute 60 --from 192.0.2.0/24',
      'modelgate key edit key_0aB3dE5gH7jK9mN1p --expires never',
    ],
  });
  withKeyOptions(command)
    .option('-n, --name <name>', 'new name', parseName)
    .option('-e, --expires <when>', 'length of time, date, or never', parseTimeOrNever)
    .action(async (id: string, options: EditOptions) => {
      await withAdmin(options, async (client) => {
        const params = { key_id: id };
        const before = await client.call('getKey', { params });
        const body = { name: options.name, ...grantsFrom(options, before), expires_at: options.expires?.value };
        refuseNothing(body, 'key edit');
        const edited = await client.call('editKey', { params, body });
        print(options, edited, `${edited.id} "${edited.name}" is changed. See: modelgate key show ${edited.id}\n`);
        await warnOfModels(client, edited, options);
      });
    });
}

interface RotateOptions extends AdminOptions {
  readonly overlap: number;
  readonly expires?: Said<string>;
}

const SECOND_MS = 1_000;

/** `12h`, `7d`, or `0`; in seconds. */
function parseOverlap(text: string): number {
  if (text === '0') return 0;
  if (!/^\d{1,6}[hdw]$/.test(text)) throw new InvalidArgumentError('Write a length such as 12h or 7d, or 0.');
  return parseExpiry(text, 0) / SECOND_MS;
}

export function addRotate(key: Command): void {
  addAdminCommand(key, 'rotate <id>', {
    description: 'create a key with the same rights; the new one is printed once, the old one ends after the overlap',
    examples: ['modelgate key rotate key_0aB3dE5gH7jK9mN1p', 'KEY=$(modelgate key rotate key_0aB3dE5gH7jK9mN1p --overlap 7d)'],
  })
    .option('-o, --overlap <length>', 'how long the old key still works: 12h, 7d, or 0', parseOverlap, 86_400)
    .option('-e, --expires <when>', 'expiry of the new key (default: the lifetime that the old one was created with)', parseTimeOrNever)
    .action(async (id: string, options: RotateOptions) => {
      await withAdmin(options, async (client) => {
        const body = { overlap_seconds: options.overlap, expires_at: options.expires?.value };
        const rotated = await client.call('rotateKey', { params: { key_id: id }, body });
        print(options, rotated, `${rotated.key}\n`);
        if (options.json) return;
        const { id: newId, replaces } = rotated;
        options.shell.stderr.write(
          `${newId} replaces ${replaces.id}, which ends ${replaces.expires_at}. Keep the key: it is not shown again.\n`,
        );
      });
    });
}

export function addRevoke(key: Command): void {
  addAdminCommand(key, 'revoke <id>', {
    description: 'revoke a key permanently; a running gateway refuses it within two seconds',
    examples: ['modelgate key revoke key_0aB3dE5gH7jK9mN1p'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const params = { key_id: id };
      const before = await client.call('getKey', { params });
      const revoked = await client.call('revokeKey', { params });
      print(options, revoked, before.state === 'revoked' ? `${id} was revoked before.\n` : `${id} is revoked.\n`);
    });
  });
}
