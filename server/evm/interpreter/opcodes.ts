import type { ExecutedHardfork } from '../forms/hardfork-order';

/** An instruction of the EVM. */
export interface Opcode {
  readonly name: string;
  /** Words that it takes off the stack. */
  readonly pops: number;
  /** Words that it puts onto the stack. */
  readonly pushes: number;
  /** What it costs in any case. */
  readonly gas: number;
  /** The first hardfork that has it. */
  readonly since: ExecutedHardfork;
}

type Row = readonly [
  code: number,
  name: string,
  pops: number,
  pushes: number,
  gas: number,
  since?: ExecutedHardfork,
];

/** EIP-8024. */
export const [DUPN, SWAPN, EXCHANGE] = [0xe6, 0xe7, 0xe8] as const;

const ROWS: readonly Row[] = [
  [0x00, 'STOP', 0, 0, 0],
  [0x01, 'ADD', 2, 1, 3],
  [0x02, 'MUL', 2, 1, 5],
  [0x03, 'SUB', 2, 1, 3],
  [0x04, 'DIV', 2, 1, 5],
  [0x05, 'SDIV', 2, 1, 5],
  [0x06, 'MOD', 2, 1, 5],
  [0x07, 'SMOD', 2, 1, 5],
  [0x08, 'ADDMOD', 3, 1, 8],
  [0x09, 'MULMOD', 3, 1, 8],
  [0x0a, 'EXP', 2, 1, 10],
  [0x0b, 'SIGNEXTEND', 2, 1, 5],
  [0x10, 'LT', 2, 1, 3],
  [0x11, 'GT', 2, 1, 3],
  [0x12, 'SLT', 2, 1, 3],
  [0x13, 'SGT', 2, 1, 3],
  [0x14, 'EQ', 2, 1, 3],
  [0x15, 'ISZERO', 1, 1, 3],
  [0x16, 'AND', 2, 1, 3],
  [0x17, 'OR', 2, 1, 3],
  [0x18, 'XOR', 2, 1, 3],
  [0x19, 'NOT', 1, 1, 3],
  [0x1a, 'BYTE', 2, 1, 3],
  [0x1b, 'SHL', 2, 1, 3, 'constantinople'],
  [0x1c, 'SHR', 2, 1, 3, 'constantinople'],
  [0x1d, 'SAR', 2, 1, 3, 'constantinople'],
  [0x1e, 'CLZ', 1, 1, 5, 'osaka'],
  [0x20, 'KECCAK256', 2, 1, 30],
  [0x30, 'ADDRESS', 0, 1, 2],
  [0x31, 'BALANCE', 1, 1, 0],
  [0x32, 'ORIGIN', 0, 1, 2],
  [0x33, 'CALLER', 0, 1, 2],
  [0x34, 'CALLVALUE', 0, 1, 2],
  [0x35, 'CALLDATALOAD', 1, 1, 3],
  [0x36, 'CALLDATASIZE', 0, 1, 2],
  [0x37, 'CALLDATACOPY', 3, 0, 3],
  [0x38, 'CODESIZE', 0, 1, 2],
  [0x39, 'CODECOPY', 3, 0, 3],
  [0x3a, 'GASPRICE', 0, 1, 2],
  [0x3b, 'EXTCODESIZE', 1, 1, 0],
  [0x3c, 'EXTCODECOPY', 4, 0, 0],
  [0x3d, 'RETURNDATASIZE', 0, 1, 2, 'byzantium'],
  [0x3e, 'RETURNDATACOPY', 3, 0, 3, 'byzantium'],
  [0x3f, 'EXTCODEHASH', 1, 1, 0, 'constantinople'],
  [0x40, 'BLOCKHASH', 1, 1, 20],
  [0x41, 'COINBASE', 0, 1, 2],
  [0x42, 'TIMESTAMP', 0, 1, 2],
  [0x43, 'NUMBER', 0, 1, 2],
  [0x44, 'PREVRANDAO', 0, 1, 2],
  [0x45, 'GASLIMIT', 0, 1, 2],
  [0x46, 'CHAINID', 0, 1, 2, 'istanbul'],
  [0x47, 'SELFBALANCE', 0, 1, 5, 'istanbul'],
  [0x48, 'BASEFEE', 0, 1, 2, 'london'],
  [0x49, 'BLOBHASH', 1, 1, 3, 'cancun'],
  [0x4a, 'BLOBBASEFEE', 0, 1, 2, 'cancun'],
  [0x4b, 'SLOTNUM', 0, 1, 2, 'amsterdam'],
  [0x50, 'POP', 1, 0, 2],
  [0x51, 'MLOAD', 1, 1, 3],
  [0x52, 'MSTORE', 2, 0, 3],
  [0x53, 'MSTORE8', 2, 0, 3],
  [0x54, 'SLOAD', 1, 1, 0],
  [0x55, 'SSTORE', 2, 0, 0],
  [0x56, 'JUMP', 1, 0, 8],
  [0x57, 'JUMPI', 2, 0, 10],
  [0x58, 'PC', 0, 1, 2],
  [0x59, 'MSIZE', 0, 1, 2],
  [0x5a, 'GAS', 0, 1, 2],
  [0x5b, 'JUMPDEST', 0, 0, 1],
  [0x5c, 'TLOAD', 1, 1, 100, 'cancun'],
  [0x5d, 'TSTORE', 2, 0, 100, 'cancun'],
  [0x5e, 'MCOPY', 3, 0, 3, 'cancun'],
  [0x5f, 'PUSH0', 0, 1, 2, 'shanghai'],
  // Their operands decide how deep the stack has to be.
  [DUPN, 'DUPN', 0, 1, 3, 'amsterdam'],
  [SWAPN, 'SWAPN', 0, 0, 3, 'amsterdam'],
  [EXCHANGE, 'EXCHANGE', 0, 0, 3, 'amsterdam'],
  [0xf0, 'CREATE', 3, 1, 0],
  [0xf1, 'CALL', 7, 1, 0],
  [0xf2, 'CALLCODE', 7, 1, 0],
  [0xf3, 'RETURN', 2, 0, 0],
  [0xf4, 'DELEGATECALL', 6, 1, 0, 'homestead'],
  [0xf5, 'CREATE2', 4, 1, 0, 'constantinople'],
  [0xfa, 'STATICCALL', 6, 1, 0, 'byzantium'],
  [0xfd, 'REVERT', 2, 0, 0, 'byzantium'],
  [0xff, 'SELFDESTRUCT', 1, 0, 0],
];

