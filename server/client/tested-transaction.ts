import { NATIVE_ASSET, NODE_TYPE } from '../api/explorer';
import type { Analysis } from '../api/views';
import { parseAmount } from './amounts';
import { callOf, type TransactionCall } from './transaction-call';

/** The change of a balance, without fees. */
export interface BalanceAssertion {
  account: string;
  kind: 'native' | 'erc20' | 'erc721' | 'erc1155';
  /** Token contract, or the placeholder address of the native asset. */
  asset: string;
  /** Decimal; only for ERC-721 and ERC-1155. */
  tokenId: string | undefined;
  /** Signed, in the smallest unit. */
  change: bigint;
  /** Names for the reader: `alice USDC`. */
  label: string;
}

/** The facts that a test of a transaction needs. */
export interface TestedTransaction extends TransactionCall {
  hash: string;
  /** Slug of the chain or id of the fork. */
  chain: string;
  blockNumber: number;
  position: number;
  /** Unix seconds. */
  timestamp: number;
  /** Wei per gas; undefined if unknown. */
  gasPrice: bigint | undefined;
  status: boolean;
  /** 0x hex: the return data of a reverted call; empty if there was none. */
  revertData: string;
  /** EIP-7702: accounts and the contracts that they delegate to. */
  delegations: readonly { authority: string; address: string }[];
  /** EIP-4844 */
  blobHashes: readonly string[];
  assertions: readonly BalanceAssertion[];
  /** Number of changes without assertion, because they are not proved. */
  unproved: number;
}

/** Extracts the facts for a test from an analysis. */
export function testedTransaction(analysis: Analysis): TestedTransaction {
  const { transaction, gasProfile } = analysis;
  const call = callOf(analysis);
  const gas =
    typeof gasProfile?.intrinsicGas === 'number'
      ? gasProfile.gasLimit - gasProfile.intrinsicGas
      : undefined;
  const changes = analysis.balanceChange ?? [];
  const assertions = analysis.status ? changes.flatMap(assertionsOf(analysis)) : [];
  return {
    ...call,
    gas,
    hash: transaction.hash,
    chain: transaction.chain,
    blockNumber: transaction.blockNumber,
    position: transaction.position,
    timestamp: transaction.timestamp,
    gasPrice: gasPriceOf(analysis),
    status: analysis.status,
    revertData: analysis.status ? '' : outputOf(analysis),
    delegations: (transaction.authorizations ?? []).filter(({ authority }) => authority !== ''),
    blobHashes: transaction.blobs?.versionedHashes ?? [],
    assertions,
    unproved: analysis.status
      ? changes.reduce((sum, { assets }) => sum + assets.length, 0) - assertions.length
      : 0,
  };
}

type Account = NonNullable<Analysis['balanceChange']>[number];
type Asset = Account['assets'][number];

const NOBODY = `0x${'0'.repeat(40)}`;

/** Only proved changes become assertions. If the measured change differs from the trace, the measured one counts. */
const assertionsOf =
  ({ labels, transaction }: Analysis) =>
  ({ account, assets }: Account): BalanceAssertion[] =>
    assets.flatMap((asset) => {
      const isCollectible = asset.isERC721 || asset.isERC1155;
      const isProved = asset.verified === true || isCollectible;
      const provedChange = asset.measured ?? (isProved ? asset : undefined);
      // Tokens before their mint belong to the zero address, and most contracts reject queries for its balance.
      if (provedChange === undefined || (isCollectible && account === NOBODY)) return [];
      const magnitude = BigInt(provedChange.rawAmount);
      const symbol =
        asset.symbol ?? (asset.address === NATIVE_ASSET ? transaction.nativeSymbol : asset.address);
      return {
        account,
        kind: kindOf(asset),
        asset: asset.address,
        tokenId: asset.tokenId,
        change: provedChange.sign ? magnitude : -magnitude,
        label: `${labels[account] ?? account} ${symbol}`,
      };
    });

function kindOf({ address, isERC721, isERC1155 }: Asset): BalanceAssertion['kind'] {
  if (address === NATIVE_ASSET) return 'native';
  if (isERC721) return 'erc721';
  return isERC1155 ? 'erc1155' : 'erc20';
}

function outputOf({ dataMap }: Analysis): string {
  const top = dataMap['0'];
  return top?.nodeType === NODE_TYPE.invocation ? top.invocation.output : '';
}

/** The fee of a rollup includes more than gas, and is then not a multiple of the gas used. */
function gasPriceOf({ transaction: { fee, gasUsed, blobs } }: Analysis): bigint | undefined {
  const wei = fee === '' || blobs !== undefined ? undefined : parseAmount(fee, 18);
  if (wei === undefined || gasUsed === 0 || wei % BigInt(gasUsed) !== 0n) return undefined;
  return wei / BigInt(gasUsed);
}
