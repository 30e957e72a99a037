import { signal, type Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FundTransfer } from '../../../server/api/views';
import { Icon } from '../components/icon';
import { IconButton } from '../components/icon-button';
import { NodeLink } from '../components/node-link';
import { PartView } from '../components/part-view';
import { Toggle } from '../components/toggle';
import { grouped } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import type { Flow } from '../protocol/protocol';
import { assetNames, type AssetNames } from '../../../server/presentation/quantity-segments';
import { edgeText, edgeUsdText } from './edge-text';
import { assetStyles, FlowEdges, topEdges, type FlowEdge } from './edges';
import { GraphView } from './graph-view';
import { themePalette } from './palette';
import { FIRST_ARROWS, MAX_ARROWS, SEPARATE, SYMBOL_LIMIT } from './flow-scene';
import type { Scene, SceneNode } from './scene';
import { scenePng } from './scene-png';
import { sceneSvg } from './scene-svg';
import { TransferTable } from './transfer-table';
import { useScene } from './use-scene';
import type { Viewport } from './viewport';

/** Number of an arrow's transfers that are listed. */
const LINKS = 8;

function useAssetNames(): AssetNames {
  const { state } = useInspector();
  const [names, nativeSymbol] = [state.names.value, state.nativeSymbol.value];
  return useMemo(() => assetNames(names, nativeSymbol, SYMBOL_LIMIT), [names, nativeSymbol]);
}

/** The transfers of a selected arrow, each with a link to the call tree. */
function Chosen({
  edge,
  transfers,
}: {
  edge: FlowEdge;
  transfers: readonly FundTransfer[];
}): VNode {
  const nameOf = useAssetNames();
  const shown = edge.numbers.slice(0, LINKS);
  return (
    <>
      {edgeText(edge, nameOf)} <span class="quiet">{edgeUsdText(edge)}</span>
      {shown.map((number) => {
        const transfer = transfers[number - 1];
        return (
          transfer && (
            <span key={number}>
              {' '}
              <NodeLink id={transfer.nodeId}>{l10n.t('Show {0} in tree', number)}</NodeLink>
            </span>
          )
        );
      })}
      {edge.numbers.length > LINKS && <span class="quiet"> …</span>}
    </>
  );
}

/** Label of an account with its numbers of incoming and outgoing arrows. */
function nodeLabel(scene: Scene, { address, lines }: SceneNode): string {
  const count = (end: 'from' | 'to'): number =>
    scene.edges.filter(({ edge }) => edge[end] === address).length;
  return l10n.t('{0}: {1} in, {2} out', lines.join(' '), count('to'), count('from'));
}

/** Number of arrows to draw. After the last transfers have arrived, what is known is painted first: the layout of all arrows takes longer. */
function useArrowLimit(isWhole: boolean): number {
  const [isPainted, setPainted] = useState(isWhole);
  useEffect(() => {
    setPainted(isWhole);
  }, [isWhole]);
  return isWhole && isPainted ? MAX_ARROWS : FIRST_ARROWS;
}

type View = 'graph' | 'table';

function useView(): Signal<View> {
  return useInspector().state.persistentSignal<View>('fundFlow.view', 'graph');
}

function ViewSwitch(): VNode {
  const view = useView();
  return (
    <div class="view-switch" role="group" aria-label={l10n.t('Shown as')}>
      <IconButton
        icon="type-hierarchy-sub"
        label={l10n.t('As a graph')}
        pressed={view.value === 'graph'}
        onClick={() => {
          view.value = 'graph';
        }}
      />
      <IconButton
        icon="table"
        label={l10n.t('As a table')}
        pressed={view.value === 'table'}
        onClick={() => {
          view.value = 'table';
        }}
      />
    </div>
  );
}

interface TransfersProps {
  transfers: readonly FundTransfer[];
  /** Number of transfers that have not arrived. */
  missing: number;
}

/** What the graph draws: the arrows of the greatest worth, laid out. */
function useGraph({ transfers, missing }: TransfersProps, isMerged: boolean) {
  const [first] = transfers;
  const arriving = useMemo(() => new FlowEdges(isMerged), [isMerged, first]);
  const all = useMemo(() => arriving.of(transfers), [arriving, transfers]);
  const most = useArrowLimit(missing === 0);
  const edges = useMemo(() => topEdges(all, most), [all, most]);
  const styles = useMemo(() => assetStyles(all), [all]);
  return { edges, total: all.length, ...useScene(edges, styles) };
}

