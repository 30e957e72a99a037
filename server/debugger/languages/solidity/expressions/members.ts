import { keccak256 } from 'ethers';
import { isEmptyAccount } from '../../../../evm/interpreter/world';
import { lengthOf, memberOf as memberOfStruct } from '../values/access';
import type { State } from '../values/state';
import { BYTES, BYTES32 } from '../values/types';
import { uint, word, type Operand, type TypeOperand } from './operands';

/** What a name after a dot leads to; undefined where there is no such member. @throws Unavailable */
export function memberOf(state: State, operand: Operand, name: string): Operand | undefined {
  if (operand.kind === 'namespace') return operand.member(name);
  if (operand.kind === 'type') return memberOfType(operand, name);
  if (operand.kind === 'data')
    return name === 'length' ? uint(BigInt(operand.data.length)) : undefined;
  if (operand.kind === 'word') {
    const { type, word: bits } = operand;
    if (type.kind === 'address' || type.kind === 'contract')
      return memberOfAccount(state, bits, name);
    const isLength = type.kind === 'fixedBytes' && name === 'length';
    return isLength ? uint(BigInt(type.length)) : undefined;
  }
  if (operand.kind !== 'reference') return undefined;
  const { kind } = operand.type;
  if (kind === 'struct') return memberOfStruct(state, operand, name);
  return name === 'length' && kind !== 'mapping' ? uint(lengthOf(state, operand)) : undefined;
}

export function memberOfType(operand: TypeOperand, name: string): Operand | undefined {
  const { type } = operand;
  if (type.kind !== 'enum') return operand.member?.(name);
  const index = type.members?.indexOf(name) ?? -1;
  return index < 0 ? undefined : word(type, BigInt(index));
}

function memberOfAccount(state: State, bits: bigint, name: string): Operand | undefined {
  const address = `0x${bits.toString(16).padStart(40, '0')}`;
  if (name !== 'balance' && name !== 'code' && name !== 'codehash') return undefined;
  const account = state.account(address);
  if (name === 'balance') return uint(account.balance);
  if (name === 'code') return { kind: 'data', type: BYTES, data: account.code };
  // EIP-1052: an account that is not in the state has no hash.
  return word(BYTES32, isEmptyAccount(account) ? 0n : BigInt(keccak256(account.code)));
}
