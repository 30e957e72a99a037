import { blobFee } from '../../analysis/gas/fee';
import type { Address } from '../../api/primitives';
import type { RpcBlock, RpcReceipt } from '../../evm/forms/types';

const GWEI = 10n ** 9n;
const ETHER = 10n ** 18n;
/** Rewards of a block before the merge: the yellow paper's, EIP-649's and EIP-1234's, in wei. */
const REWARDS = [5n * ETHER, 3n * ETHER, 2n * ETHER];
/** The fee recipient gets a 32nd of the reward for each uncle. */
const UNCLE_SHARE = 32n;
const MAX_UNCLES = 2n;

/** What a block pays to accounts besides the effects of its calls: fees, withdrawals (EIP-4895), and before the merge the reward. Wei. */
export class BlockPayments {
  readonly #recipient: Address;
  readonly #withdrawn = new Map<Address, bigint>();

  constructor(private readonly block: RpcBlock) {
    this.#recipient = lower(block.miner);
    for (const { address, amount } of block.withdrawals ?? []) {
      const account = lower(address);
      this.#withdrawn.set(account, this.#withdrawalsOf(account) + BigInt(amount) * GWEI);
    }
  }

  /** Whether the block pays an account. */
  concern(account: Address): boolean {
    return account === this.#recipient || this.#withdrawn.has(account);
  }

  /**
   * What an account gains by the transactions after `position`, as their receipts show it: fees, and amounts between it and others. Amounts
   * that calls inside of them move do not show.
   */
  after(position: number, account: Address, receipts: readonly RpcReceipt[]): bigint {
    let gained = 0n;
    for (let index = position + 1; index < this.block.transactions.length; index++) {
      const transaction = this.block.transactions[index];
      const receipt = receipts[index];
      if (!transaction || !receipt) continue;
      const price = BigInt(receipt.effectiveGasPrice ?? transaction.gasPrice ?? '0x0');
      const gas = BigInt(receipt.gasUsed);
      const tip = price - BigInt(this.block.baseFeePerGas ?? '0x0');
      const value = receipt.status === '0x0' ? 0n : BigInt(transaction.value);
      if (account === this.#recipient && tip > 0n) gained += gas * tip;
      if (account === lower(transaction.from)) gained -= gas * price + blobFee(receipt) + value;
      const to = transaction.to ?? receipt.contractAddress;
      if (to !== null && account === lower(to)) gained += value;
    }
    return gained;
  }

  /** Whether an account that has `before` after the last transaction has `found` after the block. */
  explain(account: Address, before: bigint, found: bigint): boolean {
    const rest = found - before - this.#withdrawalsOf(account);
    return rest === 0n || (account === this.#recipient && this.#isReward(rest));
  }

  #withdrawalsOf(account: Address): bigint {
    return this.#withdrawn.get(account) ?? 0n;
  }

  #isReward(amount: bigint): boolean {
    if (BigInt(this.block.difficulty ?? '0x0') === 0n) return false;
    return REWARDS.some((reward) => {
      const uncles = amount - reward;
      const share = reward / UNCLE_SHARE;
      return uncles >= 0n && uncles % share === 0n && uncles / share <= MAX_UNCLES;
    });
  }
}

const lower = (address: Address): Address => address.toLowerCase() as Address;
