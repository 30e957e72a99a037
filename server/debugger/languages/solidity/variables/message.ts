import type { Namespace, Operand } from '../expressions/operands';
import { wordAt } from '../../../../evm/interpreter/word';
import type { State } from '../values/state';
import { ADDRESS, BYTES, UINT256, type ValueType } from '../values/types';
import type { Origin, Value } from '../values/value';

const SELECTOR: ValueType = { kind: 'fixedBytes', length: 4 };

type Facts = Readonly<Record<string, Value>>;

const known = (type: ValueType, word: bigint, origin: Origin): Value => ({
  kind: 'word',
  type,
  word,
  origin,
});

/** `msg` of a call frame. */
export function messageFacts({ frame: { context } }: State): Facts {
  const origin = { in: 'message' } as const;
  const { caller, value, input } = context;
  const selector = BigInt.asUintN(256, wordAt(input, 0, 4) << 224n);
  return {
    sender: known(ADDRESS, BigInt(caller), origin),
    value: known(UINT256, value, origin),
    data: { kind: 'data', type: BYTES, data: input, origin },
    sig: known(SELECTOR, selector, origin),
  };
}

/** `tx`. */
export function transactionFacts({ machine: { environment } }: State): Facts {
  const origin = { in: 'message' } as const;
  const { from, gasPrice } = environment.transaction;
  return {
    origin: known(ADDRESS, BigInt(from), origin),
    gasprice: known(UINT256, gasPrice, origin),
  };
}

/** `block`. */
export function blockFacts({ machine: { environment } }: State): Facts {
  const origin = { in: 'block' } as const;
  const { chainId, block } = environment;
  const number = (value: bigint): Value => known(UINT256, value, origin);
  return {
    number: number(block.number),
    timestamp: number(block.timestamp),
    coinbase: known({ kind: 'address', isPayable: true }, BigInt(block.coinbase), origin),
    gaslimit: number(block.gasLimit),
    basefee: number(block.baseFee),
    prevrandao: number(block.random),
    difficulty: number(block.random),
    chainid: number(chainId),
    blobbasefee: number(block.blobBaseFee),
  };
}

const namespace = (name: string, facts: Facts): Namespace => ({
  kind: 'namespace',
  name,
  members: Object.keys(facts),
  member: (member) => (Object.hasOwn(facts, member) ? facts[member] : undefined),
});

/** What Solidity knows everywhere. @param contract name of the contract that runs */
export function globalName(name: string, state: State, contract: string): Operand | undefined {
  const { frame, machine } = state;
  switch (name) {
    case 'msg':
      return namespace(name, messageFacts(state));
    case 'tx':
      return namespace(name, transactionFacts(state));
    case 'block':
      return namespace(name, blockFacts(state));
    case 'now':
      return known(UINT256, machine.environment.block.timestamp, { in: 'block' });
    case 'gasleft':
      return known(UINT256, BigInt(frame.gas), { in: 'message' });
    case 'this': {
      const type: ValueType = { kind: 'contract', name: contract || 'this' };
      return known(type, BigInt(frame.context.address), { in: 'message' });
    }
    default:
      return undefined;
  }
}

export const GLOBALS = ['msg', 'tx', 'block', 'this'];
