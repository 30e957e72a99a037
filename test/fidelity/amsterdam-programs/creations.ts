import { getCreateAddress } from 'ethers';
import type { Address, Hex } from '../../../server/api/primitives';
import { addressOf, BOB } from '../adversarial/case';
import { assemble, deploying, inMemory, sizeOf } from '../assembler';
import {
  CALL,
  ACCOUNT,
  LIMIT,
  calling,
  one,
  noteGas,
  createOf,
  child,
  type AmsterdamProgram,
} from './program';

/** Of a transaction by its own; the first transaction of its sender. */
const created = getCreateAddress({ from: addressOf(BOB), nonce: 0 }).toLowerCase() as Address;
const create2Of = (init: Hex): string => `${inMemory(init)} 9 ${sizeOf(init)} 0 0 create2`;
const DEPLOYED = deploying(assemble('1 0 mstore 32 0 return'));
export const CREATIONS: readonly AmsterdamProgram[] = [
  one('creation', `${createOf(DEPLOYED, 2)} ${noteGas}`, calling(500_000)),
  one('creation without code', `${createOf('0x', 2)} ${noteGas}`, calling(500_000)),
  one(
    'creation with too little gas for its code',
    `${createOf(deploying(`0x${'00'.repeat(200)}`))} ${noteGas}`,
    calling(CALL + ACCOUNT + 60_000),
  ),
  one(
    'creation with too little gas for its account',
    `${createOf(DEPLOYED)} ${noteGas}`,
    calling(CALL + ACCOUNT),
    'out of gas',
  ),
  one(
    'creation that reverts',
    `${createOf(assemble('7 1 sstore 0 0 revert'))} ${noteGas}`,
    calling(700_000),
  ),
  one(
    'creation that halts',
    `${createOf(assemble('7 1 sstore invalid'))} ${noteGas}`,
    calling(700_000),
  ),
  one(
    'creation that halts with a reservoir',
    `${createOf(assemble('7 1 sstore invalid'))} ${noteGas} 1 1 sstore ${noteGas}`,
    calling(LIMIT + ACCOUNT + 10_000),
  ),
  one(
    'creation at an address with ether',
    `${createOf(DEPLOYED)} ${noteGas}`,
    calling(500_000),
    'returned',
    { [child]: { balance: 3n } },
  ),
  one(
    'creation at an address in use',
    `${createOf(DEPLOYED)} ${noteGas}`,
    calling(500_000),
    'returned',
    { [child]: { nonce: 1 } },
  ),
  one(
    'creation without code at an address in use',
    `${createOf('0x')} ${noteGas}`,
    calling(500_000),
    'returned',
    { [child]: { nonce: 1 } },
  ),
  one(
    'second creation at the same address',
    `${create2Of(DEPLOYED)} ${noteGas} ${create2Of(DEPLOYED)} ${noteGas}`,
    calling(1_500_000),
  ),
  one(
    'creation with more ether than there is',
    `${inMemory(DEPLOYED)} ${sizeOf(DEPLOYED)} 0 0xffffffffffffffffffff create ${noteGas} ${child} balance`,
    calling(500_000),
  ),
  one('creation with 131,072 bytes (EIP-7954)', `131072 0 0 create ${noteGas}`, calling(900_000)),
  one(
    'creation with 131,073 bytes (EIP-7954)',
    `131073 0 0 create ${noteGas}`,
    calling(900_000),
    'out of gas',
  ),
  one(
    'code of 65,537 bytes (EIP-7954)',
    `${createOf(assemble('65537 0 return'))} ${noteGas}`,
    calling(50_000_000),
  ),
  one(
    'code that begins with 0xef',
    `${createOf(assemble('0xef 0 mstore8 1 0 return'))} ${noteGas}`,
    calling(500_000),
  ),
  ...(
    [
      ['that deploys', DEPLOYED, 400_000, 'returned'],
      ['that deploys with a reservoir', DEPLOYED, LIMIT + 200_000, 'returned'],
      ['that reverts', assemble('7 1 sstore 0 0 revert'), 400_000, 'reverted'],
      ['that halts', assemble('7 1 sstore invalid'), 400_000, 'invalid opcode'],
      [
        'that halts with a reservoir',
        assemble('7 1 sstore invalid'),
        LIMIT + 200_000,
        'invalid opcode',
      ],
      [
        'with too little gas for its code',
        deploying(`0x${'00'.repeat(60)}`),
        255_000,
        'out of gas',
      ],
      ['with too little gas for its account', DEPLOYED, 150_000, 'out of gas'],
    ] as const
  ).map(([name, data, gasLimit, ends]) => ({
    name: `transaction ${name}`,
    sent: [[BOB, { to: null, data, gasLimit, value: 3n }]] as const,
    ends,
  })),
  {
    name: 'creation by a transaction at an address with ether',
    accounts: { [created]: { balance: 3n } },
    sent: [[BOB, { to: null, data: DEPLOYED, gasLimit: 150_000 }]],
    ends: 'returned',
  },
  {
    name: 'creation by a transaction at an address in use',
    accounts: { [created]: { nonce: 1 } },
    sent: [[BOB, { to: null, data: DEPLOYED, gasLimit: LIMIT + 150_000 }]],
    ends: 'address collision',
  },
];
