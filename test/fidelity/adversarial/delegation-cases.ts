import type { Address } from '../../../server/api/primitives';
import { assemble, at, callOf, collectFrom, pay } from '../assembler';
import {
  addressOf,
  ALICE,
  authorise,
  BOB,
  CAROL,
  DAVE,
  delegationTo,
  ETHER,
  type AdversarialCase,
  type Sent,
} from './case';

const PAYS_5 = at('pays5');
const PAYS_7 = at('pays7');
const payerOf = (amount: number) => ({
  nonce: 1,
  code: assemble(`${pay('caller', String(amount))} stop`),
});
const PAYERS = { [PAYS_5]: payerOf(5), [PAYS_7]: payerOf(7) };
const [alice, bob, carol] = [ALICE, BOB, CAROL].map(addressOf) as [Address, Address, Address];
const unrelated: Sent = [ALICE, { to: at('nobody'), value: 1n }];
const delegated = (target: Address) => ({
  balance: 10n * ETHER,
  nonce: 1,
  code: delegationTo(target),
});

/** EIP-7702: code of delegating accounts. */
export const DELEGATION_CASES: readonly AdversarialCase[] = [
  {
    name: 'delegation that an earlier transaction changed',
    since: 'prague',
    accounts: { ...PAYERS, [carol]: delegated(PAYS_5) },
    blocks: [
      {
        transactions: [
          [ALICE, { to: at('nobody'), type: 4, authorizationList: [authorise(CAROL, PAYS_7, 1)] }],
          unrelated,
          [BOB, { to: carol }],
        ],
      },
    ],
    nets: { [carol]: -7n, [bob]: 7n },
  },
  {
    name: 'delegation that an earlier transaction changed, called by a contract',
    since: 'prague',
    accounts: {
      ...PAYERS,
      [carol]: delegated(PAYS_5),
      [at('caller')]: collectFrom(carol),
    },
    blocks: [
      {
        transactions: [
          [ALICE, { to: at('nobody'), type: 4, authorizationList: [authorise(CAROL, PAYS_7, 1)] }],
          unrelated,
          [BOB, { to: at('caller') }],
        ],
      },
    ],
    nets: { [carol]: -7n, [at('caller')]: 7n },
  },
  {
    name: 'delegation that an earlier transaction removed',
    since: 'prague',
    accounts: {
      ...PAYERS,
      [carol]: delegated(PAYS_5),
      [at('caller')]: `${callOf(carol, 3)} pop stop`,
    },
    blocks: [
      {
        transactions: [
          [
            ALICE,
            {
              to: at('nobody'),
              type: 4,
              authorizationList: [authorise(CAROL, `0x${'00'.repeat(20)}`, 1)],
            },
          ],
          unrelated,
          [BOB, { to: at('caller') }],
        ],
      },
    ],
    nets: { [at('caller')]: -3n, [carol]: 3n },
  },
  {
    name: 'delegation by an authority that never sent anything',
    since: 'prague',
    accounts: { ...PAYERS, [addressOf(DAVE)]: { balance: ETHER } },
    blocks: [
      {
        transactions: [
          [
            BOB,
            {
              to: addressOf(DAVE),
              type: 4,
              authorizationList: [authorise(DAVE, PAYS_7, 0)],
            },
          ],
        ],
      },
    ],
    nets: { [addressOf(DAVE)]: -7n, [bob]: 7n },
  },
  {
    name: 'authorisations of which only one is valid',
    since: 'prague',
    accounts: { ...PAYERS, [carol]: delegated(PAYS_5) },
    blocks: [
      {
        transactions: [
          [
            BOB,
            {
              to: carol,
              type: 4,
              authorizationList: [
                authorise(CAROL, PAYS_7, 9),
                CAROL.authorizeSync({ address: PAYS_7, chainId: 5, nonce: 1 }),
                authorise(CAROL, PAYS_7, 1),
                authorise(CAROL, PAYS_5, 1),
              ],
            },
          ],
        ],
      },
    ],
    nets: { [carol]: -7n, [bob]: 7n },
  },
  {
    name: 'sender that authorises itself',
    since: 'prague',
    accounts: { ...PAYERS },
    blocks: [
      {
        transactions: [
          [BOB, { to: at('nobody'), type: 4, authorizationList: [authorise(BOB, PAYS_7, 1)] }],
          [ALICE, { to: bob, value: 2n }],
        ],
      },
    ],
    nets: { [alice]: 5n, [bob]: -5n },
  },
  ...[
    '0x0000000000000000000000000000000000000004',
    '0x0000000000000000000000000000000000000001',
  ].map((precompile): AdversarialCase => ({
    name: `delegation to precompile ${Number(precompile)}: nothing runs`,
    since: 'prague',
    accounts: { [carol]: delegated(precompile as Address) },
    blocks: [{ transactions: [[BOB, { to: carol, value: 3n, data: '0x12345678' }]] }],
    nets: { [bob]: -3n, [carol]: 3n },
  })),
  {
    name: 'delegation to a precompile, called by a contract',
    since: 'prague',
    accounts: {
      [carol]: delegated('0x0000000000000000000000000000000000000004'),
      [at('caller')]: `0 0 32 0 2 ${carol} gas call pop
        ${pay('caller', 'returndatasize 11 add')} stop`,
    },
    blocks: [{ transactions: [[BOB, { to: at('caller') }]] }],
    nets: { [at('caller')]: -13n, [carol]: 2n, [bob]: 11n },
  },
  {
    name: 'delegation set to a precompile earlier in the block',
    since: 'prague',
    accounts: { ...PAYERS, [carol]: delegated(PAYS_5) },
    blocks: [
      {
        transactions: [
          [
            ALICE,
            {
              to: at('nobody'),
              type: 4,
              authorizationList: [
                authorise(CAROL, '0x0000000000000000000000000000000000000002', 1),
              ],
            },
          ],
          unrelated,
          [BOB, { to: carol, value: 3n, data: '0x12' }],
        ],
      },
    ],
    nets: { [bob]: -3n, [carol]: 3n },
  },
  {
    name: 'delegation to a delegation is not followed',
    since: 'prague',
    accounts: {
      ...PAYERS,
      [carol]: delegated(addressOf(DAVE)),
      [addressOf(DAVE)]: delegated(PAYS_7),
      [at('caller')]: `0 0 0 0 2 ${carol} 50000 call pop ${pay('caller', '4')} stop`,
    },
    blocks: [{ transactions: [[BOB, { to: at('caller') }]] }],
    nets: { [at('caller')]: -4n, [bob]: 4n },
  },
];
