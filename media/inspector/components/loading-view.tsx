import type { VNode } from 'preact';
import { shortHex, shownText } from '../grammar/text';
import type { Target } from '../protocol';

/** Depth and width (percent) of the rows that stand in for a tree: any tree will do, if it is always the same. */
const ROWS = [
  [0, 62],
  [1, 40],
  [1, 55],
  [2, 48],
  [3, 36],
  [1, 50],
  [2, 30],
] as const;

/** Keeps the layout of what comes: header, tabs, rows. */
export function LoadingView({ target }: { target: Target | undefined }): VNode {
  return (
    <main class="inspector" aria-busy="true">
      <div class="progress" />
      <p class="loading-note" role="status">
        {target ? (
          <>
            Analyzing <bdi title={target.transaction}>{shortHex(target.transaction)}</bdi> on{' '}
            <bdi>{shownText(target.chain, 64)}</bdi>…
          </>
        ) : (
          'Opening…'
        )}
      </p>
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
