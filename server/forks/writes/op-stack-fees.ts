import { getBytes } from 'ethers';
import type { Address, Hash, Hex } from '../../api/primitives';
import { setBalance } from '../../evm/forms/engine-state';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import { signedForm } from '../../execution/prefix/raw-transaction';
import {
  FEE_SLOTS,
  readFeeParameters,
  type OpFeeParameters,
} from '../../evm/families/op-stack/fee-parameters';
import { daFootprint, l1Fee, l1GasUsed, operatorFee } from '../../evm/families/op-stack/fees';
import {
  BASE_FEE_VAULT,
  L1_BLOCK,
  L1_FEE_VAULT,
  OPERATOR_FEE_VAULT,
} from '../../evm/families/op-stack/predeploys';
import {
  opReceiptFields,
  type DataFees,
  type OpReceiptFields,
} from '../../evm/families/op-stack/receipt-fields';
import type { OpUpgrade } from '../../evm/families/op-stack/upgrades';
import { rejected } from './transaction-pool';

/** What a transaction of the fork changed besides the engine's own execution. */
export interface ChargedTransaction {
  /** Fields that the engine's receipt lacks. */
  readonly receipt: OpReceiptFields;
  /** Changes of balances, wei. */
  readonly changes: BalanceChanges;
  /** Changes by the transactions before it in the same block. */
  readonly earlier: BalanceChanges;
  /** Balances of the vaults as the engine left them after the block, wei. */
  readonly vaults: ReadonlyMap<Address, bigint>;
}

type BalanceChanges = ReadonlyMap<Address, bigint>;

const VAULTS: readonly Address[] = [BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT];

const SLOTS: readonly RpcCall[] = FEE_SLOTS.map((slot) => ({
  method: 'eth_getStorageAt',
  params: [L1_BLOCK, slot, 'latest'],
}));

const balanceCall = (address: Address): RpcCall => ({
  method: 'eth_getBalance',
  params: [address, 'latest'],
});

/**
 * The fees that a chain of the OP Stack takes and the engine does not: for data on the parent chain and for the operator, from the sender
 * to vaults, and the base fee, which the engine burns. They are charged after each block, so that its state has the chain's balances.
 */
export class OpStackFees {
  /** `eth_maxPriorityFeePerGas` of op-geth while blocks are not full, wei. */
  readonly suggestedTip: Hex = '0xf4240';
  /** For the next block, if nothing can have changed since they were read. */
  #parameters: OpFeeParameters | undefined;
  readonly #charged = new Map<string, ChargedTransaction>();

  private constructor(
    private readonly engine: RpcClient,
    private readonly upgrade: OpUpgrade,
  ) {}

  /** Loads all that later blocks read, so that they can be mined while the forked chain does not answer. */
  static async open(engine: RpcClient, upgrade: OpUpgrade): Promise<OpStackFees> {
    const fees = new OpStackFees(engine, upgrade);
    const answers = await requestEach(engine, [...SLOTS, ...VAULTS.map(balanceCall)]);
    await fees.#read(answers);
    return fees;
  }

  /** Discards what was read, because the state may have changed. */
  touched(): void {
    this.#parameters = undefined;
  }

  /** Reads the parameters for the next block. Call this before it is mined. */
  async prepare(): Promise<OpFeeParameters> {
    return this.#parameters ?? (await this.#read(await requestEach(this.engine, SLOTS)));
  }

  /** What a sender has to own besides value and gas. Wei. */
  async inAdvance(transaction: RpcTransaction): Promise<bigint> {
    const parameters = await this.prepare();
    const { upgrade } = this;
    const gas = BigInt(transaction.gas);
    return l1Fee(parameters, upgrade, bytesOf(transaction)) + operatorFee(parameters, upgrade, gas);
  }

  /** The charged transaction; undefined if it is not the fork's own. */
  of(hash: string): ChargedTransaction | undefined {
    return this.#charged.get(hash);
  }

