import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Wallet, type TransactionLike } from 'ethers';
import type { RpcClient } from '../../server/ethereum/json-rpc';
import { toQuantity } from '../../server/ethereum/quantity';
import { HttpRpcClient } from '../../server/rpc/http-rpc-client';
import { busyBlock, hugeBlock, type Plan } from './mainnet-blocks';
import { CONTRACTS } from './mainnet-contracts';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory';

const ROOT = join(__dirname, '..', '..');
const HARDHAT = join(ROOT, 'node_modules/hardhat/internal/cli/bootstrap.js');
const CONFIG = join(ROOT, 'test/fixtures/mainnet/hardhat.config.cjs');

/**
 * An independent node that plays mainnet: Hardhat's (its EVM host is not the one of our engine), chain id 1, Prague rules.
 * Its blocks have what real ones have and an engine does not choose by itself: a random PREVRANDAO, a fee recipient, a base fee.
 * It makes no system calls (EIP-4788, EIP-2935), and of the debug API it has struct logs only.
 *
 *     const mainnet = await MainnetUpstream.start();
 *     await fork(mainnet.url, mainnet.busy);   // number of a block of 10 transactions
 *     await mainnet.close();
 */
export class MainnetUpstream {
  readonly #wallets = new Map<string, number>();
  #seed = 0;
  /** Block of 10 transactions of all types but blobs; see `busyBlock`. */
  busy = 0;
  /** Block of 200 transactions; 0 where it was not asked for. */
  huge = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly home: string,
    readonly url: string,
    readonly rpc: RpcClient & { close(): Promise<void> },
  ) {}

  /** Starts the node and makes its blocks: funds, the busy one, an empty one, with `huge` the huge one, and two empty ones. */
  static async start({ huge = false }: { huge?: boolean } = {}): Promise<MainnetUpstream> {
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
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const url = await addressOf(child);
    const rpc = new HttpRpcClient({ name: 'mainnet', urls: [url] });
    const mainnet = new MainnetUpstream(child, home, url, rpc);
    try {
      await mainnet.#populate(huge);
      return mainnet;
    } catch (error) {
      await mainnet.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.rpc.close();
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
    await removeDirectory(this.home);
  }

  /** Signs as of the wallet's next nonce, and puts it into the pool. */
  async send(wallet: Wallet, transaction: TransactionLike): Promise<string> {
    const nonce = this.#wallets.get(wallet.address) ?? 0;
    this.#wallets.set(wallet.address, nonce + 1);
    const raw = await signed(wallet, { nonce, ...transaction });
    return (await this.rpc.request('eth_sendRawTransaction', [raw])) as string;
  }

  /** Mines what is in the pool, with a PREVRANDAO and a fee recipient of its own, 12 s after the last block. @returns its number */
  async mine(): Promise<number> {
    this.#seed += 1;
    await this.rpc.request('hardhat_setPrevRandao', [randao(this.#seed)]);
    await this.rpc.request('hardhat_setCoinbase', [
      `0x${(0xfee0 + this.#seed).toString(16).padStart(40, '9')}`,
    ]);
    await this.rpc.request('evm_increaseTime', [12]);
    await this.rpc.request('evm_mine', []);
    return Number(await this.rpc.request('eth_blockNumber', []));
  }

  async #populate(huge: boolean): Promise<void> {
    for (const { address, code } of CONTRACTS) {
      await this.rpc.request('hardhat_setCode', [address, code]);
    }
    await this.mine();
    this.busy = await this.#minePlan(busyBlock());
    await this.mine();
    if (huge) this.huge = await this.#minePlan(hugeBlock());
    await this.mine();
    await this.mine();
  }

  async #minePlan({ funded, transactions }: Plan): Promise<number> {
    for (const { address } of funded) {
      await this.rpc.request('hardhat_setBalance', [address, toQuantity(10n ** 18n)]);
    }
    await this.mine();
    for (const { wallet, transaction } of transactions) await this.send(wallet, transaction);
    const number = await this.mine();
    const block = (await this.rpc.request('eth_getBlockByNumber', [toQuantity(number), false])) as {
      transactions: string[];
    };
    if (block.transactions.length !== transactions.length) {
      throw new Error(`${block.transactions.length} of ${transactions.length} were mined`);
    }
    return number;
  }
}

/** PREVRANDAO of the nth block: as random as it looks, odd for the busy block's lottery to cost more. */
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
