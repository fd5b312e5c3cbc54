/** A failure of the store. The message tells the operator what happened and what to do. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}
