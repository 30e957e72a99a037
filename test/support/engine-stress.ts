import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Wallet } from 'ethers';
import { findAnvil } from '../../server/chains/engine/binary';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import { TestForks } from '../integration/fork-service';
import { ethChain, TestChain, testEngines, type TestEngines } from '../integration/fork-upstream';
import { call, post, type RpcReply } from './json-rpc';
import {
  CONTRACTS,
  COUNTER,
  LEDGER,
  LOTTERY,
  SILENT_LOTTERY,
  type FixedContract,
} from './mainnet-contracts';
import { MainnetUpstream } from './mainnet-upstream';
import { eachObject, UpstreamProxy, withoutDebugApi } from './upstream-proxy';

/** Blobs per block (EIP-7691). */
const BLOBS_IN_A_BLOCK = 9;
/** EIP-4844: the versioned hash of a blob of zeros, whose commitment is the point at infinity. */
const BLOB_HASH = `0x01${createHash('sha256')
  .update(Buffer.from(`c0${'00'.repeat(47)}`, 'hex'))
  .digest('hex')
  .slice(2)}`;
const SENDERS = Array.from({ length: 60 }, (_, i) => new Wallet(toWord(0x5e00 + i)));
/** Reads eight slots and eight balances, which depend on PREVRANDAO and the sender. Receipts do not depend on them. */
const SCATTER: FixedContract = {
  address: `0x${'5c'.repeat(20)}`,
  code: `0x443301${'8054508031506001'.concat('01').repeat(8)}00`,
};
/** No creation takes longer, even on a busy machine. */
const HANGS_AFTER_MS = 120_000;

/** A block with many transactions. Forks are created inside it. */
export interface BusyBlock {
  name: string;
  url: string;
  number: number;
  transactions: number;
  /** Replaces the node's own value. */
  mixHash?: string;
  close(): Promise<void>;
}

/** A block of 180 transactions of an independent node. They scatter their reads by its PREVRANDAO, draw lots, or use their own storage. */
export async function randomBlock(): Promise<BusyBlock> {
  const mainnet = await MainnetUpstream.start();
  const { rpc, url } = mainnet;
  await rpc.request('hardhat_setCode', [SCATTER.address, SCATTER.code]);
  for (const { address } of SENDERS) {
    await rpc.request('hardhat_setBalance', [address, toQuantity(10n ** 18n)]);
  }
  await mainnet.mine();
  const targets = [SCATTER, LEDGER, SCATTER, LOTTERY];
  for (let i = 0; i < 3 * SENDERS.length; i++) {
    const to = targets[i % targets.length]?.address ?? null;
    const sender = SENDERS[i % SENDERS.length];
    if (sender) await mainnet.send(sender, { to, gasLimit: 150_000 });
  }
  const number = await mainnet.mine();
  const block = await call<{ transactions: string[] }>(
    url,
    'eth_getBlockByNumber',
    toQuantity(number),
    false,
  );
  assert.equal(block.transactions.length, 3 * SENDERS.length);
  const close = (): Promise<void> => mainnet.close();
  return { name: 'PREVRANDAO', url, number, transactions: 3 * SENDERS.length, close };
}

/** A block of 129 transactions, 9 of them with a blob, and some that read a PREVRANDAO that no engine chooses. */
export async function blobBlock(): Promise<BusyBlock> {
  const engines = await testEngines();
  const chain = await TestChain.start(engines.start);
  const { rpc, url } = chain.engine;
  for (const { address, code } of [...CONTRACTS, SCATTER])
    await rpc.request('anvil_setCode', [address, code]);
  for (const { address } of SENDERS) {
    await rpc.request('anvil_setBalance', [address, toQuantity(10n ** 20n)]);
  }
  for (const [i, sender] of SENDERS.entries()) {
    await chain.send(sender, { to: LEDGER.address, type: i % 3 });
  }
  for (const sender of SENDERS.slice(0, BLOBS_IN_A_BLOCK)) {
    await rpc.request('anvil_impersonateAccount', [sender.address]);
    const blob = { maxFeePerBlobGas: 10n ** 10n, blobVersionedHashes: [BLOB_HASH] };
    await chain.send(sender, { to: COUNTER.address, type: 3, ...blob });
  }
  const others = [SCATTER, SILENT_LOTTERY, SCATTER, LEDGER];
  for (const [i, sender] of SENDERS.entries()) {
    await chain.send(sender, { to: others[i % others.length]?.address ?? null });
  }
  const number = await chain.mine();
  const transactions = 2 * SENDERS.length + BLOBS_IN_A_BLOCK;
  const close = (): Promise<void> => engines.close();
  return { name: 'blobs', url, number, transactions, mixHash: toWord(0x5eed), close };
}

export interface StressOptions {
  creations: number;
  /** Latency of the upstream, in milliseconds. */
  latencyMs: number;
  /** Threads of each engine's runtime; undefined: one per core. */
  workers?: number | undefined;
  onCreation?: (done: number) => void;
}

