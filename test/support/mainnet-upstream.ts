import { toQuantity } from '../../server/evm/forms/quantity';
import { HardhatNode, spawnNode } from './hardhat-node';
import { busyBlock, hugeBlock, type Plan } from './mainnet-blocks';
import { CONTRACTS } from './mainnet-contracts';

/**
 * An independent node that plays mainnet: Hardhat's (its EVM host is not the one of our engine), chain id 1, Prague rules. Its blocks have
 * values that real blocks have and an engine does not choose: a random PREVRANDAO, a fee recipient, a base fee. It makes no system calls
 * (EIP-4788, EIP-2935). Its only method of the debug API returns struct logs.
 *
 *     const mainnet = await MainnetUpstream.start();
 *     await fork(mainnet.url, mainnet.busy);   // number of a block of 10 transactions
 *     await mainnet.close();
 */
export class MainnetUpstream extends HardhatNode {
  /** Number of the block of 10 transactions of all types except blobs. See `busyBlock`. */
  busy = 0;
  /** Number of the block of 200 transactions; 0 if it was not requested. */
  huge = 0;

  /** Starts the node and mines its blocks: funds, the busy block, an empty one, with `huge` the huge block, and two empty ones. */
  static async start({ huge = false }: { huge?: boolean } = {}): Promise<MainnetUpstream> {
    const mainnet = new MainnetUpstream(...(await spawnNode('prague')));
    try {
      await mainnet.#populate(huge);
      return mainnet;
    } catch (error) {
      await mainnet.close();
      throw error;
    }
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
