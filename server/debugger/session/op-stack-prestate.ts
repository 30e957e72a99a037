import type { MinedTransaction, Network, TransactionTrace } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { Hex } from '../../api/primitives';
import { isDeposit, mintOf } from '../../evm/forms/deposit';
import { toQuantity } from '../../evm/forms/quantity';
import { operatorFee } from '../../evm/families/op-stack/fees';
import type { OpReceiptFields } from '../../evm/families/op-stack/receipt-fields';
import { isExactOpStack, opUpgradeOf } from '../../evm/families/op-stack/upgrades';

type Accounts = Readonly<Record<string, { readonly balance?: Hex }>>;

/**
 * The state at the beginning of a transaction's execution: a chain of the OP Stack adds the mint of a deposit before it, and takes the fees
 * for data and of the operator, which a recording does not know.
 * @param found result of `prestateTracer`
 * @throws ApiError `recordingUnsupported` for a deposit that was not executed, or of a chain with other rules of deposits
 */
export function opStackPrestate(
  network: Network,
  mined: MinedTransaction,
  { method, executor }: TransactionTrace,
  found: unknown,
): unknown {
  const { transaction, block } = mined;
  const isExact = isExactOpStack(network.chainId, block);
  if (isDeposit(transaction) && !isExact) {
    throw new ApiError(
      'recordingUnsupported',
      `deposit ${transaction.hash} cannot be recorded, because the rules of deposits on ${network.key} are the chain's own; simulate its call, and debug the simulation`,
    );
  }
  // An engine executes a deposit as a call of an account that has the mint already, and takes no fees.
  const isOnFork = !network.replayable || network.standsForFork === true;
  const isByEngine = isOnFork || (method === 'replay' && executor === undefined);
  if (isByEngine || !isExact) return found;
  if (typeof found !== 'object' || found === null) return found;
  const accounts = found as Accounts;
  const key =
    Object.keys(accounts).find((one) => one.toLowerCase() === transaction.from.toLowerCase()) ??
    transaction.from.toLowerCase();
  const balance = BigInt(accounts[key]?.balance ?? '0x0') + changeBefore(network, mined);
  if (isDeposit(transaction) && balance < BigInt(transaction.value)) {
    throw new ApiError(
      'recordingUnsupported',
      `deposit ${transaction.hash} cannot be recorded: it failed before its first instruction, because ${transaction.from} has ${balance} wei and its value is ${BigInt(transaction.value)}`,
    );
  }
  if (balance < 0n) return found;
  return { ...accounts, [key]: { ...accounts[key], balance: toQuantity(balance) } };
}

/** Of the sender's balance, wei. */
function changeBefore(
  { chainId }: Network,
  { transaction, receipt, block }: MinedTransaction,
): bigint {
  if (isDeposit(transaction)) return mintOf(transaction);
  const fields = receipt as OpReceiptFields;
  const parameters = {
    operatorFeeScalar: BigInt(fields.operatorFeeScalar ?? '0x0'),
    operatorFeeConstant: BigInt(fields.operatorFeeConstant ?? '0x0'),
  };
  const operator = operatorFee(parameters, opUpgradeOf(chainId, block), BigInt(transaction.gas));
  return -(BigInt(fields.l1Fee ?? '0x0') + operator);
}
