import { getCreateAddress } from 'ethers';
import type { Address } from '../../../server/api/primitives';
import { assemble, at, callOf, inMemory, pay, sizeOf } from '../assembler';
import { addressOf, ALICE, BOB, CAROL, contract, ETHER, word, type AdversarialCase } from './case';

const bob = addressOf(BOB);
const X = at('x');
const DIES = `${at('heir')} selfdestruct`;
const child = getCreateAddress({ from: at('creator'), nonce: 1 }).toLowerCase() as Address;
const createWith = (program: string, value: number): string => {
  const init = assemble(program);
  return `${inMemory(init)} ${sizeOf(init)} 0 ${value} create`;
};

/** SELFDESTRUCT before and since Cancun (EIP-6780). */
export const DESTROY_CASES: readonly AdversarialCase[] = [
  {
    name: 'destroyed for an heir that did not exist',
    accounts: { [X]: contract(DIES, 77) },
    blocks: [{ transactions: [[BOB, { to: X, value: 5n }]] }],
    nets: { [bob]: -5n, [X]: -ETHER, [at('heir')]: ETHER + 5n },
  },
  {
    name: 'destroyed for itself before Cancun: the ether is burnt',
    until: 'shanghai',
    accounts: { [X]: 'address selfdestruct' },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: { [X]: -ETHER },
  },
  {
    name: 'destroyed for itself with value before Cancun',
    until: 'shanghai',
    accounts: { [X]: 'address selfdestruct' },
    blocks: [{ transactions: [[BOB, { to: X, value: 5n }]] }],
    nets: { [bob]: -5n, [X]: -ETHER },
  },
  {
    name: 'destroyed for itself since Cancun: nothing happens',
    since: 'cancun',
    accounts: { [X]: 'address selfdestruct' },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: {},
  },
  {
    name: 'destroyed for itself with value since Cancun',
    since: 'cancun',
    accounts: { [X]: 'address selfdestruct' },
    blocks: [{ transactions: [[BOB, { to: X, value: 5n }]] }],
    nets: { [bob]: -5n, [X]: 5n },
  },
  {
    name: 'created and destroyed for itself: the ether is burnt',
    accounts: { [at('creator')]: `${createWith('address selfdestruct', 30)} pop stop` },
    blocks: [{ transactions: [[BOB, { to: at('creator') }]] }],
    nets: { [at('creator')]: -30n },
  },
  {
    name: 'created, destroyed, and paid afterwards: the ether is burnt',
    accounts: {
      [at('creator')]:
        `${createWith('caller selfdestruct', 30)} 0 0 0 0 11 ${child} gas call pop pop stop`,
    },
    blocks: [{ transactions: [[BOB, { to: at('creator') }]] }],
    nets: { [at('creator')]: -11n },
  },
  {
    name: 'destroyed twice, paid in between',
    accounts: {
      [X]: DIES,
      [at('caller')]: `${callOf(X)} pop ${callOf(X, 9)} pop stop`,
    },
    blocks: [{ transactions: [[BOB, { to: at('caller') }]] }],
    nets: { [X]: -ETHER, [at('caller')]: -9n, [at('heir')]: ETHER + 9n },
  },
  {
    name: 'destroyed by a library that it calls with DELEGATECALL',
    accounts: { [at('lib')]: DIES, [X]: `0 0 0 0 ${at('lib')} gas delegatecall pop stop` },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: { [X]: -ETHER, [at('heir')]: ETHER },
  },
  {
    name: 'destruction that is rolled back',
    accounts: {
      [X]: DIES,
      [at('r')]: `${callOf(X)} pop 0 0 revert`,
      [at('caller')]: `${callOf(at('r'))} pop ${pay('caller', `${X} balance`)} stop`,
    },
    blocks: [{ transactions: [[BOB, { to: at('caller') }]] }],
    nets: { [at('caller')]: -ETHER, [bob]: ETHER },
  },
  {
    name: 'destruction inside a static call',
    accounts: {
      [X]: DIES,
      [at('caller')]: `0 0 0 0 ${X} 50000 staticcall pop ${pay('caller', '2')} stop`,
    },
    blocks: [{ transactions: [[BOB, { to: at('caller') }]] }],
    nets: { [at('caller')]: -2n, [bob]: 2n },
  },
  {
    name: 'size of a contract that was destroyed earlier in the block',
    accounts: {
      [X]: DIES,
      [at('p')]: `${callOf(X)} pop stop`,
      [at('caller')]: `${pay('caller', `${X} extcodesize 1 add`)} stop`,
    },
    until: 'shanghai',
    blocks: [
      {
        transactions: [
          [ALICE, { to: at('p') }],
          [BOB, { to: at('caller') }],
        ],
      },
    ],
    nets: { [at('caller')]: -1n, [bob]: 1n },
  },
  {
    name: 'storage of a contract that was destroyed earlier in the block',
    accounts: {
      [X]: contract(`calldatasize @die jumpi ${pay('caller', '0 sload')} stop :die ${DIES}`, 60),
      [at('p')]: `0 0 1 0 0 ${X} gas call pop stop`,
      [at('refill')]: `${callOf(X, 99)} pop stop`,
      [at('caller')]:
        `callvalue @paid jumpi ${callOf(X)} pop ${pay('caller', `${X} balance 1 add`)} :paid stop`,
    },
    blocks: [
      {
        transactions: [
          [ALICE, { to: at('p') }],
          [CAROL, { to: X, value: 100n, data: '0x' }],
          [BOB, { to: at('caller') }],
        ],
      },
    ],
    nets: {}, // depends on the hardfork: see the reference
    byReference: true,
  },
  {
    name: 'slots of a contract that destroys itself after writing them',
    accounts: { [X]: contract(`5 1 sstore 0 0 sstore ${DIES}`, 60) },
    blocks: [{ transactions: [[BOB, { to: X, data: word(1) }]] }],
    nets: { [X]: -ETHER, [at('heir')]: ETHER },
  },
];
