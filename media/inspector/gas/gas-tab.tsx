import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { filled } from '../components/filled';
import { FilterBox, useWordFilter } from '../components/filter-box';
import { IconButton } from '../components/icon-button';
import { NodeLink } from '../components/node-link';
import { PartView } from '../components/part-view';
import { useInspector } from '../state/inspector-context';
import type { Parts } from '../protocol/protocol';
import { FlameGraph } from './flame-graph';
import { flameLayout } from './flame-layout';
import { frameNames } from './frame-names';
import { GasSums } from './gas-sums';
import { GasTable } from './gas-table';
import { Gas, gasText } from './self-gas';

function GasView({ profile }: { profile: Parts['gasProfile'] }): VNode {
  const { state } = useInspector();
  const names = state.names.value;
  const { text, matches } = useWordFilter('gas');
  const selected = state.persistentSignal('gas.frame', 0);
  const zoomed = state.persistentSignal('gas.zoom', -1);
  const { rows } = state.calls.tree.value;
  const { frames } = profile;
  const layout = useMemo(() => flameLayout(frames), [frames]);
  const called = useMemo(() => frameNames(frames, rows, names), [frames, rows, names]);
  if (frames.length === 0) return <p class="empty">{l10n.t('No frames: nothing was executed.')}</p>;

  const nameOf = (index: number): string => {
    const frame = frames[index];
    return frame ? called.frame(frame) : '';
  };
  const isSearching = text.value.trim() !== '';
  const isMatch = (index: number): boolean =>
    matches([nameOf(index), frames[index]?.address, frames[index]?.selector]);
  const found = isSearching ? frames.filter((_, index) => isMatch(index)) : [];
  const matchedGas = found.reduce<number | null>(
    (sum, { selfGas }) => (sum === null || selfGas === null ? null : sum + selfGas),
    0,
  );
  const current = frames[selected.value];
  return (
    <div class="gas">
      <GasSums profile={profile} />
      <div class="tab-tools">
        <FilterBox
          text={text}
          label={l10n.t('Highlight by contract or method')}
          shown={found.length}
          total={frames.length}
        />
        {isSearching && matchedGas !== null && (
          <span class="quiet">{filled(l10n.t('{0} self gas'), <Gas gas={matchedGas} />)}</span>
        )}
        <span class="space" />
        <IconButton
          icon="zoom-out"
          label={l10n.t('Zoom out (Escape)')}
          disabled={zoomed.value < 0}
          onClick={() => {
            zoomed.value = -1;
          }}
        />
      </div>
      <FlameGraph
        layout={layout}
        nameOf={nameOf}
        isMatch={isSearching ? isMatch : undefined}
        selected={selected}
        zoomed={zoomed}
        onOpen={(index) => {
          const frame = frames[index];
          if (frame) state.showNode(frame.id);
        }}
      />
      <p class="flame-note" role="status">
        {current && (
          <>
            <bdi class="method">{nameOf(selected.value)}</bdi>{' '}
            <span class="quiet">{gasText(current.gasUsed, current.selfGas)}</span>{' '}
            <NodeLink id={current.id}>{l10n.t('Show in tree')}</NodeLink>
          </>
        )}
      </p>
      <GasTable profile={profile} called={called} matches={matches} />
    </div>
  );
}

/** Gas by frame as a flame graph, and by contract and method as a table. */
export function GasTab(): VNode {
  return (
    <PartView part="gasProfile" loading={l10n.t('Loading the gas profile…')}>
      {(profile) => <GasView profile={profile} />}
    </PartView>
  );
}
