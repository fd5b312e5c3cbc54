/** Who calls. Holds nothing that must not be logged. */
export interface Principal {
  readonly keyId: string;
  readonly accountId: string;
  readonly keyName: string;
}