export interface StressResult {
  hung: string[];
  failed: string[];
  slowestMs: number;
}

/** Creates forks inside a block, each on a new service. Several clients read state that the engine does not have yet. */
export async function stress(
  block: BusyBlock,
  { creations, latencyMs, workers, onCreation }: StressOptions,
): Promise<StressResult> {
  const result: StressResult = { hung: [], failed: [], slowestMs: 0 };
  const proxy = await UpstreamProxy.start(block.url);
  proxy.latencyMs = latencyMs;
  proxy.fault = withoutDebugApi;
  const { mixHash } = block;
  if (mixHash !== undefined) {
    proxy.rewrite = (answer) =>
      eachObject(answer, (one) => ('mixHash' in one ? { ...one, mixHash } : one));
  }
  const wrapper = workers === undefined ? undefined : await withWorkers(workers);
  const engines = await testEngines(undefined, wrapper?.path);
  try {
    for (let i = 0; i < creations; i++) {
      // Spreads the positions over the block. They are the same in each run.
      const position = 1 + ((i * 37 + 98) % block.transactions);
      const started = performance.now();
      const work = creation(engines, proxy, block, position).catch((error: unknown) => {
        result.failed.push(`position ${position}: ${String(error)}`);
      });
      const hangs = new AbortController();
      const isOver = await Promise.race([
        work.then(() => true),
        delay(HANGS_AFTER_MS, false, { signal: hangs.signal }).catch(() => false),
      ]);
      hangs.abort();
      if (!isOver) result.hung.push(`position ${position}`);
      result.slowestMs = Math.max(result.slowestMs, performance.now() - started);
      onCreation?.(i + 1);
    }
  } finally {
    await engines.close();
    await proxy.close();
    await wrapper?.remove();
  }
  return result;
}

async function creation(
  engines: TestEngines,
  proxy: UpstreamProxy,
  block: BusyBlock,
  position: number,
): Promise<void> {
  const service = await TestForks.open(engines, ethChain(proxy.url, { hardfork: 'prague' }));
  try {
    const { rpc, replay } = await service.create({ height: toQuantity(block.number), position });
    assert.deepEqual(replay, { faithful: true, executor: 'anvil' });
    await readCold(rpc, block.number);
    await service.forks.deleteAllOf('project_1');
    assert.equal(service.started.length, 1, 'the engine was replaced');
  } finally {
    await service.close();
  }
}

/** Parallel requests of clients: batches and single reads of older, newest and pending state, changes, and traces of their transactions. */
async function readCold(rpc: string, number: number): Promise<void> {
  let fresh = 0;
  const address = (): string => `0x${(++fresh).toString(16).padStart(40, '7')}`;
  const older = toQuantity(number - 1);
  const reads = (tag: string): [string, ...unknown[]][] => [
    ['eth_getBalance', address(), tag],
    ['eth_getStorageAt', LEDGER.address, toWord(0xabc000 + ++fresh), tag],
    ['eth_getCode', address(), tag],
    ['eth_call', { to: address() }, tag],
    ['eth_getTransactionCount', address(), tag],
    ['debug_traceCall', { to: address() }, tag, { tracer: 'callTracer' }],
  ];
  const send = (): Promise<string> =>
    call(rpc, 'eth_sendTransaction', { from: LOTTERY.address, to: COUNTER.address });
  await call(rpc, 'anvil_setBalance', LOTTERY.address, toQuantity(10n ** 18n));
  const hash = await send();
  await Promise.all([
    ...[older, toQuantity(number), 'latest', 'pending'].map((tag) =>
      batch(rpc, [...reads(tag), ...reads(tag)]),
    ),
    ...[older, 'latest', 'pending'].flatMap((tag) =>
      reads(tag).map(([method, ...params]) => call(rpc, method, ...params)),
    ),
    ...[1, 2, 3].map(() => call(rpc, 'debug_traceTransaction', hash, { tracer: 'callTracer' })),
    ...[1, 2].map(send),
    call(rpc, 'evm_snapshot').then((id) => call(rpc, 'evm_revert', id)),
  ]);
}

async function batch(rpc: string, calls: [string, ...unknown[]][]): Promise<void> {
  const messages = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const answers = (await post(rpc, JSON.stringify(messages))) as RpcReply[];
  assert.deepEqual(
    answers.flatMap(({ error }) => error ?? []),
    [],
  );
}

/** Returns an executable that runs the engine with the given number of threads. */
async function withWorkers(count: number): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'forklens-workers-'));
  const { path: anvil } = await findAnvil({ path: process.env['PATH'] });
  const path = join(folder, 'anvil');
  await writeFile(path, `#!/bin/sh\nTOKIO_WORKER_THREADS=${count} exec '${anvil}' "$@"\n`);
  await chmod(path, 0o755);
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}