/** Words on the stack of a call frame. */
export const MAX_STACK = 1_024;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
export const JUMPDEST = 0x5b;

const range = (first: number, count: number, row: (n: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(index + 1)).map(([, ...rest], index) => [
    first + index,
    ...rest,
  ]);

/** By the byte of the instruction; INVALID (0xfe) and unknown bytes have none. */
export const OPCODES: readonly (Opcode | undefined)[] = (() => {
  const table: (Opcode | undefined)[] = new Array<undefined>(256).fill(undefined);
  const rows = [
    ...ROWS,
    ...range(PUSH1, 32, (n) => [0, `PUSH${n}`, 0, 1, 3]),
    ...range(0x80, 16, (n) => [0, `DUP${n}`, n, n + 1, 3]),
    ...range(0x90, 16, (n) => [0, `SWAP${n}`, n + 1, n + 1, 3]),
    ...range(0xa0, 5, (n) => [0, `LOG${n - 1}`, n + 1, 0, 375 * n]),
  ];
  for (const [code, name, pops, pushes, gas, since = 'frontier'] of rows) {
    table[code] = { name, pops, pushes, gas, since };
  }
  return table;
})();

/** Bytes of data after an instruction. */
export const pushedBytes = (code: number): number =>
  code >= PUSH1 && code <= PUSH32 ? code - PUSH1 + 1 : 0;
