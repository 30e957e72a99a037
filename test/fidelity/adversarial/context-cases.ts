import type { Address } from '../../../server/api/primitives';
import { assemble, at, callOf, pay } from '../assembler';
import {
  addressOf,
  ALICE,
  BOB,
  CAROL,
  contract,
  DAVE,
  word,
  type AdversarialCase,
  type Sent,
} from './case';

const [bob, carol, dave] = [BOB, CAROL, DAVE].map(addressOf) as [Address, Address, Address];
const COINBASE: Address = '0x00000000000000000000000000000000000fee01';
const X = at('x');
const unrelated: Sent = [ALICE, { to: at('nobody'), value: 1n }];
/** Pays its caller the amount that the instructions leave on the stack. */
const payer = (amount: string): string => `${pay('caller', amount)} stop`;
const paysBob = (amount: bigint): Record<Address, bigint> => ({ [X]: -amount, [bob]: amount });
const GWEI = 10n ** 9n;
const low = (instruction: string): string => `1000 ${instruction} mod`;

/** EIP-4788 and EIP-2935: the code of the system contracts. */
const BEACON_ROOTS: Address = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02';
const BEACON_CODE =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500';
const HISTORY: Address = '0x0000f90827f1c53a10cb7a02335b175320002935';
const HISTORY_CODE =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500';
/** Reads the word of a key from a system contract. */
const ask = (address: Address, key: string): string =>
  `${key} 0 mstore 32 0 32 0 ${address} gas staticcall pop 1000 0 mload mod`;