function SaveButtons({ scene }: { scene: Scene }): VNode {
  const { state, post } = useInspector();
  const hash = state.flow.value?.transaction.hash;
  const name = `fund-flow-${hash ? hash.slice(0, 10) : 'simulation'}`;
  return (
    <>
      <button
        type="button"
        class="link"
        onClick={() => {
          post({ type: 'save', name: `${name}.svg`, content: sceneSvg(scene, themePalette()) });
        }}
      >
        {l10n.t('Save SVG')}
      </button>
      <button
        type="button"
        class="link"
        onClick={() => {
          const content = scenePng(scene, themePalette());
          post({ type: 'save', name: `${name}.png`, content, encoding: 'base64' });
        }}
      >
        {l10n.t('Save PNG')}
      </button>
    </>
  );
}

/** How many of the arrows are drawn, where some are left out. */
function DrawnNote({ drawn, total }: { drawn: number; total: number }): VNode | null {
  if (drawn >= total) return null;
  return (
    <span class="note">
      <Icon name="warning" />{' '}
      {l10n.t(
        '{0} of {1} arrows, those of the greatest worth: the table has all.',
        drawn,
        grouped(String(total)),
      )}
    </span>
  );
}

function AllAccounts({ focus }: { focus: Signal<string | undefined> }): VNode | null {
  if (focus.value === undefined) return null;
  return (
    <button
      type="button"
      class="link"
      onClick={() => {
        focus.value = undefined;
      }}
    >
      {l10n.t('Show all accounts')}
    </button>
  );
}

function Graph({ transfers, missing }: TransfersProps): VNode {
  const { state } = useInspector();
  const merged = state.persistentSignal('fundFlow.merged', transfers.length > SEPARATE);
  const focus = state.persistentSignal<string | undefined>('fundFlow.focus', undefined);
  const [chosen] = useState(() => signal(-1));
  const { scene, isPortrait, edges, total } = useGraph({ transfers, missing }, merged.value);
  // Each orientation has its own viewport, because positions differ between the drawings.
  const place = isPortrait ? 'fundFlow.viewport.upright' : 'fundFlow.viewport';
  const viewport = state.persistentSignal<Viewport | undefined>(place, undefined);
  const edge = edges[chosen.value];
  return (
    <>
      <div class="tab-tools">
        <ViewSwitch />
        <Toggle
          label={l10n.t('Merge parallel transfers')}
          checked={merged.value}
          onChange={(on) => {
            merged.value = on;
            viewport.value = undefined;
            chosen.value = -1;
          }}
        />
        <DrawnNote drawn={edges.length} total={total} />
        <span class="space" />
        <AllAccounts focus={focus} />
        <IconButton
          icon="screen-normal"
          label={l10n.t('Fit into the window (0)')}
          onClick={() => {
            viewport.value = undefined;
          }}
        />
        <SaveButtons scene={scene} />
      </div>
      <GraphView
        {...{ scene, viewport, focus, chosen }}
        nodeLabel={(node) => nodeLabel(scene, node)}
        label={l10n.t(
          'Fund flow graph of {0} accounts and {1} arrows: arrow keys move it, + and - zoom, 0 fits it into the window, N goes to the next arrow. The table has the same in words.',
          scene.nodes.length,
          scene.edges.length,
        )}
      />
      <p class="flame-note" role="status">
        {edge ? (
          <Chosen edge={edge} transfers={transfers} />
        ) : (
          <span class="quiet">
            {l10n.t(
              'Choose an account to see its arrows alone, or an arrow (N: the next one) to find it.',
            )}
          </span>
        )}
      </p>
    </>
  );
}

function FundFlowView({
  transfers,
  missing,
  status,
}: TransfersProps & { status: Flow['status'] }): VNode {
  const view = useView();
  if (transfers.length === 0) {
    return (
      <p class="empty">
        {[
          l10n.t('Nothing was transferred.'),
          ...(status ? [] : [l10n.t('The transaction failed, so its transfers were undone.')]),
        ].join(' ')}
      </p>
    );
  }
  return (
    <div class="fund-flow">
      {view.value === 'graph' ? (
        <Graph transfers={transfers} missing={missing} />
      ) : (
        <TransferTable transfers={transfers} lead={<ViewSwitch />} />
      )}
    </div>
  );
}

/** The fund flow as a graph or a table. */
export function FundFlowTab(): VNode {
  return (
    <PartView part="fundFlow" loading={l10n.t('Loading the fund flow…')}>
      {({ fundFlow, status }, missing) => (
        <FundFlowView transfers={fundFlow} missing={missing} status={status} />
      )}
    </PartView>
  );
}
