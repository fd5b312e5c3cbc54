/** What a recipe is: how one tool gets the base URL, the key, and the models. The same recipe writes files, guide pages, and the portal's texts. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type Fields = Readonly<Record<string, unknown>>;
export type JsonObject = { readonly [name: string]: Json };

/** The name of the variable that holds a key in every sample and guide. */
export const KEY_VARIABLE = 'MODELGATE_API_KEY';

/** A text model that the key can call, as `GET /v1/models` lists it. */
export interface ToolModel {
  readonly id: string;
  /** Tokens of the context window; null if unknown. */
  readonly contextWindow: number | null;
  readonly maxOutput: number;
  readonly tools: boolean;
  readonly images: boolean;
  readonly reasoning: boolean;
}

/** A model as the API and the portal list it. */
interface ListedModel {
  readonly id: string;
  readonly context_window: number | null;
  /** Null for a model that makes images: it has no output of tokens. */
  readonly max_output_tokens: number | null;
  readonly abilities: { readonly tools: boolean; readonly image_input: boolean; readonly reasoning_effort: boolean };
}

/** What a key can call, as recipes need it. */
export interface ToolModels {
  /** Text models. */
  readonly models: readonly ToolModel[];
  /** Whether `gpt-image-2` is among the others. */
  readonly hasImages: boolean;
}

export const toolModelsOf = (listed: readonly ListedModel[]): ToolModels => ({
  models: listed.flatMap(({ id, context_window: contextWindow, max_output_tokens: maxOutput, abilities }) => {
    const { tools, image_input: images, reasoning_effort: reasoning } = abilities;
    return maxOutput === null ? [] : [{ id, contextWindow, maxOutput, tools, images, reasoning }];
  }),
  hasImages: listed.some(({ id }) => id === 'gpt-image-2'),
});

export interface Connection extends ToolModels {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Null: the tool reads the key from the variable `MODELGATE_API_KEY`. */
  readonly key: string | null;
  /** The default of the tool, one of `models`. */
  readonly model: ToolModel;
  /** What the tool was connected to before, if it was another gateway: its list entries are replaced, too. */
  readonly formerBaseUrl?: string;
}

/** A value to set in a document. Everything else in it stays as it is, comments included. */
export interface Setting {
  /** Names from the outermost object to the value; empty for the document itself. */
  readonly at: readonly string[];
  /** Null removes it. */
  readonly value: Json;
  /** The value is a list, and it replaces these entries of the present list. Others stay, behind the new ones. */
  readonly replaces?: (entry: Fields) => boolean;
  /** A value that is there already stays. */
  readonly isDefault?: boolean;
}

export type Format = 'toml' | 'json' | 'yaml' | 'text';

export interface ConfigFile {
  /** `~` stands for the home folder, `.` for the working folder. */
  readonly path: string;
  /** Other names of the file in its folder: the first that exists is edited. */
  readonly otherNames?: readonly string[];
  /** Where the file is on other systems, if it differs. */
  readonly otherPaths?: { readonly darwin?: string; readonly win32?: string };
  /** A variable that names the folder of the file instead. */
  readonly folderVariable?: string;
  readonly format: Format;
  readonly settings: readonly Setting[];
  /** The whole content, for the format `text`. */
  readonly text?: string;
}

/** A variable of the environment that overrides the file. */
export interface Override {
  readonly variable: string;
  readonly what: 'key' | 'model' | 'provider' | 'port' | 'settings';
}

export interface Recipe {
  readonly id: string;
  readonly name: string;
  /** The protocol that the tool speaks once it is connected. */
  readonly protocol: 'responses' | 'chat';
  /** Where the tool can read the key. */
  readonly keyFrom: 'file' | 'variable' | 'either';
  /** The files that are written; none if the tool can only be set by hand. */
  files(connection: Connection): readonly ConfigFile[];
  /** Lines to copy where there is no file to write. */
  lines?(connection: Connection): string;
  /** What remains to be done by hand besides the key; Markdown of one sentence each. */
  steps(connection: Connection): readonly string[];
  /** The command line to start the tool with. */
  readonly start: string;
  readonly overrides: readonly Override[];
  /** How to run the tool once, without questions. */
  readonly once?: Once;
}

/** Whether a base URL in a file is that of this connection or of the former one, with or without its `/v1`. */
export function isOwnUrl({ baseUrl, formerBaseUrl }: Connection, url: unknown): boolean {
  const bare = (one: string): string => one.replace(/(\/v1)?\/*$/, '');
  return typeof url === 'string' && [baseUrl, formerBaseUrl].some((own) => own !== undefined && bare(own) === bare(url));
}

/** What remains to be done by hand, beginning with the key for a tool that reads it from the environment. */
export function stepsOf({ keyFrom, steps }: Recipe, connection: Connection): readonly string[] {
  const readsVariable = keyFrom === 'variable' || (keyFrom === 'either' && connection.key === null);
  const setKey = `Set the key: \`export ${KEY_VARIABLE}=${connection.key ?? 'mg-…'}\``;
  return [...(readsVariable ? [setKey] : []), ...steps(connection)];
}

export interface Once {
  /** Name of the program on the PATH. */
  readonly program: string;
  /** With no more rights than to read and write in the working folder, where the tool knows such. */
  args(order: { readonly prompt: string; readonly file: string }): readonly string[];
  /** Arguments of a run before and after it, for a tool with a service that would keep an old configuration. */
  readonly around?: readonly string[];
  /** Variables that keep the tool from asking other hosts, and from trying again. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Tokens of the context window for tools that need a size; if it isn't known, twice the longest output, so that input has room. */
export const windowOf = ({ contextWindow, maxOutput }: ToolModel): number => contextWindow ?? Math.max(128_000, 2 * maxOutput);

/** An object without the fields whose value is null: what isn't known isn't written. */
export const known = (fields: JsonObject): JsonObject => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
