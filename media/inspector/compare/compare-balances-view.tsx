import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { AddressName } from '../components/address';
import { DataGrid, type Column, type GridRow } from '../components/data-grid';
import { FailureView } from '../components/failure-view';
import { Icon } from '../components/icon';
import { SkeletonRows } from '../components/loading-view';
import { signed } from '../../../server/presentation/decimal';
import { shownText } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { assetNames } from '../../../server/presentation/quantity-segments';
import { compareBalances, isOdd, type BalancePair } from './compare-balances';
import type { CompareState } from './compare-state';

const columns = (): readonly Column[] => [
  { id: 'mark', title: '±', width: '16px', hint: l10n.t('Whether both sides are the same') },
  { id: 'account', title: l10n.t('Account'), width: 'minmax(0, 2fr)' },
  { id: 'asset', title: l10n.t('Asset'), width: 'minmax(0, 1fr)' },
  { id: 'left', title: l10n.t('Left'), width: 'minmax(0, 1fr)', align: 'right' },
  { id: 'right', title: l10n.t('Right'), width: 'minmax(0, 1fr)', align: 'right' },
];
const SYMBOL_LIMIT = 32;

const change = (plain: string): string => (plain === '' ? '–' : signed(plain));

/** Balance changes of both sides. */
export function CompareBalances({ state }: { state: CompareState }): VNode {
  const { left, right, onlyDifferences } = state;
  const names = useInspector().state.names.value;
  const sides = [left, right].map((side) => ({ side, part: side.parts.balanceChange.value }));
  for (const { side, part } of sides) {
    if (part.state === 'failed') {
      return (
        <FailureView
          failure={part.failure}
          onRetry={() => {
            side.load('balanceChange');
          }}
        />
      );
    }
  }
  const [a, b] = sides.map(({ part }) => (part.state === 'ready' ? part.value : undefined));
  if (!a || !b) return <SkeletonRows />;
  const all = compareBalances(a, b);
  const pairs = onlyDifferences.value ? all.filter(({ differs }) => differs) : all;
  if (pairs.length === 0) {
    return (
      <p class="empty">
        {all.length === 0
          ? l10n.t('No balance changed on either side.')
          : l10n.t('The balance changes are the same.')}
      </p>
    );
  }
  const nameOf = assetNames(names, left.nativeSymbol.value, SYMBOL_LIMIT);

  function gridRow(pair: BalancePair, index: number): GridRow {
    const { account, asset } = pair;
    const token = asset.tokenId === undefined ? '' : ` #${shownText(asset.tokenId, 12)}`;
    return {
      key: index,
      class: pair.differs ? 'different' : '',
      cells: [
        pair.differs ? (
          <Icon name="diff-modified" label={l10n.t('differs')} />
        ) : (
          <span class="hidden">{l10n.t('same')}</span>
        ),
        <AddressName key="account" address={account} />,
        <bdi key="asset" title={asset.address}>
          {nameOf(asset) + token}
          {isOdd(pair) && (
            <span
              class="kind odd"
              title={l10n.t(
                'The balance was not compared with the state, or changed by another amount than events claim: see Balance changes of each side',
              )}
            >
              <Icon name="warning" /> {l10n.t('check')}
            </span>
          )}
        </bdi>,
        change(pair.left),
        change(pair.right),
      ],
      text: `${account} ${asset.address}${token}: ${pair.left || '0'} | ${pair.right || '0'}`,
    };
  }

  return (
    <DataGrid
      name="compareBalances"
      label={l10n.t('Balance changes of both sides')}
      columns={columns()}
      items={pairs}
      row={gridRow}
    />
  );
}
