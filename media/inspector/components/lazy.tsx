import * as l10n from '@vscode/l10n';
import type { FunctionComponent, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SkeletonRows } from './loading-view';

/** A component whose code is loaded when it is first shown. */
export function lazy(load: () => Promise<FunctionComponent>): FunctionComponent {
  let loaded: FunctionComponent | undefined;
  return function Lazy(): VNode {
    const [problem, setProblem] = useState<string>();
    const [, setLoaded] = useState(loaded);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (component) => {
          loaded = component;
          setLoaded(() => component);
        },
        (error: unknown) => {
          setProblem(error instanceof Error ? error.message : l10n.t('unknown error'));
        },
      );
    }, []);
    if (problem !== undefined) {
      return (
        <p class="empty" role="alert">
          {l10n.t('This view could not be loaded: {0}', problem)}
        </p>
      );
    }
    const Component = loaded;
    return Component ? <Component /> : <SkeletonRows />;
  };
}
