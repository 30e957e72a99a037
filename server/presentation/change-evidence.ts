import * as l10n from '@vscode/l10n';
import type { AssetChange } from '../api/explorer';
import { NATIVE_ASSET } from '../api/native-asset';
import type { ChangeEvidence, ShownChange } from '../api/shown-change';
import { netText, type NetAmount } from '../api/net-amount';
import { signed } from './decimal';

const PROOFS: Readonly<Record<ChangeEvidence, string>> = {
  measured: 'measured',
  contradicted: 'measured, events differ',
  unreported: 'measured, no event',
  claimed: 'not measured',
};

/** What a balance change rests on, for a column of a table. The same in every language, as all that is copied. */
export const changeProof = (evidence: ChangeEvidence): string => PROOFS[evidence];

/**
 * Follows a balance change that is not simply measured; empty for one that is.
 * @param claimed what events claim instead, with its sign
 */
export function evidenceText(evidence: ChangeEvidence, claimed: string): string {
  switch (evidence) {
    case 'measured':
      return '';
    case 'contradicted':
      return l10n.t('events claim {0}', claimed);
    case 'unreported':
      return l10n.t('unexplained');
    case 'claimed':
      return l10n.t('not measured');
  }
}

/** A change as its mark explains it: signed plain decimals. */
interface Explained extends Pick<ShownChange, 'evidence'> {
  readonly asset: Pick<AssetChange, 'address'>;
  readonly plain: string;
  readonly claimed?: string;
}

/** The mark of a balance change in a sentence; empty for one that is simply measured. */
export function evidenceTitle({ asset, evidence, plain, claimed = '' }: Explained): string {
  switch (evidence) {
    case 'measured':
      return '';
    case 'contradicted':
      return l10n.t(
        'Events and calls claim {0}, but the balance changed by {1}',
        signed(claimed),
        signed(plain),
      );
    case 'unreported':
      return l10n.t('No event and no call explains this balance change');
    case 'claimed':
      return asset.address === NATIVE_ASSET
        ? l10n.t('Calls say so. The balance was not compared with the state')
        : l10n.t('Events say so. The balance was not compared with the state');
  }
}

/** Whether an amount is in the smallest unit of a token, because its decimals are unknown. Collectibles are counted. */
export const isRaw = (
  { amount, rawAmount }: NetAmount,
  { isERC721, isERC1155 }: Pick<AssetChange, 'isERC721' | 'isERC1155'>,
): boolean => amount === '' && rawAmount !== '0' && !isERC721 && !isERC1155;

/** A change in a table: `4.5`, `-500 raw`. */
export const shownNet = (net: NetAmount, asset: AssetChange): string =>
  `${netText(net)}${isRaw(net, asset) ? ' raw' : ''}`;
