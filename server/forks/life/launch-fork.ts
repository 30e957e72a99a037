import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../../api/errors';
import type { OnProgress } from '../../api/progress';
import type { Engine } from '../../evm/forms/engine';
import { headOfEngine } from '../../evm/forms/block-header';
import type { RpcClient } from '../../evm/forms/json-rpc';
import type { MnemonicKeys } from '../../evm/forms/mnemonic-accounts';
import { retryOnEngineEnd } from '../../evm/forms/engine-ended-error';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock, RpcBlockHeader, RpcReceipt } from '../../evm/forms/types';
import { LIMITS } from '../../api/limits';
import type { ExactExecution } from '../../execution/prefix/apply-executed';
import type { BlockExecutor } from '../../execution/prefix/block-executor';
import { EngineBlobGas } from '../../execution/prefix/engine-blob-gas';
import { applyTransactions } from '../../execution/prefix/apply-prefix';
import type { BlobRules } from '../../evm/rules/blob-price';
import { isCelo } from '../../evm/families/celo/celo';
import { nextBaseFee } from '../../evm/families/op-stack/next-base-fee';
import { SYSTEM_CONTRACTS } from '../../evm/rules/system-contracts';
import type { ReplayComparison } from '../../execution/prefix/compare-receipts';
import { loggedAddresses, mentionedAccounts } from '../../execution/prefix/prefix-selection';
import { planReplay, type ReplayStep } from '../../execution/prefix/replay-steps';
import { fetchBlockInParts } from '../../execution/prefix/upstream-block';
import { settled } from '../../kernel/async/settled';
import { fundAccounts, keysOf } from './fork-accounts';
import {
  blobRulesOf,
  isStateProved,
  originalBlocksOf,
  rpcChainIdOf,
  type ForkRecord,
} from './fork-record';
import { PinnedChain } from './pinned-chain';
import type { ForkPorts } from './ports';
import { replayedBlock, type ReplayedBlock } from '../reads/replayed-block';
import { loadAccounts } from '../writes/system-contracts';

/** An engine at a fork point. */
export interface LaunchedFork {
  engine: Engine;
  upstream: RpcClient;
  /** Set if transactions of the block were replayed. */
  prefix?: { comparison: ReplayComparison; block: ReplayedBlock };
  /** Keys of the fork's own accounts. */
  keys: MnemonicKeys;
  /** Sets the blob gas of the fork's blocks. */
  blobGas: EngineBlobGas | undefined;
  /** Addresses of the accounts whose delegation was removed. */
  undelegated: readonly string[];
}

type LaunchPorts = Pick<
  ForkPorts,
  'chains' | 'upstreamOf' | 'openUpstream' | 'startEngine' | 'executor' | 'log'
>;

/**
 * Starts an engine at the fork point of a record. An engine that ends before it is ready is replaced once.
 * @throws ApiError; nothing keeps running then
 */
export const launchFork = (
  record: ForkRecord,
  ports: LaunchPorts,
  signal?: AbortSignal,
  onProgress?: OnProgress,
): Promise<LaunchedFork> =>
  retryOnEngineEnd(signal, () => launchOnce(record, ports, signal, onProgress));

async function launchOnce(
  record: ForkRecord,
  ports: LaunchPorts,
  signal: AbortSignal | undefined,
  onProgress: OnProgress | undefined,
): Promise<LaunchedFork> {
  const upstream = chainOf(record, ports);
  const keys = keysOf(record);
  // Requested while the network of the engines and the engine start.
  const prefix = settled(readPrefix(upstream, record, signal));
  const lease = await ports.openUpstream({
    chainId: record.chainId,
    blockNumber: record.base,
    upstream,
  });
  lease.preloadBlock({ forRevert: record.prefix > 0 });
  lease.preload([...keys.addresses, ...SYSTEM_CONTRACTS]);
  const planned = settled(
    prefix().then(async (read) => {
      if (!read) return undefined;
      lease.preload(mentionedIn(read));
      // The requests leave before the transactions are encoded, which takes a while.
      await setImmediate();
      const { block, receipts } = read;
      return { ...read, steps: await planReplay(block, receipts, upstream, signal) };
    }),
  );
  let engine: Engine | undefined;
  try {
    engine = await ports.startEngine(
      {
        upstream: { ...lease, blockNumber: record.base, name: `chain ${record.chain}` },
        // The transactions of the block are signed for the chain's own id.
        chainId: record.prefix > 0 ? record.chainId : rpcChainIdOf(record),
        hardfork: record.hardfork,
        isCelo: isCelo(record.chainId),
      },
      signal,
    );
    void engine.exited.then(() => {
      lease.close();
    });
    const read = await planned();
    const exact = read && exactExecution(ports.executor, upstream, record, read);
    const rules = record.keepsBlobGas ? blobRulesOf(record) : undefined;
    const options = { rules, exact, signal, onProgress };
    const applied = await applyPrefix(engine.rpc, upstream, read, options);
    const original = (await prefix())?.block;
    const { undelegated, blobGas } = await settle(
      engine.rpc,
      record,
      { addresses: keys.addresses, original },
      signal,
    );
    return {
      engine,
      upstream,
      keys,
      undelegated,
      blobGas,
      ...(applied ? { prefix: applied } : {}),
    };
  } catch (error) {
    await engine?.stop();
    lease.close();
    throw error;
  }
}

