/** The options --config and --data: adds them to commands, and reads the configuration that they name. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, type LoadedConfig, loadConfigFile, locateData } from '../../config/config.ts';
import type { Flags } from '../../config/overrides.ts';
import type { ShellOptions } from './shell.ts';

export interface LocationOptions extends ShellOptions {
  readonly config?: string;
  readonly data?: string;
}

/** The file that is read if neither --config nor MODELGATE_CONFIG names one. */
const DEFAULT_CONFIG_FILE = 'modelgate.yaml';

export const LOCATION_HELP = `
Environment:
  MODELGATE_CONFIG            same as --config
  MODELGATE_DATA              same as --data
  MODELGATE_ENVIRONMENT_FILE  same as --environment-file`;

export function addConfigOption(command: Command): Command {
  return (
    command
      .option('-c, --config <file>', `configuration file (default: ${DEFAULT_CONFIG_FILE} if it exists)`)
      // Not --env-file, which Node reads itself, wherever it is in the command line.
      .option('--environment-file <file>', 'file of variables that override the environment; a reload reads it again')
  );
}

export function addDataOption(command: Command): Command {
  return command.option('-d, --data <folder>', 'data folder (default: ./data)');
}

type ServeFlags = LocationOptions & Pick<Flags, 'host' | 'port' | 'workers' | 'override' | 'tape'>;

export const readConfig = (options: ServeFlags): Config => readConfigFile(options).config;

/** `file` takes precedence over the options and the working directory, and `text` over the content of the file. */
export function readConfigFile(options: ServeFlags, file: string | null = null, text?: string): LoadedConfig {
  const flags = toFlags(options);
  const { host, port, workers, override, tape } = options;
  return loadConfigFile({ ...flags, file: file ?? flags.file, text, host, port, workers, override, tape }, options.shell.env);
}

export function getDataFolder(options: LocationOptions): string {
  return locateData(toFlags(options), options.shell.env);
}

/** Returns the option with which a command in this working directory finds the same folder. Empty if the default is enough. */
export function formatDataOption(folder: string, workingFolder: string): string {
  return folder === resolve(workingFolder, 'data')
    ? ''
    : ` --data ${/^[\w./@+-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`}`;
}

export function toFlags({ config, data, shell: { env, folder } }: LocationOptions): Flags {
  const defaultFile = !env.MODELGATE_CONFIG && existsSync(resolve(folder, DEFAULT_CONFIG_FILE)) ? DEFAULT_CONFIG_FILE : undefined;
  return { file: config ?? defaultFile, data, workingFolder: folder };
}
