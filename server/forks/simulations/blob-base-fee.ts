import type { Address, Hash, Hex } from '../../api/primitives';
import { RPC_CODES } from '../../api/rpc-codes';
import type { StateOverrides } from '../../api/simulate';
import { neverAborted } from '../../kernel/async/never-aborted';
import { isMissing, type Fields } from '../../evm/forms/fields';
import { RpcError } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { RpcBlockHeader, RpcTransaction } from '../../evm/forms/types';
import type {
  OpenBlock,
  Simulated,
  SimulatedTransaction,
} from '../../execution/prefix/block-executor';
import { blobPriceOfCalls } from '../../execution/prefix/engine-blob-price';
import { blobPriceAt, hasEthereumBlobs, type BlobRules } from '../../evm/rules/blob-price';
import { knownChain } from '../../evm/families/known-chains';
import type { RunningFork } from '../reads/running-fork';

/** A call, the block that it sees, and the price of blob gas in it, in wei. */
export interface PricedCall {
  readonly call: Fields;
  readonly gas: bigint;
  readonly header: RpcBlockHeader;
  readonly price: bigint;
  readonly overrides: Fields;
}

/** Whether the prices of a chain's blob gas follow Ethereum's rules, also on its forks. */
export const hasBlobPrices = ({ blobRules }: Pick<RunningFork, 'blobRules'>): boolean =>
  hasEthereumBlobs(blobRules.chainId) && knownChain(blobRules.chainId).differences === undefined;

/** Price in a block with this excess, in wei. @param time of the block, Unix seconds */
export const priceOfExcess = (rules: BlobRules, excess: bigint, time: bigint): bigint =>
  blobPriceAt(rules, { excessBlobGas: toQuantity(excess), timestamp: toQuantity(time) }) ?? 1n;

/**
 * Executes calls one after the other, each with the price of blob gas of its own block: the engine has one price for all of them.
 * @param base the block after which they are executed
 * @returns undefined if the engine has the right prices, or no call reads them
 * @throws RpcError if the calls cannot be executed so, since whether they read the price is then unknown
 */
export async function executeWithPrices(
  fork: RunningFork,
  base: RpcBlockHeader,
  calls: readonly PricedCall[],
  enginePrice: bigint,
): Promise<Simulated[] | undefined> {
  if (calls.every(({ price }) => price === enginePrice)) return undefined;
  let open: OpenBlock | undefined;
  try {
    const { engine: rpc, chainId, hardfork } = fork;
    const place = { rpc, chainId, hardfork, header: base, isOver: true };
    open = await fork.executor?.open(place, neverAborted());
    if (!open) throw new Error('nothing executes them otherwise');
    const results: Simulated[] = [];
    for (const one of calls) results.push(await open.simulate(simulationOf(one)));
    if (!results.some(({ readsBlobBaseFee }) => readsBlobBaseFee)) return undefined;
    if (!calls.every(isExact)) throw new Error('a call has a fee or blobs');
    return results;
  } catch (error) {
    throw unknownPrice(error instanceof Error ? error.message : String(error));
  } finally {
    open?.close();
  }
}

/** The price that the engine has in calls on a block, in wei. */
export const enginePriceAt = ({ engine }: RunningFork, block: string): Promise<bigint> =>
  blobPriceOfCalls(engine, undefined, block);

const UNKNOWN =
  'BLOBBASEFEE in this block is not known to the engine, and the calls were not executed with the right one';

export const unknownPrice = (reason: string): RpcError =>
  new RpcError(RPC_CODES.notSupported, `${UNKNOWN}: ${reason}`);

export const isUnknownPrice = (error: unknown): boolean =>
  error instanceof RpcError && error.message.startsWith(UNKNOWN);

const LISTS = ['accessList', 'authorizationList'] as const;
const hasLists = ({ call }: PricedCall): boolean => LISTS.some((name) => !isMissing(call[name]));

/** Whether the executor has the results of a call, and not only whether it reads the price: fees and blobs are left out. */
const isExact = (one: PricedCall): boolean =>
  ['gasPrice', 'maxFeePerGas'].every(
    (name) => BigInt((one.call[name] ?? '0x0') as string) === 0n,
  ) &&
  isMissing(one.call['blobVersionedHashes']) &&
  (!hasLists(one) || BigInt(one.header.baseFeePerGas ?? '0x0') === 0n);

function simulationOf(one: PricedCall): SimulatedTransaction {
  const { call, gas, header, price, overrides } = one;
  const { from = `0x${'0'.repeat(40)}`, to = null, value = '0x0', data, input = data } = call;
  const zero = toWord(0);
  const lists = LISTS.filter((name) => !isMissing(call[name])).map((name) => [name, call[name]]);
  const isBare = lists.length === 0;
  const transaction = {
    hash: zero,
    blockHash: zero,
    blockNumber: header.number,
    transactionIndex: '0x0',
    nonce: '0x0',
    gas: toQuantity(gas),
    gasPrice: '0x0',
    type: isMissing(call['authorizationList']) ? (isBare ? '0x0' : '0x2') : '0x4',
    from: (from as string).toLowerCase() as Address,
    to: to === null ? null : ((to as string).toLowerCase() as Address),
    value: toQuantity(BigInt(value as string)),
    input: (input ?? '0x') as Hex,
    ...Object.fromEntries(lists),
  } as RpcTransaction;
  return {
    transaction,
    header: isBare ? header : { ...header, baseFeePerGas: '0x0' },
    overrides: stateOverridesOf(overrides),
    blobBaseFee: toQuantity(price),
    isBare,
  };
}

function stateOverridesOf(given: Fields): StateOverrides {
  const overrides: StateOverrides = {};
  for (const [address, override] of Object.entries(given)) {
    const { balance, nonce, code, state, stateDiff } = override as Fields;
    overrides[address.toLowerCase() as Address] = {
      ...(isMissing(balance) ? {} : { balance: toQuantity(BigInt(balance as string)) }),
      ...(isMissing(nonce) ? {} : { nonce: toQuantity(BigInt(nonce as string)) }),
      ...(isMissing(code) ? {} : { code: code as Hex }),
      ...(isMissing(state) ? {} : { state: slotsOf(state as Fields) }),
      ...(isMissing(stateDiff) ? {} : { stateDiff: slotsOf(stateDiff as Fields) }),
    };
  }
  return overrides;
}

const slotsOf = (slots: Fields): Record<Hash, Hash> =>
  Object.fromEntries(
    Object.entries(slots).map(([slot, value]) => [
      toWord(BigInt(slot)),
      toWord(BigInt(value as string)),
    ]),
  );
