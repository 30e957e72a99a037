import type { Hardfork } from '../../api/config';
import { RpcError, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';
import { toQuantity } from '../../ethereum/quantity';
import { faucetOf } from './faucet';
import { headOf } from '../reads/block-numbers';
import type { ForkFeed } from '../writes/fork-feed';
import { FILTER_METHODS, type ForkFilters } from '../reads/fork-filters';
import { MAX_BLOCKS_PER_CALL, type ForkNode } from '../writes/fork-node';
import { readReceipt } from '../reads/receipts';
import { readAcross } from '../reads/reads-across';
import { CALLS, canonicalName, CHANGES, READS, REFUSED } from './method-names';
import {
  boundCallGas,
  boundSimulationGas,
  changeCalls,
  checkSigned,
  checkTracer,
  checkUnsigned,
  invalidParams,
} from './method-parameters';
import { namedBlock, readInTurn } from '../reads/older-state';
import { replayedRead, type ReplayedBlock, type ReplayedRead } from '../reads/replayed-block';

/** A running fork as its methods see it. */
export interface RunningFork {
  node: ForkNode;
  feed: ForkFeed;
  filters: ForkFilters;
  engine: RpcClient;
  upstream: RpcClient;
  /** What `eth_chainId` answers. */
  chainId: number;
  antiReplay: boolean;
  /** The block that the engine forked from: up to it all is the forked chain's. */
  forkBlock: number;
  /** Newest block that is the forked chain's own, or a replay of it. */
  originalHead: number;
  hardfork: Hardfork;
  /** Of a fork inside a block: that block, as far as the fork has it. */
  replayed?: ReplayedBlock;
  /**
   * What a trace method answers of the forked chain, by executing the block again here.
   * @param place its block, and the index of the transaction; none: all of them
   * @throws ApiError, RpcError
   */
  traceOriginal(call: RpcCall, place: { block: number; index?: number }): Promise<unknown>;
}

/** What is to be done for one call. */
export type ForkMethod =
  /** The engine answers it; it may go side by side with other reads. `replayed` answers it on a fork inside a block. */
  | { kind: 'pass'; call: RpcCall; replayed?: ReplayedRead }
  /** Known without asking anyone. */
  | { kind: 'known'; result: (fork: RunningFork) => unknown }
  /** Reads, but not from the engine alone. */
  | { kind: 'read'; run: (fork: RunningFork) => Promise<unknown> }
  /** Changes the fork: what comes after it in a batch sees it done. */
  | { kind: 'write'; run: (fork: RunningFork) => Promise<unknown> };

const MAX_BUNDLE = 200;

function pass(call: RpcCall): ForkMethod {
  const { method, params } = call;
  const replayed = replayedRead(method);
  if (namedBlock(call) === undefined) return { kind: 'pass', call, ...(replayed && { replayed }) };
  const read = (fork: RunningFork): Promise<unknown> =>
    replayed && fork.replayed
      ? replayed(fork, fork.replayed, params)
      : fork.engine.request(method, params);
  return { kind: 'read', run: (fork) => readInTurn(fork, [call], () => read(fork)) };
}
const known = (result: (fork: RunningFork) => unknown): ForkMethod => ({ kind: 'known', result });
const write = (run: (fork: RunningFork) => Promise<unknown>): ForkMethod => ({
  kind: 'write',
  run,
});

/**
 * The rules of a fork's JSON-RPC address: an allow list, so that it is safe to hand to a stranger.
 * @throws RpcError for a method that is not offered, or parameters that are not accepted
 */
export function forkMethod({ method: original, params }: RpcCall): ForkMethod {
  if (Object.hasOwn(REFUSED, original)) {
    throw new RpcError(-32004, `${original} is not offered on a fork: ${REFUSED[original] ?? ''}`);
  }
  const method = canonicalName(original);
  const across = readAcross(method, params);
  if (across) return { kind: 'read', run: (fork) => across(fork, params) };
  const filter = Object.hasOwn(FILTER_METHODS, method) ? FILTER_METHODS[method] : undefined;
  if (filter) return { kind: 'read', run: (fork) => filter(fork, params) };
  if (READS.has(method)) return pass({ method, params });
  if (CALLS.has(method)) {
    if (method === 'debug_traceCall') checkTracer(params[2]);
    return pass(boundCallGas({ method, params }));
  }
  if (CHANGES.has(method)) return change(original, method, params);
  const give = faucetOf(method);
  if (give) return write((fork) => give(fork, params));
  switch (method) {
    case 'eth_chainId':
      return known(({ chainId }) => toQuantity(chainId));
    case 'eth_blockNumber':
      return known((fork) => toQuantity(headOf(fork)));
    case 'net_version':
    case 'eth_networkId':
      return known(({ chainId }) => String(chainId));
    case 'eth_mining':
      return known(() => false);
    case 'net_peerCount':
      return known(() => '0x0');
    case 'rpc_modules':
      return known(() => ({ anvil: '1.0', eth: '1.0', evm: '1.0', net: '1.0', web3: '1.0' }));
    // A fork holds no keys; wallets and apps ask all the same.
    case 'eth_requestAccounts':
    case 'personal_listAccounts':
    case 'wallet_getPermissions':
      return known(() => []);
    // Every sender is accepted: accounts need not be added, nor unlocked.
    case 'evm_addAccount':
    case 'evm_removeAccount':
    case 'personal_unlockAccount':
    case 'personal_lockAccount':
      return known(() => true);
    case 'wallet_switchEthereumChain':
    case 'wallet_addEthereumChain':
      return known(({ chainId }) => sameChain(params[0], chainId));
    case 'evm_getLatest':
    case 'tenderly_getLatest':
      return { kind: 'read', run: latestBlock };
    case 'eth_simulateV1':
      return pass(boundSimulationGas({ method, params }));
    case 'eth_sendTransaction':
    case 'eth_sendRawTransaction':
      return write(async (fork) => (await send(fork, method, [params[0]], params.slice(1)))[0]);
    case 'eth_sendTransactionSync':
    case 'eth_sendRawTransactionSync':
      return write(async (fork) => {
        const [hash] = await send(fork, method.replace('Sync', ''), [params[0]]);
        return readReceipt(fork, [hash]);
      });
    case 'eth_sendTransactions':
    case 'eth_sendRawTransactions':
      return write((fork) => send(fork, method.slice(0, -1), bundle(method, params[0])));
    case 'evm_mine':
    case 'evm_mine_detailed':
      return write((fork) => mine(fork, method, params[0]));
    case 'anvil_mine':
      return write(({ node }) => mineBlocks(node, params));
    case 'evm_snapshot':
      return write(({ node }) => node.snapshot());
    case 'evm_revert':
      return write(({ node }) => node.revert(snapshotId(params[0])));
    case 'evm_setAutomine':
      return write(({ node }) => node.setAutomine(params[0] === true).then(() => null));
    case 'anvil_getAutomine':
      return { kind: 'read', run: ({ node }) => Promise.resolve(node.automine) };
    case 'evm_setIntervalMining':
      if (Number(params[0]) === 0) return write(() => Promise.resolve(null));
      throw new RpcError(
        -32004,
        'blocks are mined with each transaction, or by evm_mine; not by time',
      );
    case 'anvil_autoImpersonateAccount':
      // Every sender is accepted anyway.
      return write(() => Promise.resolve(null));
    case 'anvil_metadata':
    case 'anvil_nodeInfo':
      return { kind: 'read', run: ({ engine }) => nodeInfo(engine, method) };
  }
  throw new RpcError(-32601, `the method ${original} does not exist or is not available`);
}

function change(original: string, method: string, params: readonly unknown[]): ForkMethod {
  const calls = changeCalls(original, method, params);
  return write(async ({ node }) => {
    let result: unknown = null;
    for (const call of calls) result = await node.change(call);
    return result;
  });
}

function bundle(method: string, transactions: unknown): unknown[] {
  if (!Array.isArray(transactions) || transactions.length === 0) {
    throw invalidParams(`${method} takes one parameter: an array of transactions`);
  }
  if (transactions.length > MAX_BUNDLE) {
    throw invalidParams(`a bundle has at most ${MAX_BUNDLE} transactions`);
  }
  return transactions;
}

function send(
  { node, chainId, antiReplay }: RunningFork,
  method: string,
  transactions: readonly unknown[],
  rest: readonly unknown[] = [],
): Promise<string[]> {
  for (const transaction of transactions) {
    if (method === 'eth_sendRawTransaction') checkSigned(transaction, chainId, antiReplay);
    else checkUnsigned(transaction, chainId);
  }
  return node.send(transactions.map((transaction) => ({ method, params: [transaction, ...rest] })));
}

/** As a wallet that has this one chain (EIP-3085, EIP-3326). */
function sameChain(parameter: unknown, chainId: number): null {
  const asked = (parameter as { chainId?: unknown } | null | undefined)?.chainId;
  if (Number(asked) === chainId) return null;
  throw new RpcError(4902, `this fork is chain ${chainId} and no other`);
}

/** As Tenderly: the newest block in a few words. */
async function latestBlock({ engine }: RunningFork): Promise<unknown> {
  const { number, hash, timestamp } = (await engine.request('eth_getBlockByNumber', [
    'latest',
    false,
  ])) as Record<string, unknown>;
  return { number, hash, timestamp };
}

/** Parameters as in anvil: none, a timestamp, or `{ timestamp, blocks }`. */
async function mine(
  { node, engine }: RunningFork,
  method: string,
  options: unknown,
): Promise<unknown> {
  const { timestamp, blocks } =
    typeof options === 'object' && options !== null
      ? (options as { timestamp?: unknown; blocks?: unknown })
      : { timestamp: options, blocks: undefined };
  const count = wholeNumber('blocks', blocks) ?? 1;
  const at = wholeNumber('timestamp', timestamp);
  await node.mine(blockCount(count), at === undefined ? {} : { timestamp: at });
  if (method === 'evm_mine') return '0x0';
  const mined = node.blocks.slice(-count);
  const outcomes = await engine.requestAll(
    mined.map(({ number }) => ({
      method: 'eth_getBlockByNumber',
      params: [`0x${number.toString(16)}`, true],
    })),
  );
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : null));
}

