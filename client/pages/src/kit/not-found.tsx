/** The page for an unknown URL. */
import { kit } from '../texts/kit.ts';
import { ButtonLink } from './button.tsx';
import { Empty } from './states.tsx';

export const NotFound = () => (
  <section className="stack wide">
    <h1>{kit.notFound}</h1>
    <Empty title={kit.notFoundHint}>
      <ButtonLink href="/" kind="primary">
        {kit.goHome}
      </ButtonLink>
    </Empty>
  </section>
);
