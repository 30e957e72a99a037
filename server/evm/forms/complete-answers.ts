import type { Fields } from './fields';
import { toQuantity } from './quantity';

/*
 * Some chains' headers and transactions lack fields that execution-apis requires of all of them, such as headers of Celo before its move to
 * the OP Stack and transactions of Tempo. Readers and engines get them with the values that stand for nothing. What is there stays as it is.
 */

const WORD = `0x${'0'.repeat(64)}`;

/** Values of header fields that a chain without them has: that of no proof of work, no uncles, no limit. */
const HEADER: Fields = {
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: `0x${'0'.repeat(40)}`,
  transactionsRoot: WORD,
  receiptsRoot: WORD,
  stateRoot: WORD,
  logsBloom: `0x${'0'.repeat(512)}`,
  difficulty: '0x0',
  gasLimit: toQuantity(2 ** 31 - 1),
  gasUsed: '0x0',
  extraData: '0x',
  mixHash: WORD,
  nonce: '0x0000000000000000',
  size: '0x0',
  uncles: [],
};
/** Types of transactions that all chains share (EIP-2718) have every field. */
const NEWEST_SHARED_TYPE = 4;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** A block, with its transactions if they are included. Anything else is returned as it is. */
export function completeBlock(answer: unknown): unknown {
  if (!isFields(answer) || Array.isArray(answer)) return answer;
  const missing = Object.entries(HEADER).filter(([name]) => isMissing(answer[name]));
  const { transactions } = answer;
  const completed = Array.isArray(transactions) ? transactions.map(completeTransaction) : undefined;
  const isChanged = completed?.some((one, index) => one !== (transactions as unknown[])[index]);
  if (missing.length === 0 && !isChanged) return answer;
  const block: Record<string, unknown> = { ...answer };
  for (const [name, value] of missing) block[name] = value;
  if (completed) block['transactions'] = completed;
  return block;
}

/**
 * A transaction of a chain's own type. Its value is the sum of its calls, and its receiver and call data are those of a single call; a
 * transaction of several calls has the receiver of the first one and no call data of its own.
 */
export function completeTransaction(answer: unknown): unknown {
  if (!isFields(answer) || !isOwnType(answer['type'])) return answer;
  const { to, value, input, data, nonce, gas } = answer;
  if (![to, value, input, nonce, gas].some((one) => one === undefined || one === null)) {
    return answer;
  }
  const calls = Array.isArray(answer['calls']) ? answer['calls'].filter(isFields) : [];
  const [first] = calls;
  const single = calls.length === 1 ? first : undefined;
  const own = isMissing(input) ? (data ?? single?.['input'] ?? single?.['data']) : input;
  return {
    ...answer,
    to: to ?? first?.['to'] ?? null,
    value: value ?? toQuantity(calls.reduce((sum, call) => sum + amountOf(call['value']), 0n)),
    input: own ?? '0x',
    nonce: nonce ?? '0x0',
    gas: gas ?? '0x0',
  };
}

const isOwnType = (type: unknown): boolean =>
  typeof type === 'string' && Number(type) > NEWEST_SHARED_TYPE;

const amountOf = (value: unknown): bigint =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : 0n;
