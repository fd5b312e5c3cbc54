/** Shows an error if a page's code failed or couldn't be loaded. The frame around it stays. */
import { Component, type ReactNode } from 'react';
import { Failure } from '../data/failure.ts';
import { kit } from '../texts/kit.ts';
import { Failed } from './states.tsx';

interface Props {
  readonly children: ReactNode;
}
interface ErrorState {
  readonly failure: Failure | null;
}

export class ErrorBoundary extends Component<Props, ErrorState> {
  override state: ErrorState = { failure: null };

  static getDerivedStateFromError(error: unknown): ErrorState {
    if (error instanceof Failure) return { failure: error };
    const message = error instanceof Error ? error.message : String(error);
    return { failure: new Failure({ status: 0, code: 'page_failed', message, param: null, requestId: null, retryAfterSeconds: null }) };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    // A new version has other file names, so the URL is loaded again.
    return <Failed failure={failure} title={kit.failed} onRetry={() => location.reload()} />;
  }
}
