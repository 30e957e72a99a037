import type { VNode } from 'preact';
import { API_ERRORS } from '../../../server/api/errors';
import { shortHex, shownText } from '../grammar/text';
import type { Failure, Target } from '../protocol';
import { CopyButton } from './copy-button';
import { Icon } from './icon';

const MESSAGE_LIMIT = 2000;

/** What kind of failure it is, in a sentence that does not depend on the case. */
function headline({ code }: Failure): string {
  const known = Object.values(API_ERRORS).find((error) => error.code === code);
  return known?.meaning ?? 'The transaction could not be analyzed.';
}

interface FailureViewProps {
  failure: Failure;
  target?: Target | undefined;
  onRetry: () => void;
}

export function FailureView({ failure, target, onRetry }: FailureViewProps): VNode {
  return (
    <section class="message-view" role="alert">
      <Icon name="error" />
      <div>
        <h1>{headline(failure)}</h1>
        <p>
          <bdi>{shownText(failure.message, MESSAGE_LIMIT)}</bdi>
        </p>
        <p class="quiet">
          {target && (
            <>
              <bdi title={target.transaction}>{shortHex(target.transaction)}</bdi> on{' '}
              <bdi>{shownText(target.chain, 64)}</bdi>
            </>
          )}
          {target && failure.code !== 0 && ' · '}
          {failure.code !== 0 && `code ${failure.code}`}
        </p>
        <div class="message-actions">
          <button type="button" class="button" onClick={onRetry}>
            Retry
          </button>
          <CopyButton
            text={`${failure.message}${failure.code === 0 ? '' : ` (code ${failure.code})`}`}
            what="message"
          />
        </div>
      </div>
    </section>
  );
}
