import { NATIVE_ASSET, NODE_TYPE } from '../api/explorer';
import type { Analysis } from '../api/views';
import { parseAmount } from './amounts';
import { callOf, type TransactionCall } from './transaction-call';

/** A balance and by how much it changes, fees left out. */
export interface BalanceAssertion {
  account: string;
  kind: 'native' | 'erc20' | 'erc721' | 'erc1155';
  /** Token contract; of the native asset its usual stand-in. */
  asset: string;
  /** Decimal; of ERC-721 and ERC-1155. */
  tokenId: string | undefined;
  /** Signed, in the smallest unit. */
  change: bigint;
  /** Names for the reader: `alice USDC`. */
  label: string;
}

/** What a test of a transaction has to know. */
export interface TestedTransaction extends TransactionCall {
  hash: string;
  /** Slug of the chain, or id of the fork. */
  chain: string;
  blockNumber: number;
  position: number;
  /** Unix seconds. */
  timestamp: number;
  /** Wei per gas; undefined where it cannot be told. */
  gasPrice: bigint | undefined;
  status: boolean;
  /** 0x hex: what a reverted call gave back; empty where nothing. */
  revertData: string;
  /** EIP-7702: accounts and the contracts whose code they take on. */
  delegations: readonly { authority: string; address: string }[];
  /** EIP-4844 */
  blobHashes: readonly string[];
  assertions: readonly BalanceAssertion[];
  /** Changes that are left out, as nothing proves them. */
  unproved: number;
}

/** What an analysis tells for a test. */
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

/** What the state itself does not bear out is no assertion; where it says otherwise, it counts. */
const assertionsOf =
  ({ labels, transaction }: Analysis) =>
  ({ account, assets }: Account): BalanceAssertion[] =>
    assets.flatMap((asset) => {
      const isCollectible = asset.isERC721 || asset.isERC1155;
      const isProved = asset.verified === true || isCollectible;
      const truth = asset.measured ?? (isProved ? asset : undefined);
      // Nobody owns what is not minted yet, and most tokens refuse to be asked.
      if (truth === undefined || (isCollectible && account === NOBODY)) return [];
      const magnitude = BigInt(truth.rawAmount);
      const symbol =
        asset.symbol ?? (asset.address === NATIVE_ASSET ? transaction.nativeSymbol : asset.address);
      return {
        account,
        kind: kindOf(asset),
        asset: asset.address,
        tokenId: asset.tokenId,
        change: truth.sign ? magnitude : -magnitude,
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

/** The fee of a rollup holds more than gas, and then is no multiple of it. */
function gasPriceOf({ transaction: { fee, gasUsed, blobs } }: Analysis): bigint | undefined {
  const wei = fee === '' || blobs !== undefined ? undefined : parseAmount(fee, 18);
  if (wei === undefined || gasUsed === 0 || wei % BigInt(gasUsed) !== 0n) return undefined;
  return wei / BigInt(gasUsed);
}
