/** Collects remarks about settings that an import couldn't convert, with their place in the file. */

interface Remark {
  /** Position in the imported file, such as `model_list[2].litellm_params.rpm`. */
  readonly where: string;
  readonly message: string;
}

/** Settings for modelgate.yaml, and remarks about settings that weren't imported. */
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
