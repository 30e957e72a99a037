import { getCreate2Address, getCreateAddress, keccak256 } from 'ethers';
import type { Address, Hex } from '../../../server/api/primitives';
import { assemble, at, callOf, collectFrom, deploying, inMemory, pay, sizeOf } from '../assembler';
import { addressOf, ALICE, BOB, CAROL, type AdversarialCase } from './case';

const payerOf = (amount: number): Hex => assemble(`${pay('caller', String(amount))} stop`);
const [alice, bob] = [ALICE, BOB].map(addressOf) as [Address, Address];

const salted = (factory: Address, init: Hex): Address =>
  getCreate2Address(factory, `0x${'00'.repeat(32)}`, keccak256(init)).toLowerCase() as Address;
const nth = (from: Address, nonce: number): Address =>
  getCreateAddress({ from, nonce }).toLowerCase() as Address;

/** Creates a contract from the init code by CREATE2 with salt 0, without a log. */
const factoryOf = (init: Hex, value = 0): string =>
  `${inMemory(init)} 0 ${sizeOf(init)} 0 ${value} create2 pop stop`;
/** Creates a contract by CREATE, without a log. */
const creatorOf = (init: Hex, value: number | string = 0): string =>
  `${inMemory(init)} ${sizeOf(init)} 0 ${value} create`;

const FACTORY = at('factory');
const CHILD_INIT = deploying(payerOf(6));
const CHILD = salted(FACTORY, CHILD_INIT);

/** Copies its code from the contract whose address the factory returns, so the same address gets different code each time. */
const MORPH_INIT = assemble(
  `32 0 0 0 caller gas staticcall pop
   0 mload extcodesize dup1 0 64 0 mload extcodecopy 64 return`,
);
const MORPH = salted(FACTORY, MORPH_INIT);
/** Stores call data in slot 0; returns slot 0 to a call without data; deploys if the caller is ALICE. */
const MORPH_FACTORY = `calldatasize @set jumpi caller ${alice} eq @deploy jumpi 0 sload 0 mstore 32 0 return
  :set 0 calldataload 0 sstore stop
  :deploy ${inMemory(MORPH_INIT)} 0 ${sizeOf(MORPH_INIT)} 0 0 create2 pop stop`;
/** Pays its caller; self-destructs if the caller is ALICE. */
const mortal = (amount: number): string =>
  `caller ${alice} eq @die jumpi ${pay('caller', String(amount))} stop :die ${at('heir')} selfdestruct`;

