import type { Address, Hex } from '../../server/api/primitives';

/** Instructions that the suite's programs use (yellow paper, appendix H, and later EIPs). */
const INSTRUCTIONS: Readonly<Record<string, number>> = {
  stop: 0x00,
  add: 0x01,
  mul: 0x02,
  sub: 0x03,
  div: 0x04,
  mod: 0x06,
  exp: 0x0a,
  lt: 0x10,
  gt: 0x11,
  eq: 0x14,
  iszero: 0x15,
  and: 0x16,
  xor: 0x18,
  shr: 0x1c,
  clz: 0x1e,
  keccak256: 0x20,
  address: 0x30,
  balance: 0x31,
  origin: 0x32,
  caller: 0x33,
  callvalue: 0x34,
  calldataload: 0x35,
  calldatasize: 0x36,
  calldatacopy: 0x37,
  codesize: 0x38,
  codecopy: 0x39,
  gasprice: 0x3a,
  extcodesize: 0x3b,
  extcodecopy: 0x3c,
  returndatasize: 0x3d,
  returndatacopy: 0x3e,
  extcodehash: 0x3f,
  blockhash: 0x40,
  coinbase: 0x41,
  timestamp: 0x42,
  number: 0x43,
  difficulty: 0x44,
  gaslimit: 0x45,
  chainid: 0x46,
  selfbalance: 0x47,
  basefee: 0x48,
  blobhash: 0x49,
  blobbasefee: 0x4a,
  slotnum: 0x4b,
  pop: 0x50,
  mload: 0x51,
  mstore: 0x52,
  mstore8: 0x53,
  sload: 0x54,
  sstore: 0x55,
  jump: 0x56,
  jumpi: 0x57,
  pc: 0x58,
  msize: 0x59,
  gas: 0x5a,
  tload: 0x5c,
  tstore: 0x5d,
  mcopy: 0x5e,
  dup1: 0x80,
  dup2: 0x81,
  dup3: 0x82,
  swap1: 0x90,
  swap2: 0x91,
  log0: 0xa0,
  log1: 0xa1,
  log2: 0xa2,
  create: 0xf0,
  call: 0xf1,
  callcode: 0xf2,
  return: 0xf3,
  delegatecall: 0xf4,
  create2: 0xf5,
  staticcall: 0xfa,
  revert: 0xfd,
  invalid: 0xfe,
  selfdestruct: 0xff,
};

/**
 * Assembles a program: names of instructions, numbers (pushed in as few bytes as possible), `:name` for a jump target and `@name` for
 * its offset, `code:` before bytes that are taken as they are.
 *
 *     assemble('0 calldataload 0 sstore stop')   // stores the first word of the call data in slot 0
 *
 * @throws Error for an unknown word
 */
export function assemble(program: string): Hex {
  const labels = new Map<string, number>();
  const parts: (string | { label: string })[] = [];
  let size = 0;
  for (const word of program.split(/\s+/).filter((one) => one !== '')) {
    const part = word.startsWith('@') ? { label: word.slice(1) } : encode(word);
    if (word.startsWith(':')) labels.set(word.slice(1), size);
    parts.push(part);
    size += typeof part === 'string' ? part.length / 2 : 3;
  }
  const code = parts.map((part) => {
    if (typeof part === 'string') return part;
    const place = labels.get(part.label);
    if (place === undefined) throw new Error(`no label ${part.label}`);
    return `61${place.toString(16).padStart(4, '0')}`;
  });
  return `0x${code.join('')}`;
}

function encode(word: string): string {
  if (word.startsWith(':')) return '5b';
  if (word.startsWith('code:')) return word.slice(5);
  const opcode = INSTRUCTIONS[word];
  if (opcode !== undefined) return opcode.toString(16).padStart(2, '0');
  if (!/^(\d+|0x[0-9a-f]+)$/.test(word)) throw new Error(`unknown instruction ${word}`);
  const digits = word.startsWith('0x') ? word.slice(2) : BigInt(word).toString(16);
  const bytes = digits.length % 2 === 0 ? digits : `0${digits}`;
  return (0x5f + bytes.length / 2).toString(16) + bytes;
}

/** Address of a contract by its name in a case. */
export const at = (name: string): Address =>
  `0xcc${Buffer.from(name).toString('hex').padStart(38, '0')}`;

/** Calls without data; the success flag stays on the stack. */
export const callOf = (to: string, value: number | string = 0, gas = 'gas'): string =>
  `0 0 0 0 ${value} ${to} ${gas} call`;

/** Pays the amount that `amount` leaves on the stack. */
export const pay = (to: string, amount: string): string => `0 0 0 0 ${amount} ${to} gas call pop`;

/** Calls `to` and keeps its payment. Does nothing on receiving ether. */
export const collectFrom = (to: string): string =>
  `callvalue @paid jumpi ${callOf(to)} pop :paid stop`;

/** Init code that deploys a program. */
export function deploying(code: Hex): Hex {
  const size = code.length / 2 - 1;
  // PUSH2 size, DUP1, PUSH1 start, PUSH1 0, CODECOPY, PUSH1 0, RETURN
  const head = `61${size.toString(16).padStart(4, '0')}80600c6000396000f3`;
  return `0x${head}${code.slice(2)}`;
}

/** Instructions that write bytes into memory at 0. */
export function inMemory(bytes: Hex): string {
  const words = bytes.slice(2).match(/.{1,64}/g) ?? [];
  return words.map((word, i) => `0x${word.padEnd(64, '0')} ${i * 32} mstore`).join(' ');
}

export const sizeOf = (bytes: Hex): number => bytes.length / 2 - 1;
