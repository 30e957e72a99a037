import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useInspector } from '../state/inspector-context';
import type { PartId, Parts } from '../protocol/protocol';
import { FailureView } from './failure-view';
import { ProgressNote, SkeletonRows } from './loading-view';

interface PartViewProps<Id extends PartId> {
  part: Id;
  /** Shown during the load: `Loading events…`. */
  loading: string;
  children: (value: Parts[Id], missing: number) => VNode;
}

/** Shows a part of the analysis, its loading progress, or the reason of its failure. */
export function PartView<Id extends PartId>({ part, loading, children }: PartViewProps<Id>): VNode {
  const { state } = useInspector();
  const shown = state.parts[part].value;
  const idle = shown.state === 'idle';
  useEffect(() => {
    if (idle) state.load(part);
  }, [idle, part, state]);
  switch (shown.state) {
    case 'ready':
      return children(shown.value, shown.missing);
    case 'failed':
      return (
        <FailureView
          failure={shown.failure}
          onRetry={() => {
            state.load(part);
          }}
        />
      );
    case 'idle':
    case 'loading':
      return (
        <div class="scroller" aria-busy="true">
          <div class="progress" />
          <ProgressNote
            {...(shown.state === 'loading' && { progress: shown.progress })}
            onCancel={() => {
              state.cancel(part);
            }}
          >
            {loading}
          </ProgressNote>
          <SkeletonRows />
        </div>
      );
  }
}
