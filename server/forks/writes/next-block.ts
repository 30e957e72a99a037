import { headOfEngine } from '../../evm/forms/block-header';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlockHeader } from '../../evm/forms/types';

/** Settings of the next block, except its transactions and its time. Quantities. */
export interface NextBlock {
  number: string;
  baseFeePerGas?: string;
  /** Before EIP-1559. */
  minGasPrice?: string;
  gasLimit: string;
  miner: string;
  /** Before the merge, the first block of a fork has the fork point's difficulty, and later ones have none. */
  difficulty?: string;
  /** Derived from the last mined block; EIP-4844. */
  excessBlobGas?: string;
  /** Price of blob gas in wei; EIP-4844. */
  blobBaseFee?: string;
}

/**
 * Calls that read the settings of the next block; see `toNextBlock`. They are cheap while the pool is empty, because the engine executes
 * pooled transactions to answer them.
 */
export const NEXT_BLOCK_CALLS: readonly RpcCall[] = [
  { method: 'eth_getBlockByNumber', params: ['pending', false] },
  { method: 'eth_gasPrice', params: [] },
  { method: 'eth_blobBaseFee', params: [] },
];

/** @param answers results of `NEXT_BLOCK_CALLS` */
export function toNextBlock(answers: readonly unknown[]): NextBlock {
  const [pending, minGasPrice, blobBaseFee] = answers as [RpcBlockHeader, string, string];
  const { number, baseFeePerGas, gasLimit, miner, difficulty, excessBlobGas } = pending;
  return {
    number,
    gasLimit,
    miner,
    ...(difficulty === undefined ? {} : { difficulty }),
    ...(baseFeePerGas === undefined ? { minGasPrice } : { baseFeePerGas }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas, blobBaseFee }),
  };
}

/**
 * Makes the calls, and then reads the settings of the next block, in one batch.
 * @returns the results of the calls, in their order, and the settings
 * @throws RpcError, ApiError
 */
export async function requestWithNextBlock(
  engine: RpcClient,
  calls: readonly RpcCall[],
): Promise<{ answers: unknown[]; next: NextBlock }> {
  const answers = await requestEach(engine, [...calls, ...NEXT_BLOCK_CALLS]);
  const next = toNextBlock(answers.splice(calls.length));
  return { answers, next };
}

/** Calls for the settings that have their own methods; see `restoreNextBlock` for the others. */
export function settingCalls({
  miner,
  gasLimit,
  baseFeePerGas,
  minGasPrice,
}: NextBlock): RpcCall[] {
  const set = (method: string, value: string): RpcCall => ({ method, params: [value] });
  return [
    set('anvil_setCoinbase', miner),
    set('anvil_setBlockGasLimit', gasLimit),
    ...(baseFeePerGas === undefined ? [] : [set('anvil_setNextBlockBaseFeePerGas', baseFeePerGas)]),
    ...(minGasPrice === undefined ? [] : [set('anvil_setMinGasPrice', minGasPrice)]),
  ];
}

/**
 * Restores the settings of the next block to those at a snapshot, after the engine's `evm_revert` and `settingCalls`. The engine derives
 * some of them from the blocks that it mined last, even if these were reverted; `anvil_loadState` sets them.
 * @param now the present settings
 * @returns false if these settings cannot be restored
 */
export async function restoreNextBlock(
  engine: RpcClient,
  wanted: NextBlock,
  now: NextBlock,
): Promise<boolean> {
  if (isSame(now, wanted)) return true;
  if (!isSameBlobGas(now, wanted)) await restoreBlobGas(engine, wanted);
  if (wanted.difficulty !== now.difficulty) await restoreDifficulty(engine, wanted.difficulty);
  const { next } = await requestWithNextBlock(engine, settingCalls(wanted));
  return isSame(next, wanted);
}

const isSame = (a: NextBlock, b: NextBlock): boolean => JSON.stringify(a) === JSON.stringify(b);

/** More than the amount that a block may subtract from the excess. */
const MARGIN = 2n ** 24n;

/**
 * Unix seconds of Ethereum's Cancun and Prague. The price of blob gas depends on an update fraction. The engine derives it from its
 * hardfork for a mined block, and from the time for a loaded one.
 */
const TIMES_OF_FRACTIONS = [1_710_338_135, 1_746_612_311];

/** Loads a block with a suitable header on top of the head, and reverts it. The excess blob gas derived from it remains. */
async function restoreBlobGas(engine: RpcClient, wanted: NextBlock): Promise<void> {
  const head = await headOfEngine(engine);
  const excess = BigInt(wanted.excessBlobGas ?? '0x0');
  const before = await engine.request('evm_snapshot', []);
  // The engine adds to the excess by EIP-7918 if the base fee is high.
  await engine.request('anvil_setNextBlockBaseFeePerGas', ['0x0']);
  let parentExcess = excess + MARGIN;
  const own = Number(head.timestamp);
  // The first attempt shows how much the engine subtracts from the excess.
  for (const time of [own, own, ...TIMES_OF_FRACTIONS]) {
    await loadChild(engine, head, { parentExcess, time });
    const { next: now } = await requestWithNextBlock(engine, []);
    if (isSameBlobGas(now, wanted)) break;
    parentExcess += excess - BigInt(now.excessBlobGas ?? '0x0');
  }
  await engine.request('evm_revert', [before]);
}

const isSameBlobGas = (a: NextBlock, b: NextBlock): boolean =>
  a.excessBlobGas === b.excessBlobGas && a.blobBaseFee === b.blobBaseFee;

/** @param parentExcess blob gas; @param time Unix seconds */
function loadChild(
  engine: RpcClient,
  head: RpcBlockHeader,
  { parentExcess, time }: { parentExcess: bigint; time: number },
): Promise<void> {
  const number = Number(head.number) + 1;
  const header = {
    ...head,
    number: toQuantity(number),
    timestamp: toQuantity(time),
    baseFeePerGas: '0x0',
    excessBlobGas: toQuantity(parentExcess),
    blobGasUsed: '0x0',
  };
  return loadHead(engine, head, { number }, [{ header, transactions: [], ommers: [] }]);
}

async function restoreDifficulty(engine: RpcClient, difficulty: string | undefined): Promise<void> {
  const head = await headOfEngine(engine);
  await loadHead(engine, head, { number: Number(head.number), difficulty }, []);
}

/** Replaces the engine's head and the environment of its next block. The caller restores the settings of that block. */
async function loadHead(
  engine: RpcClient,
  head: RpcBlockHeader,
  { number, difficulty = '0x0' }: { number: number; difficulty?: string | undefined },
  blocks: readonly object[],
): Promise<void> {
  const block = {
    number: toQuantity(number),
    beneficiary: head.miner,
    timestamp: head.timestamp,
    gas_limit: 30_000_000,
    // Zero would disable the check of the base fee.
    basefee: 1,
    difficulty,
    prevrandao: head.mixHash,
    blob_excess_gas_and_price: null,
  };
  const state = { block, best_block_number: number, accounts: {}, blocks };
  const bytes = `0x${Buffer.from(JSON.stringify(state)).toString('hex')}`;
  await engine.request('anvil_loadState', [bytes]);
}
