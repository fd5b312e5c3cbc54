/** What an import could not take over, line by line; secrets are never among it. */
export interface Remark {
  /** The place in the file that was read, such as `model_list[2].litellm_params.rpm`. */
  readonly where: string;
  readonly message: string;
}

/** The settings for modelgate.yaml, and what has no counterpart there. */
export interface Imported {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly remarks: readonly Remark[];
}

export class Remarks {
  readonly list: Remark[] = [];

  add(where: string, message: string): void {
    this.list.push({ where, message });
  }
}