async function mineBlocks(node: ForkNode, [blocks, interval]: readonly unknown[]): Promise<null> {
  const count = wholeNumber('blocks', blocks) ?? 1;
  const seconds = wholeNumber('interval', interval);
  if (count > 0) {
    await node.mine(blockCount(count), seconds === undefined ? {} : { interval: seconds });
  }
  return null;
}

function blockCount(count: number): number {
  if (count <= MAX_BLOCKS_PER_CALL) return count;
  throw invalidParams(`at most ${MAX_BLOCKS_PER_CALL} blocks can be mined by one call`);
}

/** Numbers, decimal text and hex, as every tool writes them. */
function wholeNumber(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw invalidParams(`${name} must be a whole number`);
}

/** Ids as anvil's, with or without leading zeros, and the UUID of the default snapshot. */
function snapshotId(id: unknown): string {
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  return /^(0x[0-9a-f]+|[0-9]+)$/i.test(text) ? `0x${BigInt(text).toString(16)}` : text;
}

/** Without what it tells of the host: the address that the engine forks from. */
async function nodeInfo(engine: RpcClient, method: string): Promise<unknown> {
  const info = (await engine.request(method, [])) as Record<string, unknown>;
  const { forkConfig } = info;
  return typeof forkConfig === 'object' && forkConfig !== null
    ? { ...info, forkConfig: { ...forkConfig, forkUrl: null } }
    : info;
}
