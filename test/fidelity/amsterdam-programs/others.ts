import { addressOf, ALICE, BOB, contract, word } from '../adversarial/case';
import { assemble, at, callOf, deploying } from '../assembler';
import {
  X,
  R,
  NEW,
  LIMIT,
  calling,
  one,
  noteGas,
  createOf,
  child,
  type AmsterdamProgram,
} from './program';

const access = (instruction: string): string =>
  `${R} ${instruction} ${R} ${instruction} ${NEW} ${instruction}`;
/** All changes of a slot with a value, and of one without. */
const changes = [
  [5, 6, 5],
  [6, 7, 5],
  [0, 5, 0],
  [0, 6, 0],
]
  .flat()
  .map((value) => `${value} 0 sstore ${value} 8 sstore`)
  .join(' ');
export const OTHERS: readonly AmsterdamProgram[] = [
  one(
    'accounts that are read (EIP-8038)',
    `${['balance', 'extcodesize', 'extcodehash'].map(access).join(' ')} 9 0 0 ${R} extcodecopy 9 0 0 ${at('s')} extcodecopy`,
    calling(200_000),
    'returned',
    { [R]: 'stop' },
  ),
  one('slots that change (EIP-8038)', `${changes} 9 sload 9 sload`, calling(900_000)),
  one('refund of several slots (EIP-8038)', '0 0 sstore', calling(100_000)),
  one(
    'slot with the gas of a stipend (EIP-8038)',
    `${callOf(R, 1, '0')} ${noteGas} ${callOf(R, 0, '2301')} ${noteGas}`,
    calling(200_000),
    'returned',
    {
      [R]: { nonce: 1, balance: 1n, code: assemble('5 0 sstore'), storage: { [word(0)]: word(5) } },
    },
  ),
  one(
    'transfers without a log (EIP-7708)',
    `0 0 0 0 3 ${R} gas callcode 0 0 0 0 ${R} gas delegatecall ${callOf(X, 2, '0')}`,
    calling(200_000, { value: 2n }),
    'returned',
    { [R]: 'callvalue pop stop' },
  ),
  one(
    'destruction for an account that is new (EIP-8037)',
    `${callOf(R)} ${noteGas}`,
    calling(400_000),
    'returned',
    { [R]: contract(`${NEW} selfdestruct`) },
  ),
  one(
    'destruction with too little gas for an account (EIP-8037)',
    `${callOf(R, 0, '150000')} ${noteGas}`,
    calling(400_000),
    'returned',
    { [R]: contract(`${NEW} selfdestruct`) },
  ),
  one(
    'ether for a contract that has destroyed itself (EIP-8246)',
    `${createOf(deploying(assemble('address selfdestruct')), 3)} ${callOf(child)} ${callOf(child, 4)} ${child} balance`,
    calling(900_000),
  ),
  one(
    'destruction of a contract that existed for itself (EIP-8246)',
    `${callOf(R)} ${R} balance`,
    calling(200_000),
    'returned',
    { [R]: contract('address selfdestruct') },
  ),
  one('SLOTNUM in a call (EIP-7843)', `${callOf(R)} slotnum`, calling(100_000), 'returned', {
    [R]: 'slotnum 0 mstore 32 0 return',
  }),
  one('SWAPN below the stack (EIP-8024)', '1 2 code:e780', calling(100_000), 'stack underflow'),
  one('operand that is none (EIP-8024)', '1 2 code:e65b', calling(100_000), 'invalid opcode'),
  one('jump to such an operand (EIP-8024)', '@to jump code:e6 :to 7', calling(100_000)),
  {
    name: 'ether for a precompiled contract, by a transaction',
    sent: [[BOB, { to: word(4).replace(/^0x0{24}/, '0x'), value: 1n, data: '0x0102' }]],
    ends: 'returned',
  },
  {
    name: 'ether for a precompiled contract that fails, by a transaction',
    sent: [[BOB, { to: word(9).replace(/^0x0{24}/, '0x'), value: 1n, gasLimit: LIMIT + 9 }]],
    ends: 'precompile failed',
  },
  {
    name: 'ether for the sender',
    sent: [[ALICE, { to: addressOf(ALICE), value: 1n }]],
    ends: 'returned',
  },
  one(
    'floor of the call data, with a refund (EIP-7976)',
    '0 0 sstore',
    calling(400_000, { data: `0x${'11'.repeat(3_000)}` }),
  ),
  one(
    'floor of an access list (EIP-7981)',
    '0 sload 1 sload 2 sload',
    calling(100_000, {
      type: 1,
      accessList: [{ address: X, storageKeys: [0, 1].map(word) }],
    }),
  ),
];
