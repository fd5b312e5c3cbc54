/** Defines a recipe: how one tool gets the base URL, the key, and the models. The same recipe writes files, guide pages, and the portal's texts. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type Fields = Readonly<Record<string, unknown>>;
export type JsonObject = { readonly [name: string]: Json };

/** Name of the environment variable that holds the key in every sample and guide. */
export const KEY_VARIABLE = 'MODELGATE_API_KEY';

/** A text model that the key can call, as `GET /v1/models` lists it. */
export interface ToolModel {
  readonly id: string;
  /** Size of the context window in tokens. Null if unknown. */
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
  /** Null for image models, which have no output tokens. */
  readonly max_output_tokens: number | null;
  readonly abilities: { readonly tools: boolean; readonly image_input: boolean; readonly reasoning_effort: boolean };
}

/** The models that a key can call, in the form that recipes need. */
export interface ToolModels {
  /** Text models. */
  readonly models: readonly ToolModel[];
  /** Whether the key can call `gpt-image-2`. */
  readonly hasImages: boolean;
}

export const toToolModels = (listedModels: readonly ListedModel[]): ToolModels => ({
  models: listedModels.flatMap(({ id, context_window: contextWindow, max_output_tokens: maxOutput, abilities }) => {
    const { tools, image_input: images, reasoning_effort: reasoning } = abilities;
    return maxOutput === null ? [] : [{ id, contextWindow, maxOutput, tools, images, reasoning }];
  }),
  hasImages: listedModels.some(({ id }) => id === 'gpt-image-2'),
});

export interface Connection extends ToolModels {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Null if the tool reads the key from the variable `MODELGATE_API_KEY`. */
  readonly key: string | null;
  /** The tool's default model, one of `models`. */
  readonly model: ToolModel;
  /** Base URL of another gateway that the tool was connected to before. Its list entries are replaced, too. */
  readonly formerBaseUrl?: string;
}

/** A value to set in a document. The rest of the document stays unchanged, including comments. */
export interface Setting {
  /** Names from the outermost object to the value. Empty for the document itself. */
  readonly at: readonly string[];
  /** Null to remove the value. */
  readonly value: Json;
  /** Only for lists: selects the present entries that the value replaces. Other entries stay, after the new ones. */
  readonly replaces?: (entry: Fields) => boolean;
  /** Whether a present value stays. */
  readonly isDefault?: boolean;
  /** Returns whether a present value is replaced. If set, an absent value isn't added. */
  readonly overwrites?: (present: unknown) => boolean;
}

export type Format = 'toml' | 'json' | 'yaml' | 'text';

export interface ConfigFile {
  /** `~` stands for the home folder, `.` for the working folder. */
  readonly path: string;
  /** Other names of the file in its folder. The first that exists is edited. */
  readonly otherNames?: readonly string[];
  /** Paths on other operating systems, if they differ. */
  readonly otherPaths?: { readonly darwin?: string; readonly win32?: string };
  /** Environment variable that overrides the folder of the file. */
  readonly folderVariable?: string;
  readonly format: Format;
  readonly settings: readonly Setting[];
  readonly bypasses?: readonly { name: string; leadsElsewhere: (present: unknown) => boolean }[];
  /** Complete content, for the format `text`. */
  readonly text?: string;
}

/** An environment variable that overrides the file. */
export interface Override {
  readonly variable: string;
  readonly what: 'key' | 'model' | 'provider' | 'port' | 'settings';
}

export interface Recipe {
  readonly id: string;
  readonly name: string;
  /** The protocol that the tool uses once it's connected. */
  readonly protocol: 'responses' | 'chat';
  /** Where the tool can read the key from. */
  readonly keyFrom: 'file' | 'variable' | 'either';
  /** Files to write. Empty if the tool can only be set up by hand. */
  files(connection: Connection): readonly ConfigFile[];
  /** Lines to copy if there's no file to write. */
  lines?(connection: Connection): string;
  /** Remaining manual steps besides setting the key. Each is one sentence of Markdown. */
  steps(connection: Connection): readonly string[];
  /** Command line that starts the tool. */
  readonly start: string;
  readonly overrides: readonly Override[];
  /** How to run the tool once without interaction. Omitted if the tool can't be tested. */
  readonly once?: TestRun;
}

/** Whether a URL in a file is the base URL of this or the former connection, with or without `/v1`. */
export function isOwnUrl({ baseUrl, formerBaseUrl }: Connection, url: unknown): boolean {
  const stripVersion = (one: string): string => one.replace(/(\/v1)?\/*$/, '');
  return typeof url === 'string' && [baseUrl, formerBaseUrl].some((own) => own !== undefined && stripVersion(own) === stripVersion(url));
}

/** Returns the remaining manual steps. The first one sets the key, if the tool reads it from the environment. */
export function listSteps({ keyFrom, steps }: Recipe, connection: Connection): readonly string[] {
  const readsVariable = keyFrom === 'variable' || (keyFrom === 'either' && connection.key === null);
  const keyStep = `Set the key: \`export ${KEY_VARIABLE}=${connection.key ?? 'mg-…'}\``;
  return [...(readsVariable ? [keyStep] : []), ...steps(connection)];
}

interface TestRun {
  /** Name of the program on the PATH. */
  readonly program: string;
  /** Arguments that limit the tool to reading and writing in the working folder, if the tool supports that. */
  args(order: { readonly prompt: string; readonly file: string }): readonly string[];
  /** Arguments of a run before and after the test, for a tool whose background service would keep the old configuration. */
  readonly around?: readonly string[];
  /** Variables that keep the tool from calling other hosts and from retrying. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Returns the context window in tokens, for tools that need a size. If it's unknown, the result is at least twice the
 * maximum output, which leaves room for input.
 */
export const getContextWindow = ({ contextWindow, maxOutput }: ToolModel): number => contextWindow ?? Math.max(128_000, 2 * maxOutput);

/** Omits the fields whose value is null, so that unknown values aren't written. */
export const omitNulls = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