/** Balances and facts of the block that a transaction reads. */
export const CONTEXT_CASES: readonly AdversarialCase[] = [
  {
    name: 'balance that an earlier transaction changed through a contract',
    accounts: {
      [X]: payer(`${at('y')} balance`),
      [at('splitter')]: `${callOf(at('y'), 40)} pop stop`,
      [at('p')]: `${callOf(at('splitter'))} pop stop`,
      [at('y')]: { balance: 2n },
    },
    blocks: [{ transactions: [[ALICE, { to: at('p') }], unrelated, [BOB, { to: X }]] }],
    nets: paysBob(42n),
  },
  {
    name: 'sender that a contract funded earlier in the block',
    accounts: { [at('p')]: `${callOf(dave, '0x6f05b59d3b20000')} pop stop` },
    blocks: [
      { transactions: [[ALICE, { to: at('p') }], unrelated, [DAVE, { to: bob, value: 3n }]] },
    ],
    nets: { [dave]: -3n, [bob]: 3n },
  },
  {
    name: 'fees of the transactions before, as balance of the fee recipient',
    since: 'london',
    accounts: { [X]: payer('coinbase balance') },
    blocks: [
      {
        coinbase: COINBASE,
        transactions: [
          [ALICE, { to: carol, value: 1n }],
          [BOB, { to: X }],
        ],
      },
    ],
    nets: paysBob(21_000n * 2n * GWEI),
  },
  {
    name: 'payment to the fee recipient',
    accounts: { [X]: `${pay('coinbase', '5')} stop` },
    blocks: [{ coinbase: COINBASE, transactions: [unrelated, [BOB, { to: X }]] }],
    nets: { [X]: -5n, [COINBASE]: 5n },
  },
  {
    name: 'fee recipient that sends a transaction',
    accounts: { [X]: payer('6') },
    blocks: [{ coinbase: bob, transactions: [unrelated, [BOB, { to: X, value: 1n }]] }],
    nets: { [X]: -5n, [bob]: 5n },
  },
  {
    name: 'withdrawal behind the transactions of the block',
    since: 'shanghai',
    accounts: { [X]: `${pay(at('y'), '5')} stop`, [at('y')]: { balance: 2n } },
    blocks: [
      {
        transactions: [unrelated, [BOB, { to: X }]],
        withdrawals: [
          { address: at('y'), wei: 7n * GWEI },
          { address: bob, wei: 9n * GWEI },
          { address: X, wei: 9n * GWEI },
        ],
      },
    ],
    nets: { [X]: -5n, [at('y')]: 5n },
  },
  {
    name: 'withdrawal of the block before',
    since: 'shanghai',
    accounts: { [X]: payer(`${at('y')} balance`) },
    blocks: [
      { transactions: [unrelated], withdrawals: [{ address: at('y'), wei: 7n * GWEI }] },
      { transactions: [[BOB, { to: X }]] },
    ],
    nets: paysBob(7n * GWEI),
  },
  {
    name: 'BLOCKHASH of the block itself is zero',
    accounts: { [X]: payer('number blockhash 4 add') },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(4n),
  },
  {
    name: 'BLOCKHASH of the parent and the one before',
    accounts: { [X]: payer(low('2 number sub blockhash 1 number sub blockhash add')) },
    blocks: [{ transactions: [unrelated] }, { transactions: [unrelated, [BOB, { to: X }]] }],
    nets: {},
    byReference: true,
  },
  {
    name: 'PREVRANDAO',
    since: 'paris',
    accounts: { [X]: payer(low('difficulty')) },
    blocks: [{ prevRandao: word(987_654_321), transactions: [unrelated, [BOB, { to: X }]] }],
    nets: paysBob(321n),
  },
  {
    name: 'DIFFICULTY before the merge',
    until: 'london',
    accounts: { [X]: payer(low('difficulty')) },
    blocks: [{ transactions: [unrelated, [BOB, { to: X }]] }],
    nets: paysBob(0x20000n % 1000n),
  },
  {
    name: 'TIMESTAMP, NUMBER, GASLIMIT and CHAINID',
    accounts: { [X]: payer('timestamp number add gaslimit add chainid add') },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(1_775_000_012n + 1n + 60_000_000n + 1n),
  },
  {
    name: 'BASEFEE and GASPRICE',
    since: 'london',
    accounts: { [X]: payer('basefee gasprice add') },
    blocks: [{ transactions: [unrelated, [BOB, { to: X }]] }],
    nets: paysBob(4n * GWEI),
  },
  {
    name: 'BLOBBASEFEE and BLOBHASH in a blob transaction',
    since: 'cancun',
    accounts: {
      [X]: payer(`blobbasefee 0 blobhash 255 and add 1 blobhash 255 and add 2 blobhash add`),
    },
    blocks: [
      {
        excessBlobGas: 40_000_000n,
        transactions: [
          unrelated,
          [
            BOB,
            {
              to: X,
              type: 3,
              blobVersionedHashes: [`0x01${'aa'.repeat(30)}05`, `0x01${'bb'.repeat(30)}06`],
            },
          ],
        ],
      },
    ],
    nets: {},
    byReference: true,
  },
  {
    name: 'BLOBBASEFEE behind a blob transaction',
    since: 'cancun',
    accounts: { [X]: payer('blobbasefee') },
    blocks: [
      {
        excessBlobGas: 30_000_000n,
        transactions: [
          [ALICE, { to: carol, type: 3, blobVersionedHashes: [`0x01${'aa'.repeat(31)}`] }],
          [BOB, { to: X }],
        ],
      },
    ],
    nets: {},
    byReference: true,
  },
  {
    name: 'beacon root of the block (EIP-4788)',
    since: 'cancun',
    accounts: {
      [BEACON_ROOTS]: { nonce: 1, code: BEACON_CODE },
      [X]: payer(ask(BEACON_ROOTS, 'timestamp')),
    },
    blocks: [{ transactions: [unrelated, [BOB, { to: X }]] }],
    nets: paysBob(0xbeac0001n % 1000n),
  },
  {
    name: 'beacon root of the block before (EIP-4788)',
    since: 'cancun',
    accounts: {
      [BEACON_ROOTS]: { nonce: 1, code: BEACON_CODE },
      [X]: payer(ask(BEACON_ROOTS, '12 timestamp sub')),
    },
    blocks: [{ transactions: [unrelated] }, { transactions: [unrelated, [BOB, { to: X }]] }],
    nets: paysBob(0xbeac0001n % 1000n),
  },
  {
    name: 'hashes of the last two blocks from state (EIP-2935)',
    since: 'prague',
    accounts: {
      [HISTORY]: { nonce: 1, code: HISTORY_CODE },
      [X]: payer(`${ask(HISTORY, '1 number sub')} ${ask(HISTORY, '2 number sub')} add`),
    },
    blocks: [{ transactions: [unrelated] }, { transactions: [unrelated, [BOB, { to: X }]] }],
    nets: {},
    byReference: true,
  },
  {
    name: 'ORIGIN behind a contract, and EXTCODEHASH of an account that came into being',
    accounts: {
      [X]: payer(`${at('y')} extcodehash iszero iszero 10 mul origin ${bob} eq add`),
      [at('p')]: `${callOf(at('y'), 1)} pop stop`,
    },
    blocks: [{ transactions: [[ALICE, { to: at('p') }], unrelated, [BOB, { to: X }]] }],
    nets: paysBob(11n),
  },
  {
    name: 'nonce of a sender with several transactions',
    accounts: {},
    blocks: [
      {
        transactions: [
          [BOB, { to: carol, value: 1n }],
          unrelated,
          [BOB, { to: null, value: 4n, data: assemble('0 0 return') }],
        ],
      },
    ],
    nets: {},
    byReference: true,
  },
  {
    name: 'value that a contract sends to itself, and CALLCODE with value',
    accounts: {
      [X]: contract(
        `callvalue @paid jumpi ${pay('address', '5')} 0 0 0 0 6 ${at('y')} gas callcode pop ${pay('caller', '1')} :paid stop`,
      ),
      [at('y')]: 'callvalue 0 sstore stop',
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(1n),
  },
  {
    name: 'transfer of more than there is',
    accounts: {
      [X]: `0 0 0 0 0xffffffffffffffffffff ${carol} gas call iszero 3 mul 0 mstore ${payer('0 mload')}`,
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(3n),
  },
];
