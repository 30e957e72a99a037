import { getCreateAddress, Wallet, ZeroAddress, type Authorization } from 'ethers';
import type { Address, Hex } from '../../server/api/primitives';
import {
  addressOf,
  ALICE,
  authorise,
  BOB,
  contract,
  DAVE,
  delegationTo,
  ETHER,
  word,
  type AdversarialCase,
  type Sent,
} from './adversarial/case';
import { assemble, at, callOf, deploying, inMemory, sizeOf } from './assembler';

/** A program whose recording is compared with the reference at each step. */
export interface AmsterdamProgram {
  readonly name: string;
  readonly accounts?: AdversarialCase['accounts'];
  /** The last one is judged. */
  readonly sent: readonly Sent[];
  /** How it ends: `returned`, `reverted`, or why it halts. */
  readonly ends: string;
}

const [alice, bob, dave] = [ALICE, BOB, DAVE].map(addressOf) as [Address, Address, Address];
const X = at('x');
const R = at('r');
const NEW = at('new');
const child = getCreateAddress({ from: X, nonce: 1 }).toLowerCase() as Address;
/** Of a transaction by its own; the first transaction of its sender. */
const created = getCreateAddress({ from: bob, nonce: 0 }).toLowerCase() as Address;

/** What a call of a contract costs before its first instruction (EIP-2780). */
const CALL = 15_000;
const [SLOT, ACCOUNT] = [64 * 1_530, 120 * 1_530];
/** Gas that is for state alone begins here (EIP-7825). */
const LIMIT = 2 ** 24;

const calling = (gasLimit: number, more: object = {}): readonly Sent[] => [
  [BOB, { to: X, gasLimit, ...more }],
];
const one = (
  name: string,
  program: string,
  sent: readonly Sent[],
  ends = 'returned',
  others: AdversarialCase['accounts'] = {},
): AmsterdamProgram => ({ name, accounts: { ...others, [X]: contract(program, 5) }, sent, ends });

/** Pushes gas that is left into memory, so that the caller's next steps show it. */
const noteGas = 'gas 0 mstore';
const createOf = (init: Hex, value = 0): string =>
  `${inMemory(init)} ${sizeOf(init)} 0 ${value} create`;
const create2Of = (init: Hex): string => `${inMemory(init)} 9 ${sizeOf(init)} 0 0 create2`;

const STATE_GAS: readonly AmsterdamProgram[] = [
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

const DEPLOYED = deploying(assemble('1 0 mstore 32 0 return'));
const CREATIONS: readonly AmsterdamProgram[] = [
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

const authorized = (
  list: readonly Authorization[],
  more: object = {},
  from: Wallet = BOB,
): readonly Sent[] => [
  [from, { to: X, type: 4, authorizationList: [...list], gasLimit: 700_000, ...more }],
];
const isDelegated = { [dave]: { balance: ETHER, code: delegationTo(X) } };
/** What is new for them costs more gas than a transaction may execute. */
const MANY = Array.from({ length: 80 }, (_, i) =>
  authorise(new Wallet(`0x${(i + 1).toString(16).padStart(64, '7')}`), X, 0),
);
const DELEGATIONS: readonly AmsterdamProgram[] = [
  one('authorization of a new account', noteGas, authorized([authorise(DAVE, X, 0)])),
  one('authorization of an account', noteGas, authorized([authorise(ALICE, X, 0)])),
  one('authorization of the sender', noteGas, authorized([authorise(BOB, X, 1)])),
  one('authorization with another nonce', noteGas, authorized([authorise(ALICE, X, 7)])),
  one(
    'authorization of an account that delegates',
    noteGas,
    authorized([authorise(DAVE, R, 0)]),
    'returned',
    isDelegated,
  ),
  one(
    'end of a delegation, and another one',
    noteGas,
    authorized([authorise(DAVE, ZeroAddress as Address, 0), authorise(DAVE, R, 1)]),
    'returned',
    isDelegated,
  ),
  one(
    'delegation that ends in the same transaction, and another one',
    noteGas,
    authorized([
      authorise(DAVE, R, 0),
      authorise(DAVE, ZeroAddress as Address, 1),
      authorise(DAVE, X, 2),
    ]),
  ),
  one(
    'authorization of the recipient, who gets ether',
    noteGas,
    authorized([authorise(DAVE, X, 0)], { to: dave, value: 4n }),
  ),
  one(
    'authorization of the recipient, without ether',
    noteGas,
    authorized([authorise(DAVE, X, 0)], { to: dave }),
  ),
  one(
    'authorizations with a reservoir',
    `${noteGas} 7 3 sstore`,
    authorized([authorise(DAVE, X, 0), authorise(ALICE, X, 0)], { gasLimit: LIMIT + 200_000 }),
  ),
  one(
    'authorization with too little gas for its account',
    noteGas,
    authorized([authorise(ALICE, X, 0), authorise(DAVE, X, 0)], { gasLimit: 150_000 }),
    'out of gas',
  ),
  one(
    'authorization with too little gas for the write',
    noteGas,
    authorized([authorise(ALICE, X, 0)], { gasLimit: CALL + 7_816 + 8_999 }),
    'out of gas',
  ),
  one(
    'more authorizations than the gas is for, with a reservoir',
    noteGas,
    authorized(MANY, { gasLimit: LIMIT + 50_000 }),
    'out of gas',
  ),
  one(
    'authorization before a failure',
    '7 3 sstore invalid',
    authorized([authorise(DAVE, X, 0)], { gasLimit: LIMIT + 400_000 }),
    'invalid opcode',
  ),
  one(
    'authorization before a revert',
    '7 3 sstore 0 0 revert',
    authorized([authorise(DAVE, X, 0)]),
    'reverted',
  ),
  one(
    'recipient with a delegate',
    `7 3 sstore ${noteGas}`,
    [[BOB, { to: dave, gasLimit: 200_000 }]],
    'returned',
    isDelegated,
  ),
  one(
    'recipient with a delegate that was accessed',
    noteGas,
    [
      [
        BOB,
        { to: dave, gasLimit: 200_000, type: 1, accessList: [{ address: X, storageKeys: [] }] },
      ],
    ],
    'returned',
    isDelegated,
  ),
  one(
    'recipient with a delegate, and too little gas',
    noteGas,
    [[BOB, { to: dave, gasLimit: CALL + 2_999 }]],
    'out of gas',
    isDelegated,
  ),
  one(
    'call of an account with a delegate',
    `${callOf(dave, 3)} ${noteGas} ${callOf(dave)} ${noteGas}`,
    calling(200_000),
    'returned',
    { [dave]: { balance: ETHER, code: delegationTo(R) }, [R]: 'address 0 mstore stop' },
  ),
];

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
const OTHERS: readonly AmsterdamProgram[] = [
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
    sent: [[BOB, { to: word(4).replace(/^0x0{24}/, '0x') as Address, value: 1n, data: '0x0102' }]],
    ends: 'returned',
  },
  {
    name: 'ether for a precompiled contract that fails, by a transaction',
    sent: [
      [BOB, { to: word(9).replace(/^0x0{24}/, '0x') as Address, value: 1n, gasLimit: LIMIT + 9 }],
    ],
    ends: 'precompile failed',
  },
  {
    name: 'ether for the sender',
    sent: [[ALICE, { to: alice, value: 1n }]],
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

export const AMSTERDAM_PROGRAMS: readonly AmsterdamProgram[] = [
  ...STATE_GAS,
  ...CREATIONS,
  ...DELEGATIONS,
  ...OTHERS,
];
