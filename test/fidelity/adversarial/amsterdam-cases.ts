import { getCreateAddress } from 'ethers';
import type { Address } from '../../../server/api/primitives';
import { assemble, at, callOf, deploying, inMemory, pay, sizeOf } from '../assembler';
import {
  addressOf,
  ALICE,
  authorise,
  BOB,
  CAROL,
  contract,
  DAVE,
  ETHER,
  word,
  type AdversarialCase,
} from './case';

const [alice, bob] = [ALICE, BOB].map(addressOf) as [Address, Address];
const X = at('x');
const payer = (amount: string): string => `${pay('caller', amount)} stop`;
const paysBob = (amount: bigint): Record<Address, bigint> => ({ [X]: -amount, [bob]: amount });
const child = getCreateAddress({ from: X, nonce: 1 }).toLowerCase() as Address;
const createWith = (program: string, value: number): string => {
  const init = assemble(program);
  return `${inMemory(init)} ${sizeOf(init)} 0 ${value} create`;
};
/** Pushes 1 to `count`. */
const numbers = (count: number): string =>
  Array.from({ length: count }, (_, i) => String(i + 1)).join(' ');

/** Rules that Amsterdam adds. */
const CASES: readonly Omit<AdversarialCase, 'since'>[] = [
  {
    name: 'transfer logs of a transaction, a call and a self-destruction (EIP-7708)',
    accounts: {
      [at('dies')]: `${at('heir')} selfdestruct`,
      [X]: `callvalue 6 eq @own jumpi ${callOf(at('dies'), 5)} pop ${callOf(X, 6)} pop ${payer('7')} :own stop`,
    },
    blocks: [{ transactions: [[BOB, { to: X, value: 3n }]] }],
    nets: { [bob]: 4n, [X]: -9n, [at('dies')]: -ETHER, [at('heir')]: ETHER + 5n },
  },
  {
    name: 'no transfer log of a call that reverts (EIP-7708)',
    accounts: {
      [at('r')]: `${callOf(at('y'), 5)} pop 0 0 revert`,
      [X]: `${callOf(at('r'), 2)} pop ${payer('7')}`,
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(7n),
  },
  {
    name: 'transfer log of a creation (EIP-7708)',
    accounts: { [X]: contract(`${createWith('stop', 9)} pop ${payer('1')}`) },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: { [bob]: 1n, [X]: -10n, [child]: 9n },
  },
  {
    name: 'contract that destroys itself for itself keeps its ether (EIP-8246)',
    accounts: { [X]: contract(`${createWith('address selfdestruct', 9)} pop ${payer('1')}`) },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: { [bob]: 1n, [X]: -10n, [child]: 9n },
  },
  {
    name: 'contract that destroys itself at an address with ether (EIP-8246)',
    accounts: {
      [child]: { balance: 40n },
      [X]: contract(`${createWith('address selfdestruct', 0)} pop ${payer('1')}`),
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: { [bob]: 1n, [X]: -1n },
  },
  {
    name: 'new accounts and slots pay for state (EIP-8037)',
    accounts: {
      [X]: contract(`7 3 sstore ${callOf(at('nobody'), 4)} pop ${payer('2')}`, 5),
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: { [bob]: 2n, [X]: -6n, [at('nobody')]: 4n },
  },
  {
    name: 'slot that is set and cleared again (EIP-8037)',
    accounts: { [X]: contract(`7 3 sstore 0 3 sstore ${payer('2')}`) },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(2n),
  },
  {
    name: 'refund of a cleared slot (EIP-8037)',
    accounts: { [X]: contract(`0 0 sstore ${payer('2')}`, 5) },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(2n),
  },
  {
    name: 'gas for state above the gas limit of a transaction (EIP-8037)',
    accounts: { [X]: contract(`7 3 sstore 8 4 sstore ${payer('2')}`) },
    blocks: [{ transactions: [[BOB, { to: X, gasLimit: 20_000_000 }]] }],
    nets: paysBob(2n),
  },
  {
    name: 'failure that leaves the gas for state (EIP-8037)',
    accounts: { [X]: '7 3 sstore invalid' },
    blocks: [{ transactions: [[BOB, { to: X, value: 2n, gasLimit: 20_000_000 }]] }],
    nets: {},
  },
  {
    name: 'revert after a new slot (EIP-8037)',
    accounts: { [X]: '7 3 sstore 0 0 revert' },
    blocks: [{ transactions: [[BOB, { to: X, value: 2n }]] }],
    nets: {},
  },
  {
    name: 'authorization of an account that does not exist (EIP-8037)',
    accounts: { [X]: payer('5') },
    blocks: [
      {
        transactions: [[BOB, { to: X, type: 4, authorizationList: [authorise(DAVE, X, 0)] }]],
      },
    ],
    nets: paysBob(5n),
  },
  {
    name: 'authorization that the gas is not enough for (EIP-2780)',
    accounts: { [X]: payer('5') },
    blocks: [
      {
        transactions: [
          [BOB, { to: X, type: 4, gasLimit: 100_000, authorizationList: [authorise(DAVE, X, 0)] }],
        ],
      },
    ],
    nets: {},
  },
  {
    name: 'call data that costs its floor (EIP-7976)',
    accounts: { [X]: payer('calldatasize') },
    blocks: [{ transactions: [[BOB, { to: X, data: `0x${'00'.repeat(3000)}` }]] }],
    nets: paysBob(3000n),
  },
  {
    name: 'access list that costs its floor (EIP-7981)',
    accounts: { [X]: payer('6') },
    blocks: [
      {
        transactions: [
          [BOB, { to: X, type: 1, accessList: [{ address: X, storageKeys: [word(1), word(2)] }] }],
        ],
      },
    ],
    nets: paysBob(6n),
  },
  {
    name: 'transfer to a new account, and to the sender (EIP-2780)',
    accounts: {},
    blocks: [
      {
        transactions: [
          [ALICE, { to: alice, value: 8n }],
          [BOB, { to: at('nobody'), value: 8n }],
        ],
      },
    ],
    nets: { [bob]: -8n, [at('nobody')]: 8n },
  },
  {
    name: 'transfer without enough gas for a new account (EIP-2780)',
    accounts: {},
    blocks: [{ transactions: [[BOB, { to: at('nobody'), value: 8n, gasLimit: 30_000 }]] }],
    nets: {},
  },
  {
    name: 'SLOTNUM (EIP-7843)',
    accounts: { [X]: payer('slotnum') },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    // Block 1 is in slot 1003: see `slotOf`.
    nets: paysBob(1_003n),
  },
  {
    name: 'DUPN, SWAPN and EXCHANGE (EIP-8024)',
    accounts: {
      // DUPN 17: 1, SWAPN 17: 1 against the word below 17 others, EXCHANGE 1 2
      [X]: `${numbers(20)} code:e680 code:e780 code:e88e ${payer('0 add')}`,
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: {},
    byReference: true,
  },
  {
    name: 'code of more than 24,576 bytes (EIP-7954)',
    accounts: {},
    blocks: [
      {
        transactions: [
          [CAROL, { to: null, data: deploying(`0x${'00'.repeat(25_000)}`), gasLimit: 55_000_000 }],
        ],
      },
    ],
    nets: {},
  },
];

export const AMSTERDAM_CASES: readonly AdversarialCase[] = CASES.map((one) => ({
  ...one,
  since: 'amsterdam',
}));
