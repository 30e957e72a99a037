import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import type { Progress } from '../../../server/api/progress';
import { grouped, shownText } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { filled } from './filled';
import { SourceName } from './source-name';

/** Depth and width (percent) of the placeholder rows. The values are arbitrary, but must not change between renders. */
const ROWS = [
  [0, 62],
  [1, 40],
  [1, 55],
  [2, 48],
  [3, 36],
  [1, 50],
  [2, 30],
] as const;

/** Progress of a long operation: `replaying transactions 57 of 143`. */
function progressText({ stage, done, total }: Progress): string {
  const shown = shownText(stage, 80);
  return total > 0
    ? l10n.t('{0} {1} of {2}', shown, grouped(String(done)), grouped(String(total)))
    : shown;
}

interface ProgressNoteProps {
  progress?: Progress | undefined;
  /** Undefined: there is nothing to cancel yet. */
  onCancel: (() => void) | undefined;
  children: ComponentChildren;
}

/** Describes the current operation and its progress, with a cancel button. */
export function ProgressNote({ progress, onCancel, children }: ProgressNoteProps): VNode {
  return (
    <p class="loading-note">
      <span role="status">
        {children}
        {progress && <span class="stage"> {progressText(progress)}</span>}
      </span>
      {onCancel && (
        <button type="button" class="link" onClick={onCancel}>
          {l10n.t('Cancel')}
        </button>
      )}
    </p>
  );
}

/** Has the same layout as the loaded view: header, tabs, rows. */
export function LoadingView({ progress }: { progress: Progress | undefined }): VNode {
  const { state } = useInspector();
  const source = state.source.value;
  return (
    <main class="inspector" aria-busy="true">
      <h1 class="hidden">{l10n.t('Transaction inspector')}</h1>
      <div class="progress" />
      <ProgressNote progress={progress} onCancel={source && state.stop}>
        {source
          ? filled(
              source.kind === 'simulation' ? l10n.t('Simulating {0}…') : l10n.t('Analyzing {0}…'),
              <SourceName source={source} />,
            )
          : l10n.t('Opening…')}
      </ProgressNote>
      <div class="skeleton-header" aria-hidden="true">
        <span class="skeleton skeleton-title" />
        <span class="skeleton skeleton-line" />
      </div>
      <div class="skeleton-tabs" aria-hidden="true">
        <span class="skeleton" />
        <span class="skeleton" />
      </div>
      <SkeletonRows />
    </main>
  );
}

export function SkeletonRows(): VNode {
  return (
    <div class="skeleton-rows" aria-hidden="true">
      {ROWS.map(([depth, width], index) => (
        <div
          key={index}
          class="skeleton-row"
          style={{ paddingLeft: `${depth * 16}px`, width: `${width}%` }}
        >
          <span class="skeleton" />
        </div>
      ))}
    </div>
  );
}