  /**
   * Charges the transactions of the newest block.
   * @returns gas of its data footprint (Jovian)
   * @throws RpcError -32003 if a sender cannot pay; the caller discards the block
   */
  async charge(block: RpcBlock): Promise<bigint> {
    const { transactions } = block;
    if (transactions.length === 0) return 0n;
    const parameters = await this.prepare();
    const accounts = [...new Set([...transactions.map(({ from }) => lower(from)), ...VAULTS])];
    const receiptCall = { method: 'eth_getBlockReceipts', params: [block.number] };
    const answers = await requestEach(this.engine, [
      ...(transactions.length === 1 ? [] : [receiptCall]),
      ...accounts.map(balanceCall),
      // For the block after it: a transaction may have changed them.
      ...SLOTS,
    ]);
    const gas =
      transactions.length === 1
        ? [BigInt(block.gasUsed)]
        : (answers.shift() as RpcReceipt[]).map(({ gasUsed }) => BigInt(gasUsed));
    const found = answers.splice(0, accounts.length) as Hex[];
    const balances = new Map(accounts.map((one, index) => [one, BigInt(found[index] ?? '0x0')]));
    const { total, footprint } = this.#record(block, parameters, gas, balances);
    const calls = [...total].map(([account, change]) =>
      setBalance(account, (balances.get(account) ?? 0n) + change),
    );
    await requestEach(this.engine, calls);
    await this.#read(answers);
    return footprint;
  }

  /** @param gas used by each transaction */
  #record(
    block: RpcBlock,
    parameters: OpFeeParameters,
    gas: readonly bigint[],
    balances: ReadonlyMap<Address, bigint>,
  ): { total: BalanceChanges; footprint: bigint } {
    const vaults = new Map(VAULTS.map((vault) => [vault, balances.get(vault) ?? 0n]));
    let total: BalanceChanges = new Map();
    let footprint = 0n;
    const charged: [string, ChargedTransaction][] = [];
    for (const [index, transaction] of block.transactions.entries()) {
      const data = dataFeesOf(parameters, this.upgrade, bytesOf(transaction));
      const gasUsed = gas[index] ?? 0n;
      const operator = operatorFee(parameters, this.upgrade, gasUsed);
      const changes = sumOf([
        [lower(transaction.from), -(data.l1Fee + operator)],
        [BASE_FEE_VAULT, gasUsed * BigInt(block.baseFeePerGas ?? '0x0')],
        [L1_FEE_VAULT, data.l1Fee],
        [OPERATOR_FEE_VAULT, operator],
      ]);
      const earlier = total;
      total = sumOf([...total, ...changes]);
      requirePaid(transaction, data.l1Fee + operator, balances, total);
      const receipt = opReceiptFields(this.upgrade, parameters, data);
      charged.push([transaction.hash, { receipt, changes, earlier, vaults }]);
      footprint += data.daFootprint;
    }
    for (const [hash, one] of charged) this.#charged.set(hash, one);
    return { total, footprint };
  }

  /** @param answers to `SLOTS` */
  async #read(answers: readonly unknown[]): Promise<OpFeeParameters> {
    const words = new Map(FEE_SLOTS.map((slot, index) => [slot, BigInt(answers[index] as Hex)]));
    const read = (slot: Hash): Promise<bigint> => Promise.resolve(words.get(slot) ?? 0n);
    return (this.#parameters = await readFeeParameters(this.upgrade, read));
  }
}

const lower = (address: Address): Address => address.toLowerCase() as Address;
const bytesOf = (transaction: RpcTransaction): Uint8Array => getBytes(signedForm(transaction));

const dataFeesOf = (
  parameters: OpFeeParameters,
  upgrade: OpUpgrade,
  raw: Uint8Array,
): DataFees => ({
  l1Fee: l1Fee(parameters, upgrade, raw),
  l1GasUsed: l1GasUsed(parameters, upgrade, raw),
  daFootprint: daFootprint(parameters, upgrade, raw),
});

function sumOf(changes: Iterable<readonly [Address, bigint]>): BalanceChanges {
  const sum = new Map<Address, bigint>();
  for (const [account, wei] of changes) {
    if (wei !== 0n) sum.set(account, (sum.get(account) ?? 0n) + wei);
  }
  return sum;
}

/** The chain takes the fees before the execution, so that code of the sender (EIP-7702) cannot spend them. */
function requirePaid(
  { hash, from }: RpcTransaction,
  wei: bigint,
  balances: ReadonlyMap<Address, bigint>,
  total: BalanceChanges,
): void {
  const sender = lower(from);
  const left = (balances.get(sender) ?? 0n) + (total.get(sender) ?? 0n);
  if (left >= 0n) return;
  throw rejected(
    `insufficient funds for gas * price + value: after transaction ${hash}, ${from} lacks ${-left} of the ${wei} wei of its L1 data fee and operator fee; anvil_setBalance gives it more`,
  );
}
