import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Wallet, type TransactionLike } from 'ethers';
import type { RpcClient } from '../../server/evm/forms/json-rpc';
import { HttpRpcClient } from '../../server/chains/upstream/http-rpc-client';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory';

const ROOT = join(__dirname, '..', '..');
const HARDHAT = join(ROOT, 'node_modules/hardhat/internal/cli/bootstrap.js');
const CONFIG = join(ROOT, 'test/fixtures/mainnet/hardhat.config.cjs');

/** Rules that the node supports, in its own spelling. */
export type NodeRules =
  'byzantium' | 'istanbul' | 'berlin' | 'london' | 'merge' | 'shanghai' | 'cancun' | 'prague';

/**
 * Hardhat's node with chain id 1. Its EVM host is not the one of our engine. It mines on demand, makes no system calls (EIP-4788,
 * EIP-2935), and has struct logs as its only tracer.
 */
export class HardhatNode {
  readonly #nonces = new Map<string, number>();
  #seed = 0;

  protected constructor(
    private readonly child: ChildProcess,
    private readonly home: string,
    readonly url: string,
    readonly rpc: RpcClient & { close(): Promise<void> },
  ) {}

  /** Starts a node that has only its first block. */
  static async launch(rules: NodeRules = 'prague'): Promise<HardhatNode> {
    return new HardhatNode(...(await spawnNode(rules)));
  }

  async close(): Promise<void> {
    await this.rpc.close();
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
    await removeDirectory(this.home);
  }

  /** Signs with the wallet's next nonce and adds the transaction to the pool. @returns its hash */
  async send(wallet: Wallet, transaction: TransactionLike): Promise<string> {
    const nonce = this.#nonces.get(wallet.address) ?? 0;
    this.#nonces.set(wallet.address, nonce + 1);
    const raw = await signed(wallet, { nonce, ...transaction });
    return (await this.rpc.request('eth_sendRawTransaction', [raw])) as string;
  }

  /** Mines the transactions of the pool, with a new PREVRANDAO and fee recipient, 12 s after the last block. @returns its number */
  async mine(): Promise<number> {
    this.#seed += 1;
    await this.#setRandomness(randao(this.#seed));
    await this.rpc.request('hardhat_setCoinbase', [
      `0x${(0xfee0 + this.#seed).toString(16).padStart(40, '9')}`,
    ]);
    await this.rpc.request('evm_increaseTime', [12]);
    await this.rpc.request('evm_mine', []);
    return Number(await this.rpc.request('eth_blockNumber', []));
  }

  /** Before Paris, the node refuses this method. */
  async #setRandomness(value: string): Promise<void> {
    await this.rpc.requestAll([{ method: 'hardhat_setPrevRandao', params: [value] }]);
  }
}

type NodeParts = [child: ChildProcess, home: string, url: string, rpc: HttpRpcClient];

export async function spawnNode(rules: NodeRules): Promise<NodeParts> {
  const home = await makeTemporaryDirectory();
  const child = spawn(
    process.execPath,
    [HARDHAT, '--config', CONFIG, 'node', '--hostname', '127.0.0.1', '--port', '0'],
    {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
        HARDHAT_RULES: rules,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const url = await addressOf(child);
  return [child, home, url, new HttpRpcClient({ name: 'mainnet', urls: [url] })];
}

/** PREVRANDAO of the nth block. It looks random, and is odd, so that the lottery of the busy block uses more gas. */
const randao = (seed: number): string =>
  new Wallet(`0x${seed.toString(16).padStart(64, '7')}`).signingKey.publicKey
    .replace('0x04', '0x')
    .slice(0, 65) + '1';

function signed(wallet: Wallet, transaction: TransactionLike): Promise<string> {
  const type = transaction.type ?? 2;
  const price =
    type < 2
      ? { gasPrice: 10n ** 10n }
      : { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 2_000_000_000n };
  return wallet.signTransaction({ chainId: 1, gasLimit: 300_000, type, ...price, ...transaction });
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => {
      reject(new Error('the Hardhat node ended before it listened'));
    });
    if (!child.stdout) return;
    createInterface(child.stdout).on('line', (line) => {
      const url = /(http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}