/** Code that is created, destroyed or changed inside the block. */
export const CODE_CASES: readonly AdversarialCase[] = [
  {
    name: 'CREATE2 at an address that is called later',
    accounts: {
      [FACTORY]: factoryOf(CHILD_INIT, 100),
      [at('caller')]: collectFrom(CHILD),
    },
    blocks: [
      {
        transactions: [
          [ALICE, { to: FACTORY }],
          [CAROL, { to: at('nobody'), value: 1n }],
          [BOB, { to: at('caller') }],
        ],
      },
    ],
    nets: { [CHILD]: -6n, [at('caller')]: 6n },
  },
  {
    name: 'CREATE2 at the address that received ether before',
    accounts: {
      [FACTORY]: factoryOf(deploying(assemble(`${pay('caller', 'selfbalance')} stop`)), 100),
      [at('payer')]:
        `${callOf(salted(FACTORY, deploying(assemble(`${pay('caller', 'selfbalance')} stop`))), 23)} pop stop`,
    },
    blocks: [
      {
        transactions: [
          [CAROL, { to: at('payer') }],
          [ALICE, { to: FACTORY }],
          [
            BOB,
            { to: salted(FACTORY, deploying(assemble(`${pay('caller', 'selfbalance')} stop`))) },
          ],
        ],
      },
    ],
    nets: {
      [salted(FACTORY, deploying(assemble(`${pay('caller', 'selfbalance')} stop`)))]: -123n,
      [bob]: 123n,
    },
  },
  {
    name: 'second CREATE2 at the same address fails',
    accounts: {
      [FACTORY]: `${inMemory(CHILD_INIT)} 0 ${sizeOf(CHILD_INIT)} 0 1 create2 pop stop`,
      [at('twice')]:
        `${callOf(FACTORY)} pop 0 0 0 0 0 ${FACTORY} 300000 call pop ${pay('caller', '8')} stop`,
    },
    blocks: [{ transactions: [[BOB, { to: at('twice') }]] }],
    nets: { [FACTORY]: -1n, [CHILD]: 1n, [at('twice')]: -8n, [bob]: 8n },
  },
  {
    name: 'the nonce of a creator grew in an earlier transaction',
    accounts: {
      [at('creator')]: `${creatorOf(CHILD_INIT, 50)} pop stop`,
      [at('p')]: `${callOf(at('creator'))} pop stop`,
      [at('s')]: `${callOf(at('creator'))} pop stop`,
    },
    blocks: [
      {
        transactions: [
          [ALICE, { to: at('p') }],
          [BOB, { to: at('s') }],
        ],
      },
    ],
    nets: { [at('creator')]: -50n, [nth(at('creator'), 2)]: 50n },
  },
  {
    name: 'the nonce of a creator grows by failed creations',
    accounts: {
      // The first reverts, the second exceeds the balance, the third succeeds.
      [at('creator')]: `${creatorOf(assemble('0 0 revert'), 5)} pop
        ${creatorOf(CHILD_INIT, '0xffffffffffffffffffff')} pop ${creatorOf(CHILD_INIT, 50)} pop stop`,
    },
    blocks: [{ transactions: [[BOB, { to: at('creator') }]] }],
    nets: { [at('creator')]: -50n, [nth(at('creator'), 2)]: 50n },
  },
  ...(
    [
      ['reverts with data', assemble('0xdeadbeef 0 mstore 32 0 revert'), 'berlin'],
      ['runs into an invalid instruction', assemble('invalid'), 'berlin'],
      ['returns code that starts with 0xef', assemble('0xef 0 mstore8 1 0 return'), 'london'],
      ['returns more code than is allowed', assemble('0x6001 0 return'), 'berlin'],
      ['cannot pay for its code', assemble('0x5000 0 return'), 'berlin'],
    ] as const
  ).map(([what, init, since]): AdversarialCase => ({
    name: `creation that ${what}`,
    since,
    accounts: { [at('creator')]: `${creatorOf(init, 5)} pop ${pay('caller', '9')} stop` },
    blocks: [{ transactions: [[BOB, { to: at('creator'), gasLimit: 2_000_000 }]] }],
    nets: { [at('creator')]: -9n, [bob]: 9n },
  })),
  {
    name: 'creating transaction that fails',
    accounts: {},
    blocks: [{ transactions: [[BOB, { to: null, value: 5n, data: assemble('0 0 revert') }]] }],
    nets: {},
  },
  {
    name: 'self-destruction and re-creation with other code at the same address',
    until: 'shanghai',
    accounts: {
      [FACTORY]: MORPH_FACTORY,
      [at('v1')]: mortal(5),
      [at('v2')]: mortal(7),
      [at('caller')]: collectFrom(MORPH),
    },
    blocks: [
      {
        transactions: [
          [CAROL, { to: FACTORY, data: `0x${at('v1').slice(2).padStart(64, '0')}` }],
          [ALICE, { to: FACTORY }],
        ],
      },
      {
        transactions: [
          [ALICE, { to: MORPH }],
          [CAROL, { to: FACTORY, data: `0x${at('v2').slice(2).padStart(64, '0')}` }],
          [ALICE, { to: FACTORY }],
          [CAROL, { to: MORPH, value: 50n }],
          [BOB, { to: at('caller') }],
        ],
      },
    ],
    nets: { [MORPH]: -7n, [at('caller')]: 7n },
  },
];