/** The chain as the fork sees it. A fork whose block has left the chain says so in its warnings. */
function chainOf(record: ForkRecord, { chains, upstreamOf, log }: LaunchPorts): RpcClient {
  const upstream = upstreamOf(chains.bySlug(record.chain));
  const [newest, ...others] = originalBlocksOf(record);
  if (!newest) return upstream;
  const pinned = new PinnedChain(upstream, record.chain, [newest, ...others], (message) => {
    const known = record.warnings ?? [];
    if (known.includes(message)) return;
    record.warnings = [...known, message];
    log.warn({ forkId: record.forkId, chain: record.chain }, message);
  });
  void pinned.check();
  return pinned;
}

/** The execution of the block by its chain's own rules, where the engine's are others. */
function exactExecution(
  executor: BlockExecutor | undefined,
  rpc: RpcClient,
  record: ForkRecord,
  { whole }: Prefix,
): ExactExecution | undefined {
  if (!executor) return undefined;
  const place = { rpc, ...blobRulesOf(record), header: whole };
  return isStateProved(record) ? { executor, place } : { executor, place, whole };
}

/** The transactions to replay, in their block, and their receipts. */
interface Prefix {
  block: RpcBlock;
  /** With all of its transactions. */
  whole: RpcBlock;
  receipts: RpcReceipt[];
}

async function readPrefix(
  upstream: RpcClient,
  record: ForkRecord,
  signal: AbortSignal | undefined,
): Promise<Prefix | undefined> {
  const { chain, height, prefix } = record;
  if (prefix === 0) return undefined;
  const parts = await fetchBlockInParts(upstream, height, prefix, {
    signal,
    rules: blobRulesOf(record),
  });
  if (!parts) {
    throw new ApiError(
      'upstreamLacksData',
      `the node of chain ${chain} does not return block ${height}`,
    );
  }
  return {
    whole: parts.block,
    block: { ...parts.block, transactions: parts.block.transactions.slice(0, prefix) },
    receipts: await parts.receipts(),
  };
}

const mentionedIn = ({ block, receipts }: Prefix): string[] => [
  block.miner,
  ...receipts.flatMap(loggedAddresses),
  ...block.transactions.flatMap((transaction, index) => [
    ...mentionedAccounts(transaction, receipts[index]),
  ]),
];

async function applyPrefix(
  engine: RpcClient,
  upstream: RpcClient,
  prefix: (Prefix & { steps: readonly ReplayStep[] }) | undefined,
  {
    rules,
    exact,
    signal,
    onProgress,
  }: {
    rules: BlobRules | undefined;
    exact: ExactExecution | undefined;
    signal: AbortSignal | undefined;
    onProgress: OnProgress | undefined;
  },
): Promise<LaunchedFork['prefix']> {
  if (!prefix) return undefined;
  const { block, receipts, steps } = prefix;
  const total = block.transactions.length;
  const reportProgress = (done: number): void => {
    onProgress?.({ stage: 'replaying transactions', done, total });
  };
  // Reported early, because most of the time passes before the first transaction is applied: the engine loads the state that all of them
  // touch.
  reportProgress(0);
  const comparison = await applyTransactions(engine, block, total, {
    receipts,
    upstream,
    rules,
    steps,
    exact,
    signal,
    onProgress: reportProgress,
  });
  const mined = (await engine.request('eth_getBlockByNumber', [block.number, false], {
    signal,
  })) as RpcBlockHeader;
  return { comparison, block: replayedBlock(block, receipts, mined.hash) };
}

/**
 * Applies settings before the first request: the chain id, blob gas, any sender, the gas limit, the balances of the fork's own accounts.
 * @param original the block whose first transactions were replayed
 * @returns addresses of the accounts whose delegation was removed
 */
async function settle(
  engine: RpcClient,
  record: ForkRecord,
  { addresses, original }: { addresses: readonly string[]; original: RpcBlock | undefined },
  signal: AbortSignal | undefined,
): Promise<Pick<LaunchedFork, 'undelegated' | 'blobGas'>> {
  if (record.prefix > 0 && record.antiReplay) {
    await engine.request('anvil_setChainId', [rpcChainIdOf(record)], { signal });
  }
  const head = await headOfEngine(engine, { signal });
  if (record.baseFee) {
    const params = [toQuantity(nextBaseFee(record.baseFee, head))];
    await engine.request('anvil_setNextBlockBaseFeePerGas', params, { signal });
  }
  const blobGas = record.keepsBlobGas
    ? new EngineBlobGas(engine, blobRulesOf(record), rpcChainIdOf(record), original ?? head)
    : undefined;
  await blobGas?.enter(head, signal);
  const [codes] = await Promise.all([
    loadAccounts(engine, addresses, head.miner, signal),
    engine.request('anvil_autoImpersonateAccount', [true], { signal }),
  ]);
  // A fork inside a block has its fee recipient already.
  if (record.prefix === 0 && record.keepsFeeRecipient) {
    await engine.request('anvil_setCoinbase', [head.miner], { signal });
  }
  if (BigInt(head.gasLimit) > LIMITS.gas) {
    await engine.request('anvil_setBlockGasLimit', [toQuantity(LIMITS.gas)], { signal });
  }
  return { undelegated: await fundAccounts(engine, addresses, codes, signal), blobGas };
}
