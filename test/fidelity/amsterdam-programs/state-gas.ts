import { word } from '../adversarial/case';
import { at, callOf } from '../assembler';
import {
  R,
  NEW,
  CALL,
  SLOT,
  ACCOUNT,
  LIMIT,
  calling,
  one,
  noteGas,
  type AmsterdamProgram,
} from './program';

export const STATE_GAS: readonly AmsterdamProgram[] = [
  one('new slot with exactly enough gas', '7 3 sstore', calling(CALL + 6 + 12_100 + SLOT)),
  one(
    'new slot with too little gas for state',
    '7 3 sstore',
    calling(CALL + 6 + 12_100 + SLOT - 1),
    'out of gas',
  ),
  one(
    'new slots of a call that reverts',
    `${callOf(R)} ${noteGas} 8 4 sstore ${noteGas}`,
    calling(600_000),
    'returned',
    { [R]: '7 3 sstore 8 4 sstore 0 0 revert' },
  ),
  one(
    'new slots of a call that halts',
    `${callOf(R, 0, '300000')} ${noteGas} 8 4 sstore ${noteGas}`,
    calling(600_000),
    'returned',
    { [R]: '7 3 sstore 8 4 sstore invalid' },
  ),
  one(
    'reservoir that a call takes and a revert gives back',
    `7 3 sstore ${callOf(R)} ${noteGas} 8 4 sstore 0 4 sstore ${noteGas}`,
    calling(LIMIT + 3 * SLOT),
    'returned',
    { [R]: '7 3 sstore 8 4 sstore 9 5 sstore 0 0 revert' },
  ),
  one(
    'reservoir that pays for a part of a slot',
    `7 3 sstore ${noteGas} 0 3 sstore ${noteGas} 8 4 sstore ${noteGas}`,
    calling(LIMIT + SLOT / 2),
  ),
  one(
    'failure of the transaction with a reservoir',
    '7 3 sstore 8 4 sstore 9 5 sstore invalid',
    calling(LIMIT + SLOT + 50_000),
    'invalid opcode',
  ),
  one(
    'revert of the transaction with a reservoir',
    '7 3 sstore 8 4 sstore 9 5 sstore 0 0 revert',
    calling(LIMIT + SLOT + 50_000),
    'reverted',
  ),
  one(
    'slot that a delegated call sets and its caller clears',
    `0 0 0 0 ${R} gas delegatecall ${noteGas} 0 3 sstore ${noteGas}`,
    calling(400_000),
    'returned',
    { [R]: '7 3 sstore stop' },
  ),
  one(
    'slot that a delegated call clears for its caller',
    `7 3 sstore ${noteGas} 0 0 0 0 ${R} gas delegatecall ${noteGas} 8 4 sstore`,
    calling(400_000),
    'returned',
    { [R]: '0 3 sstore stop' },
  ),
  one(
    'slot that is cleared in a call that reverts',
    `7 3 sstore 0 0 0 0 ${R} gas delegatecall ${noteGas} 0 3 sstore ${noteGas}`,
    calling(400_000),
    'returned',
    { [R]: '0 3 sstore 0 0 revert' },
  ),
  one('ether for an account that is new', `${callOf(NEW, 4)} ${noteGas}`, calling(300_000)),
  one(
    'too little gas for an account that is new',
    `${callOf(NEW, 4)} ${noteGas}`,
    calling(CALL + ACCOUNT),
    'out of gas',
  ),
  one(
    'more ether than there is for an account that is new',
    `${callOf(NEW, '0xffffffffffffffffffff')} ${noteGas}`,
    calling(300_000),
  ),
  one(
    'ether for a precompiled contract',
    `${callOf(word(4), 4)} ${noteGas} ${callOf(word(4), 4)} ${noteGas}`,
    calling(400_000),
  ),
  one(
    'ether for a precompiled contract that fails',
    `${callOf(word(9), 4, '50000')} ${noteGas}`,
    calling(400_000),
  ),
  one(
    'call in a call that runs out of gas for state',
    `${callOf(R, 0, '100000')} ${noteGas}`,
    calling(400_000),
    'returned',
    { [R]: `${callOf(at('s'))} pop 7 3 sstore stop`, [at('s')]: '1 1 sstore' },
  ),
];
