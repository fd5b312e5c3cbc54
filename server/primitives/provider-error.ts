/** Keeps the error of a provider as the cause of the error that a caller gets. */
import { GatewayError, toPlainText } from './errors.ts';

/** A provider's code and message, shortened and without keys. Only for operators, because it may quote the request. */
export interface ProviderErrorInfo {
  /** The provider's code or type. For a connection error, its code. */
  readonly code: string | null;
  readonly message: string | null;
}

/** The cause of an error that an upstream returned. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly words: ProviderErrorInfo;

  constructor(report: string, { code, message }: ProviderErrorInfo) {
    super(report);
    this.words = {
      code: code && toPlainText(code, MAX_PROVIDER_CODE_LENGTH),
      message: message && toPlainText(message, MAX_PROVIDER_MESSAGE_LENGTH),
    };
  }
}

const MAX_PROVIDER_CODE_LENGTH = 64;

const MAX_PROVIDER_MESSAGE_LENGTH = 200;

/** Finds the provider's error, or the connection error, behind an error. Null if unknown. */
export function findProviderErrorInfo(error: unknown): ProviderErrorInfo | null {
  if (error instanceof ProviderError) return error.words;
  if (!(error instanceof Error)) return null;
  if (!(error instanceof GatewayError) && 'code' in error && typeof error.code === 'string')
    return { code: toPlainText(error.code, MAX_PROVIDER_CODE_LENGTH), message: toPlainText(error.message, MAX_PROVIDER_MESSAGE_LENGTH) };
  return findProviderErrorInfo(error.cause);
}
