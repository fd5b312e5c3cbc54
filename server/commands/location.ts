/** Which configuration file and which data folder a command works on. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, type LoadedConfig, loadConfigFile, locateData } from '../config/config.ts';
import type { Flags } from '../config/overrides.ts';
import type { ShellOptions } from './shell.ts';

export interface LocationOptions extends ShellOptions {
  readonly config?: string;
  readonly data?: string;
}

/** The file that is read when neither --config nor MODELGATE_CONFIG names one. */
const USUAL_FILE = 'modelgate.yaml';

export const LOCATION_HELP = `
Environment:
  MODELGATE_CONFIG  same as --config
  MODELGATE_DATA    same as --data`;

export function withConfigOption(command: Command): Command {
  return command.option('-c, --config <file>', `configuration file (default: ${USUAL_FILE} if it exists)`);
}

export function withDataOption(command: Command): Command {
  return command.option('-d, --data <folder>', 'data folder (default: ./data)');
}

type ServeFlags = LocationOptions & Pick<Flags, 'host' | 'port' | 'workers' | 'standIn' | 'tape'>;

export const readConfig = (options: ServeFlags): Config => readConfigFile(options).config;

/** `file` wins over the options and the working directory. */
export function readConfigFile(options: ServeFlags, file: string | null = null): LoadedConfig {
  const flags = flagsOf(options);
  const { host, port, workers, standIn, tape } = options;
  return loadConfigFile({ ...flags, file: file ?? flags.file, host, port, workers, standIn, tape }, options.shell.env);
}

export function findData(options: LocationOptions): string {
  return locateData(flagsOf(options), options.shell.env);
}

/** The option that makes a command in this working directory find the same folder; empty when the default does. */
export function dataHint(folder: string, workingFolder: string): string {
  return folder === resolve(workingFolder, 'data')
    ? ''
    : ` --data ${/^[\w./@+-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`}`;
}

function flagsOf({ config, data, shell: { env, folder } }: LocationOptions): Flags {
  const usual = !env.MODELGATE_CONFIG && existsSync(resolve(folder, USUAL_FILE)) ? USUAL_FILE : undefined;
  return { file: config ?? usual, data, workingFolder: folder };
}
