import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { API_ERRORS } from '../../../server/api/errors';
import { shownText } from '../../../server/presentation/text';
import type { Failure, Source } from '../protocol/protocol';
import { CopyButton } from './copy-button';
import { Icon } from './icon';
import { SourceName } from './source-name';

const MESSAGE_LIMIT = 2000;

/** A general description of the failure's kind. */
function headline({ code }: Failure): string {
  const known = Object.values(API_ERRORS).find((error) => error.code === code);
  return known?.meaning ?? l10n.t('The transaction could not be analyzed.');
}

interface FailureViewProps {
  failure: Failure;
  source?: Source | undefined;
  onRetry: () => void;
}

/** A cancellation by the user is not shown as an error. */
function CancelledView({ source, onRetry }: Omit<FailureViewProps, 'failure'>): VNode {
  return (
    <section class="message-view cancelled" role="status">
      <Icon name="circle-slash" />
      <div>
        <h1>{l10n.t('Cancelled')}</h1>
        {source && (
          <p class="quiet">
            <SourceName source={source} />
          </p>
        )}
        <div class="message-actions">
          <button type="button" class="button" onClick={onRetry}>
            {l10n.t('Retry')}
          </button>
        </div>
      </div>
    </section>
  );
}

export function FailureView(props: FailureViewProps): VNode {
  const { failure, source, onRetry } = props;
  if (failure.code === API_ERRORS.cancelled.code) return <CancelledView {...props} />;
  return (
    <section class="message-view" role="alert">
      <Icon name="error" />
      <div>
        <h1>{headline(failure)}</h1>
        <p>
          <bdi>{shownText(failure.message, MESSAGE_LIMIT)}</bdi>
        </p>
        <p class="quiet">
          {source && <SourceName source={source} />}
          {source && failure.code !== 0 && ' · '}
          {failure.code !== 0 && l10n.t('code {0}', failure.code)}
        </p>
        <div class="message-actions">
          <button type="button" class="button" onClick={onRetry}>
            {l10n.t('Retry')}
          </button>
          <CopyButton
            text={`${failure.message}${failure.code === 0 ? '' : ` (code ${failure.code})`}`}
            label={l10n.t('Copy message')}
          />
        </div>
      </div>
    </section>
  );
}
