import type { Address } from '../../../server/api/primitives';
import { at, pay } from '../assembler';
import { addressOf, ALICE, BOB, CAROL, type AdversarialCase } from './case';

const bob = addressOf(BOB);
const X = at('x');
const payer = (amount: string): string => `${pay('caller', amount)} stop`;
const paysBob = (amount: bigint): Record<Address, bigint> => ({ [X]: -amount, [bob]: amount });
/** Gas of the instructions, plus 2 for the measurement itself (GAS). */
const measured = (instructions: string): string => `gas ${instructions} gas swap1 sub`;
const P256_VERIFY: Address = `0x${'100'.padStart(40, '0')}`;
const MODEXP: Address = `0x${'5'.padStart(40, '0')}`;
/** Lengths of base, exponent and modulus; the numbers follow in memory. */
const lengths = (base: number, exponent: number, modulus: number): string =>
  `${base} 0 mstore ${exponent} 32 mstore ${modulus} 64 mstore`;

/** Rules that Osaka adds. */
export const OSAKA_CASES: readonly AdversarialCase[] = [
  {
    name: 'CLZ (EIP-7939)',
    since: 'osaka',
    accounts: { [X]: payer('255 clz 0 clz 1000 mul add') },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(256_248n),
  },
  {
    name: 'CLZ is no instruction before Osaka',
    since: 'prague',
    until: 'prague',
    accounts: { [X]: payer('255 clz') },
    blocks: [{ transactions: [[BOB, { to: X, value: 3n }]] }],
    nets: {},
  },
  {
    name: 'lowest price of MODEXP (EIP-7883)',
    since: 'osaka',
    until: 'osaka',
    accounts: {
      [X]: `${lengths(1, 1, 1)} ${payer(measured(`32 0 99 0 ${MODEXP} 99999 staticcall pop`))}`,
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    // MODEXP 500, STATICCALL 100 and a fourth word of memory 3, six PUSH 3 each, POP 2, GAS 2
    nets: paysBob(500n + 103n + 18n + 2n + 2n),
  },
  {
    name: 'price of MODEXP with a long base and a long exponent (EIP-7883)',
    since: 'osaka',
    accounts: {
      [X]: `${lengths(64, 40, 33)} 0xff 160 mstore ${payer(measured(`32 0 300 0 ${MODEXP} 900000 staticcall pop`))}`,
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: {},
    byReference: true,
  },
  {
    name: 'MODEXP of more than 1,024 bytes fails (EIP-7823)',
    since: 'osaka',
    accounts: {
      [X]: `${lengths(1025, 1, 1)} ${payer(`0 0 96 0 ${MODEXP} 50000 staticcall 4 add`)}`,
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(4n),
  },
  {
    name: 'price of P256VERIFY (EIP-7951)',
    since: 'osaka',
    until: 'osaka',
    accounts: {
      [X]: payer(measured(`0 0 160 0 ${P256_VERIFY} 99999 staticcall pop`)),
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    // P256VERIFY 6,900, STATICCALL 100 and five words of memory 15, six PUSH 3 each, POP 2, GAS 2
    nets: paysBob(6_900n + 115n + 18n + 2n + 2n),
  },
  {
    name: 'most gas of a transaction (EIP-7825)',
    since: 'osaka',
    until: 'osaka',
    accounts: { [X]: payer('gas 0 mul 6 add') },
    blocks: [{ transactions: [[BOB, { to: X, gasLimit: 2 ** 24 }]] }],
    nets: paysBob(6n),
  },
  {
    name: 'BLOBBASEFEE by the blob parameters of today (EIP-8135)',
    since: 'osaka',
    accounts: { [X]: payer('blobbasefee') },
    blocks: [
      {
        excessBlobGas: 150_000_000n,
        transactions: [
          [
            ALICE,
            { to: addressOf(CAROL), type: 3, blobVersionedHashes: [`0x01${'aa'.repeat(31)}`] },
          ],
          [BOB, { to: X }],
        ],
      },
    ],
    nets: {},
    byReference: true,
  },
];
