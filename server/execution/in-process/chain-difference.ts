import type { Address, Hash, Hex } from '../../api/primitives';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { EngineState } from '../../evm/forms/engine-state';

/** Calls that are sent to the node at a time. */
const CALLS_AT_A_TIME = 2_000;

/**
 * Compares accounts with the chain's state after a block.
 * @param changed what the execution of the block changed
 * @returns the first difference in words; undefined if there is none
 * @throws errors of the chain's node
 */
export async function chainDifference(
  changed: EngineState,
  number: number,
  rpc: RpcClient,
): Promise<string | undefined> {
  const facts = factsOf(changed, toQuantity(number));
  for (let from = 0; from < facts.length; from += CALLS_AT_A_TIME) {
    const part = facts.slice(from, from + CALLS_AT_A_TIME);
    const values = (await requestEach(
      rpc,
      part.map(({ call }) => call),
    )) as Hex[];
    for (const [index, { what, read, value }] of part.entries()) {
      const found = read(values[index] ?? '0x');
      if (found === value) continue;
      return `${what} is ${brief(value)} by the replay of the block, ${brief(found)} on the chain`;
    }
  }
  return undefined;
}

/** One fact about an account after the block. */
interface Fact {
  readonly what: string;
  readonly call: RpcCall;
  readonly value: string;
  /** The node's answer in the form of `value`. */
  readonly read: (answer: Hex) => string;
}

function factsOf(changed: EngineState, block: Hex): Fact[] {
  const facts: Fact[] = [];
  for (const [account, { balance, nonce, code, storage }] of changed) {
    const fact = (kind: string, method: string, value: string, read: Fact['read']): void => {
      facts.push({
        what: `the ${kind} of ${account}`,
        call: { method, params: [account, block] },
        value,
        read,
      });
    };
    fact('balance', 'eth_getBalance', balance.toString(), decimal);
    fact('nonce', 'eth_getTransactionCount', nonce.toString(), decimal);
    fact('code', 'eth_getCode', code, (answer) => answer.toLowerCase());
    for (const [slot, value] of storage) facts.push(slotFact(account, slot, value, block));
  }
  return facts;
}

const slotFact = (account: Address, slot: Hash, value: Hash, block: Hex): Fact => ({
  what: `slot ${slot} of ${account}`,
  call: { method: 'eth_getStorageAt', params: [account, slot, block] },
  value,
  read: (answer) => toWord(BigInt(answer)),
});

const decimal = (answer: Hex): string => BigInt(answer).toString();

/** Shortened, because code is long. */
const brief = (value: string): string => (value.length > 80 ? `${value.slice(0, 80)}…` : value);
