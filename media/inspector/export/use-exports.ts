import { effect } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { MenuItem } from '../components/menu';
import { useInspector } from '../ui-state/inspector-context';
import type { PartId, Source } from '../protocol/protocol';
import type { InspectorState } from '../ui-state/state';
import { EVERYTHING, exportFormats } from './formats';
import { currentLook } from './theme';
import { withOwnLabels } from './own-labels';
import type { Exported } from './report';

function fileName(source: Source): string {
  return source.kind === 'transaction'
    ? `${source.chain}-${source.transaction.slice(0, 10)}`
    : `${source.chain}-simulation`;
}

/** Loads parts and waits until each is complete or has failed. */
function whenSettled({ parts, load }: InspectorState, wanted: readonly PartId[]): Promise<void> {
  for (const part of wanted) load(part);
  return new Promise((resolve) => {
    const stop = effect(() => {
      const pending = wanted.filter((part) => {
        const shown = parts[part].value;
        return shown.state === 'loading' || (shown.state === 'ready' && shown.missing > 0);
      });
      if (pending.length > 0) return;
      resolve();
      // An effect must not stop itself while it runs.
      queueMicrotask(() => {
        stop();
      });
    });
  });
}

/** The complete parts; undefined without the flow. */
function exported({ parts }: InspectorState): Exported | undefined {
  const ready = (['flow', ...EVERYTHING] as const).flatMap((part) => {
    const shown = parts[part].value;
    return shown.state === 'ready' && shown.missing === 0 ? [[part, shown.value]] : [];
  });
  const found = Object.fromEntries(ready) as Partial<Exported>;
  const { flow } = found;
  return flow && { ...found, flow };
}

interface Exports {
  /** Whether parts are loading that an export needs. */
  isBusy: boolean;
  /** Items of a menu, one for each format. */
  exportItems: () => MenuItem[];
}

/** Exports of the analysis to a file, in several formats. */
export function useExports(): Exports {
  const { state, post } = useInspector();
  const [isBusy, setBusy] = useState(false);

  async function gather(needs: readonly PartId[]): Promise<Exported | undefined> {
    setBusy(true);
    await whenSettled(state, ['flow', ...needs]);
    setBusy(false);
    return exported(state);
  }

  function exportItems(): MenuItem[] {
    const source = state.source.value;
    if (!source) return [];
    const name = fileName(source);
    const formats = exportFormats().map(({ title, suffix, needs, write }) => ({
      title: l10n.t('Export {0}', title),
      onSelect: () => {
        void gather(needs).then((parts) => {
          const content = parts && write(parts, state.names.value);
          if (content !== undefined) post({ type: 'save', name: name + suffix, content });
        });
      },
    }));
    const page = {
      title: l10n.t('Export HTML Page'),
      onSelect: () => {
        void gather(EVERYTHING).then((parts) => {
          if (!parts) return;
          const { fork } = state.hostContext.value;
          const data = JSON.stringify({ source, parts: withOwnLabels(parts), fork });
          post({ type: 'savePage', name: `${name}.html`, data, look: currentLook() });
        });
      },
    };
    return state.hostContext.value.isPage === true ? formats : [...formats, page];
  }

  return { isBusy, exportItems };
}
