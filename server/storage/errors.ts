/** What goes wrong with the data folder, told to the operator: what happened and what to do. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}
