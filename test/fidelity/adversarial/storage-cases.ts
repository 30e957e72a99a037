import { assemble, at, callOf, collectFrom, pay } from '../assembler';
import {
  addressOf,
  ALICE,
  BOB,
  CAROL,
  contract,
  word,
  type AdversarialCase,
  type Sent,
} from './case';

/** Stores the first word of the call data in slot 0; without call data, pays the caller the amount in slot 0. */
const BANK = `calldatasize @set jumpi ${pay('caller', '0 sload')} stop :set 0 calldataload 0 sstore stop`;
const Q = at('q');
/** Forwards its call data to `to`, without a log. */
const forwardTo = (to: string): string =>
  `calldatasize 0 0 calldatacopy 0 0 calldatasize 0 0 ${to} gas call pop stop`;
const PROXY = forwardTo(Q);
/** Calls Q without data, so that Q pays it, and keeps the ether. */
const COLLECTOR = collectFrom(Q);

const set = (value: number): Sent => [ALICE, { to: at('p'), data: word(value) }];
const unrelated: Sent = [CAROL, { to: at('nobody'), value: 1n }];
const collect: Sent = [BOB, { to: Q }];

/** Values that one transaction writes and a later one reads, without a trace in sender, recipient, logs or access lists. */
export const STORAGE_CASES: readonly AdversarialCase[] = [
  {
    name: 'slot set through a silent intermediate',
    accounts: { [Q]: contract(BANK, 1000), [at('p')]: PROXY },
    blocks: [{ transactions: [set(2000), unrelated, collect] }],
    nets: { [Q]: -2000n, [addressOf(BOB)]: 2000n },
  },
  {
    name: 'slot set and set back inside the block',
    accounts: { [Q]: contract(BANK, 1000), [at('p')]: PROXY },
    blocks: [{ transactions: [set(2000), unrelated, collect, set(1000)] }],
    target: 2,
    nets: { [Q]: -2000n, [addressOf(BOB)]: 2000n },
  },
  {
    name: 'slot set through three contracts, read through another',
    accounts: {
      [Q]: contract(BANK, 1000),
      [at('r')]: forwardTo(Q),
      [at('s')]: forwardTo(at('r')),
      [at('p')]: forwardTo(at('s')),
      [at('c')]: COLLECTOR,
    },
    blocks: [{ transactions: [set(3000), unrelated, [BOB, { to: at('c') }]] }],
    nets: { [Q]: -3000n, [at('c')]: 3000n },
  },
  {
    name: 'slot set by a transaction that is reverted',
    accounts: {
      [Q]: contract(BANK, 1000),
      [at('p')]: `${PROXY.replace(/stop$/, '')} 0 0 revert`,
    },
    blocks: [{ transactions: [set(2000), unrelated, collect] }],
    nets: { [Q]: -1000n, [addressOf(BOB)]: 1000n },
  },
  {
    name: 'slot set by a call that its caller survives failing',
    accounts: {
      [Q]: contract(BANK, 1000),
      [at('r')]: `${PROXY.replace(/stop$/, '')} invalid`,
      [at('p')]:
        `calldatasize 0 0 calldatacopy 0 0 calldatasize 0 0 ${at('r')} 100000 call pop stop`,
    },
    blocks: [{ transactions: [set(2000), unrelated, collect] }],
    nets: { [Q]: -1000n, [addressOf(BOB)]: 1000n },
  },
  {
    name: 'slot written by DELEGATECALL of a library',
    accounts: {
      [at('writer')]: 'calldatasize 0 0 calldatacopy 0 mload 0 sstore stop',
      [Q]: contract(
        `calldatasize @set jumpi ${pay('caller', '0 sload')} stop
         :set calldatasize 0 0 calldatacopy 0 0 calldatasize 0 ${at('writer')} gas delegatecall pop stop`,
        1000,
      ),
      [at('p')]: PROXY,
    },
    blocks: [{ transactions: [set(2500), unrelated, collect] }],
    nets: { [Q]: -2500n, [addressOf(BOB)]: 2500n },
  },
  {
    name: 'slot set by the constructor of a contract that is not kept',
    accounts: {
      [Q]: contract(BANK, 1000),
    },
    blocks: [
      {
        transactions: [
          [
            ALICE,
            {
              to: null,
              // Calls Q with the word 4000 and returns no code.
              data: assemble(`4000 0 mstore 0 0 32 0 0 ${Q} gas call pop stop`),
            },
          ],
          unrelated,
          collect,
        ],
      },
    ],
    nets: { [Q]: -4000n, [addressOf(BOB)]: 4000n },
  },
  {
    name: 'transient storage is empty again in the next transaction',
    since: 'cancun',
    accounts: {
      [Q]: contract(
        `calldatasize @set jumpi ${pay('caller', '0 tload 9 add')} stop :set 0 calldataload 0 tstore stop`,
      ),
      [at('p')]: PROXY,
    },
    blocks: [{ transactions: [set(2000), collect] }],
    nets: { [Q]: -9n, [addressOf(BOB)]: 9n },
  },
  {
    name: 'transient storage lasts for the transaction and not over a revert',
    since: 'cancun',
    accounts: {
      [Q]: contract(
        `calldatasize @set jumpi ${pay('caller', '0 tload')} stop
         :set 0 calldataload dup1 0 tstore 7 eq @fail jumpi stop :fail 0 0 revert`,
      ),
      // Sets 5, then 7 in a call that reverts, then collects.
      [at('p')]: `callvalue @paid jumpi 5 0 mstore 0 0 32 0 0 ${Q} gas call pop
        7 0 mstore 0 0 32 0 0 ${Q} gas call pop ${callOf(Q)} pop :paid stop`,
    },
    blocks: [{ transactions: [[BOB, { to: at('p') }]] }],
    nets: { [Q]: -5n, [at('p')]: 5n },
  },
  {
    name: 'a slot that is cleared gives gas back',
    accounts: { [Q]: contract(`0 0 sstore ${pay('caller', '3')} stop`, 1) },
    blocks: [{ transactions: [collect] }],
    nets: { [Q]: -3n, [addressOf(BOB)]: 3n },
  },
];
