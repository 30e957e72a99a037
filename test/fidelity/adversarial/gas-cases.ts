import type { Address } from '../../../server/api/primitives';
import { at, callOf, pay } from '../assembler';
import { addressOf, BOB, contract, word, type AdversarialCase } from './case';

const bob = addressOf(BOB);
const X = at('x');
const payer = (amount: string): string => `${pay('caller', amount)} stop`;
const paysBob = (amount: bigint): Record<Address, bigint> => ({ [X]: -amount, [bob]: amount });
/** Leaves the gas cost of the instructions on the stack, plus 2 for the measurement itself (GAS). */
const measured = (instructions: string): string => `gas ${instructions} gas swap1 sub`;
const precompile = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`;
/** Calls a precompile with the first `size` bytes of memory. */
const ask = (number: number, size: number, gas: number | string = 'gas'): string =>
  `64 0 ${size} 0 0 ${precompile(number)} ${gas} call`;

/** Executions whose results depend on gas. */
export const GAS_CASES: readonly AdversarialCase[] = [
  {
    name: 'cold and warm slots',
    accounts: { [X]: payer(`${measured('7 sload pop')} ${measured('7 sload pop')} 65536 mul add`) },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    // PUSH 3 + SLOAD 2100 or 100 + POP 2 + GAS 2
    nets: paysBob(2107n + 65536n * 107n),
  },
  {
    name: 'slot that the access list warms',
    accounts: { [X]: payer(measured('7 sload pop')) },
    blocks: [
      {
        transactions: [
          [BOB, { to: X, type: 1, accessList: [{ address: X, storageKeys: [word(7)] }] }],
        ],
      },
    ],
    nets: paysBob(107n),
  },
  {
    name: 'account that the access list warms',
    accounts: {
      [X]: payer(
        `${measured(`${at('y')} balance pop`)} ${measured(`${at('z')} balance pop`)} 65536 mul add`,
      ),
    },
    blocks: [
      {
        transactions: [
          [BOB, { to: X, type: 1, accessList: [{ address: at('y'), storageKeys: [] }] }],
        ],
      },
    ],
    nets: paysBob(107n + 65536n * 2607n),
  },
  {
    name: 'fee recipient is cold before Shanghai',
    until: 'paris',
    accounts: { [X]: payer(measured('coinbase balance pop')) },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(2606n),
  },
  {
    name: 'fee recipient is warm since Shanghai (EIP-3651)',
    since: 'shanghai',
    accounts: { [X]: payer(measured('coinbase balance pop')) },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(106n),
  },
  {
    name: 'warmth of a reverted call is gone',
    accounts: {
      [at('r')]: `${at('y')} balance pop 0 0 revert`,
      [X]: `${callOf(at('r'))} pop ${payer(measured(`${at('y')} balance pop`))}`,
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(2607n),
  },
  {
    name: 'all but one 64th of the gas, call by call',
    accounts: { [X]: `selfbalance pop ${callOf(X)} pop stop` },
    blocks: [{ transactions: [[BOB, { to: X, gasLimit: 100_000 }]] }],
    nets: {},
  },
  {
    name: 'stipend of a call with value',
    accounts: {
      [at('y')]: 'gas 0 mstore 32 0 return',
      [X]: `32 0 0 0 1 ${at('y')} 0 call pop ${payer('0 mload')}`,
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: { [X]: -2299n, [at('y')]: 1n, [bob]: 2298n },
  },
  ...(
    [
      ['sha256', 2, 64],
      ['ripemd160', 3, 33],
      ['identity', 4, 65],
      ['ecrecover of nonsense', 1, 128],
      ['modexp of nothing', 5, 96],
      ['ecadd of nothing', 6, 0],
      ['pairing of nothing', 8, 0],
    ] as const
  ).map(([name, number, size]): AdversarialCase => ({
    name: `gas of ${name}`,
    accounts: { [X]: `12345 0 mstore ${ask(number, size)} pop ${payer('returndatasize 1 add')}` },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: {},
    byReference: true,
  })),
  ...(
    [
      ['ecadd of a point that is none', 6, 64],
      ['ecmul of a point that is none', 7, 96],
      ['pairing of half a pair', 8, 100],
      ['blake2f of a wrong length', 9, 64],
    ] as const
  ).map(([name, number, size]): AdversarialCase => ({
    name: `precompile that fails: ${name}`,
    // The call consumes all of its gas.
    accounts: {
      [X]: `12345 0 mstore 54321 32 mstore gas ${ask(number, size, 50_000)} 9 add 0 mstore gas swap1 sub pop ${payer('0 mload')}`,
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(9n),
  })),
  {
    name: 'precompile that has too little gas',
    accounts: { [X]: `${ask(1, 128, 2999)} 4 add 0 mstore ${payer('0 mload')}` },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(4n),
  },
  {
    name: 'precompile that gets value',
    accounts: { [X]: `0 0 0 0 6 ${precompile(4)} gas call pop stop` },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: { [X]: -6n, [precompile(4)]: 6n },
  },
  {
    name: 'precompile called by a transaction',
    accounts: {},
    blocks: [{ transactions: [[BOB, { to: precompile(2), value: 3n, data: '0x1234' }]] }],
    nets: { [bob]: -3n, [precompile(2)]: 3n },
  },
  {
    name: 'LOG inside a static call: no event',
    accounts: {
      [at('y')]: '32 0 log0 stop',
      [X]: `0 0 0 0 ${at('y')} 30000 staticcall pop 1 2 32 0 log2 ${payer('7')}`,
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(7n),
  },
  {
    name: 'SSTORE with the stipend alone fails (EIP-2200)',
    accounts: {
      [at('y')]: '1 1 sstore stop',
      [X]: contract(`0 0 0 0 1 ${at('y')} 0 call 8 add 0 mstore ${payer('0 mload')}`),
    },
    blocks: [{ transactions: [[BOB, { to: X }]] }],
    nets: paysBob(8n),
  },
  {
    name: 'transaction that runs out of gas',
    accounts: { [X]: ':loop 1 0 mstore @loop jump' },
    blocks: [{ transactions: [[BOB, { to: X, value: 5n, gasLimit: 60_000 }]] }],
    nets: {},
  },
  {
    name: 'call data that costs its floor (EIP-7623)',
    since: 'prague',
    accounts: { [X]: payer('calldatasize') },
    blocks: [{ transactions: [[BOB, { to: X, data: `0x${'ff'.repeat(3000)}` }]] }],
    nets: paysBob(3000n),
  },
];
