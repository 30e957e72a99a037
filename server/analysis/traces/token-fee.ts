import type { TokenFee } from '../../api/explorer';
import type { Address } from '../../api/primitives';
import type { Log } from '../call-frame';
import { toDecimal } from '../../evm/forms/quantity';
import type { MinedTransaction, TokenFacts, TransactionTrace } from '../ports';
import { feeTokenLogs, traceDifference } from './verify';

/** `rawAmount` is empty if it is not proved. */
export interface ProvedFee {
  readonly token: Address;
  readonly rawAmount: string;
  readonly reason?: string;
}

/** Transfer(address,address,uint256) */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const WORD = /^0x[0-9a-f]{64}$/i;
/** An address, or zero for tokens that are burnt or created. */
const PARTY = /^0x0{24}[0-9a-f]{40}$/i;
const NOBODY: Address = `0x${'0'.repeat(40)}`;

/**
 * The fee that a transaction paid in a token. Chains log what they take and give back as transfers outside of the call tree; the amount is
 * proved if what the sender lost is what others received.
 * @returns undefined for a fee in the native currency
 */
export function feeInToken(
  { transaction, receipt }: MinedTransaction,
  trace: TransactionTrace,
): ProvedFee | undefined {
  const token = receipt.feeToken;
  if (token === undefined) return undefined;
  const unknown = (reason: string): ProvedFee => ({ token, rawAmount: '', reason });
  if (traceDifference(trace, receipt) !== undefined) {
    return unknown(
      'the trace differs from the receipt, so transfers of the fee cannot be told apart',
    );
  }
  const logs = feeTokenLogs(trace.root, receipt);
  if (logs.length === 0) return unknown('the receipt has no transfer of the fee');
  const payer = transaction.from.toLowerCase() as Address;
  const changes = new Map<Address, bigint>();
  for (const log of logs) {
    const transfer = transferOf(log);
    if (!transfer)
      return unknown('the receipt has other events of the token than transfers of the fee');
    const [from, to, amount] = transfer;
    changes.set(from, (changes.get(from) ?? 0n) - amount);
    changes.set(to, (changes.get(to) ?? 0n) + amount);
  }
  const paid = -(changes.get(payer) ?? 0n);
  let received = 0n;
  for (const [account, change] of changes) {
    if (account !== payer && account !== NOBODY) received += change;
  }
  if (paid <= 0n || paid !== received) {
    return unknown(
      'the transfers of the fee do not add up: the sender loses another amount than others receive',
    );
  }
  return { token, rawAmount: paid.toString() };
}

function transferOf({
  topics,
  data,
}: Log): [from: Address, to: Address, amount: bigint] | undefined {
  const [kind, from, to] = topics;
  if (kind?.toLowerCase() !== TRANSFER || topics.length !== 3 || !WORD.test(data)) return undefined;
  if (from === undefined || to === undefined || !PARTY.test(from) || !PARTY.test(to))
    return undefined;
  return [addressOf(from), addressOf(to), BigInt(data)];
}

/** The facts of a fee in a token, by what is known of the token. */
export function tokenFeeFacts(
  fee: ProvedFee | undefined,
  tokens: ReadonlyMap<Address, TokenFacts>,
): { tokenFee?: TokenFee } {
  if (!fee) return {};
  const { symbol, decimals } = tokens.get(fee.token) ?? {};
  const isScaled = fee.rawAmount !== '' && decimals !== undefined;
  const amount = isScaled ? toDecimal(BigInt(fee.rawAmount), decimals) : '';
  return { tokenFee: { ...fee, amount, ...(symbol === undefined ? {} : { symbol }) } };
}

const addressOf = (topic: string): Address => `0x${topic.slice(26).toLowerCase()}`;
