import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Wallet, type TransactionLike } from 'ethers';
import { findAnvil } from '../../server/chains/engine/binary';
import { anvilStarter } from '../../server/chains/engine/engine-process';
import { socketFolder } from '../../server/chains/engine/socket-folder';
import type { ProbeTiming } from '../../server/chains/engine/hang-detection';
import type { Chain, Hardfork } from '../../server/api/config';
import type { Hex } from '../../server/api/primitives';
import type { Engine, StartEngine } from '../../server/evm/forms/engine';
import { toQuantity } from '../../server/evm/forms/quantity';

/**
 * Storage counter: every call adds one to slot 0, logs the new value and returns it. Call data that starts with 0xff reverts with
 * 0xdeadbeef.
 */
const COUNTER_CODE =
  '0x60003560f81c60ff146023576000546001018060005560005260206000a060206000f35b63deadbeef60e01b60005260046000fd';
export const ALICE = new Wallet(`0x${'a1'.repeat(32)}`);
export const BOB = new Wallet(`0x${'b0'.repeat(32)}`);
export const COUNTER: Hex = `0x${'c0'.repeat(20)}`;
/** Time of block 1; every block is 12 s after the one before. */
const GENESIS_TIME = 1_750_000_000;

/** Unix seconds of a block mined by `TestChain.mine`. */
export const timeOf = (block: number): number => GENESIS_TIME + (block - 1) * 12;

export interface TestEngines {
  start: StartEngine;
  home: string;
  /** Stops everything that was started and removes the folder. */
  close(): Promise<void>;
}

/** Starts real engines in a temporary folder. */
export async function testEngines(
  pulseTiming?: ProbeTiming,
  binary?: string,
): Promise<TestEngines> {
  const home = await mkdtemp(join(tmpdir(), 'forklens-test-'));
  const { path } = await findAnvil({ configured: binary, path: process.env['PATH'] });
  const newSocket = await socketFolder(join(home, 'sockets'));
  const options = { binary: path, home, newSocket };
  const startEngine = anvilStarter({ ...options, ...(pulseTiming && { pulseTiming }) });
  const started: Engine[] = [];
  return {
    home,
    start: async (parameters, signal) => {
      const engine = await startEngine(parameters, signal);
      started.push(engine);
      return engine;
    },
    close: async () => {
      await Promise.all(started.map((engine) => engine.stop()));
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A chain in the format of the config file, with one endpoint. */
export const ethChain = (url: string, changes: Partial<Chain> = {}): Chain => ({
  slug: 'eth',
  chainId: 1,
  nativeSymbol: 'ETH',
  rpcUrls: [url],
  ...changes,
});

/** A separate chain of the test, in the role of a public network. */
export class TestChain {
  readonly #nonces = new Map<Wallet, number>();

  private constructor(
    readonly engine: Engine,
    readonly chainId: number,
  ) {}

  static async start(
    start: StartEngine,
    chainId = 1,
    hardfork: Hardfork = 'prague',
  ): Promise<TestChain> {
    const engine = await start({
      chainId,
      hardfork,
      extraArguments: ['--timestamp', String(GENESIS_TIME - 12)],
    });
    const chain = new TestChain(engine, chainId);
    for (const wallet of [ALICE, BOB]) {
      await engine.rpc.request('anvil_setBalance', [wallet.address, toQuantity(10n ** 21n)]);
    }
    await engine.rpc.request('anvil_setCode', [COUNTER, COUNTER_CODE]);
    return chain;
  }

  /** Signs a transaction and adds it to the pool; `mine` mines it. */
  async send(wallet: Wallet, transaction: TransactionLike): Promise<string> {
    const nonce = this.#nonces.get(wallet) ?? 0;
    this.#nonces.set(wallet, nonce + 1);
    const type = transaction.type ?? 2;
    const price =
      type < 2 ? { gasPrice: 10n ** 10n } : { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n };
    const raw = await wallet.signTransaction({
      nonce,
      chainId: this.chainId,
      gasLimit: 200_000,
      type,
      ...price,
      ...transaction,
    });
    return (await this.engine.rpc.request('eth_sendRawTransaction', [raw])) as string;
  }

  /** Mines the pool's transactions as the next block, 12 s after the last. @returns its number */
  async mine(): Promise<number> {
    const number = Number(await this.engine.rpc.request('eth_blockNumber', [])) + 1;
    await this.engine.rpc.request('evm_setNextBlockTimestamp', [timeOf(number)]);
    await this.engine.rpc.request('evm_mine', []);
    return number;
  }
}
