import type { Address, Hex } from '../../../server/api/primitives';
import { assemble, at, deploying, inMemory, sizeOf } from '../assembler';
import { isSince, type PlannedHardfork } from '../reference/plan';
import type { Random } from './random';

/** Programs that call each other. */
export const PROGRAMS: readonly Address[] = Array.from({ length: 10 }, (_, i) => at(`program${i}`));
const EMPTY = at('empty');
const PRECOMPILES = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((one) => `0x${word(one).slice(24)}`);

function word(value: number): string {
  return value.toString(16).padStart(64, '0');
}

/** Inputs of the generator of a program's pieces. */
interface Context {
  random: Random;
  hardfork: PlannedHardfork;
}

/** An operand: an edge-case number, or a value of the environment. */
function operand({ random, hardfork }: Context): string {
  const environment = [
    'address',
    'caller',
    'origin',
    'callvalue',
    'calldatasize',
    'codesize',
    'gasprice',
    'coinbase',
    'timestamp',
    'number',
    'difficulty',
    'gaslimit',
    'chainid',
    'selfbalance',
    'returndatasize',
    'msize',
    ...(isSince(hardfork, 'london') ? ['basefee'] : []),
    ...(isSince(hardfork, 'cancun') ? ['blobbasefee', '0 blobhash'] : []),
    '0 calldataload',
    '1 number sub blockhash',
    `${random.pick(PROGRAMS)} balance`,
    `${random.pick(PROGRAMS)} extcodesize`,
    `${random.pick(PROGRAMS)} extcodehash`,
    'gas',
  ];
  if (random.once(2)) return random.pick(environment);
  return String(random.pick([0, 1, 2, 3, 31, 32, 33, 255, 256, 65_535, random.number(1 << 30)]));
}

const slot = ({ random }: Context): string => String(random.number(4));
const place = ({ random }: Context): string => String(random.number(5) * 32 + random.number(3));
const length = ({ random }: Context): string => String(random.pick([0, 1, 4, 31, 32, 33, 64, 100]));

function target({ random }: Context): string {
  return random.pick([
    ...PROGRAMS,
    ...PROGRAMS,
    ...PRECOMPILES,
    EMPTY,
    'address',
    'caller',
    'coinbase',
  ]);
}

function callPiece(context: Context): string {
  const { random } = context;
  const kind = random.pick(['call', 'call', 'delegatecall', 'staticcall', 'callcode']);
  const hasValue = kind === 'call' || kind === 'callcode';
  const value = hasValue ? random.pick(['0', '0', '1', '7', '0xffffffffffffffffffff']) : '';
  const gas = random.pick(['gas', '0', '2300', '10000', '30000', '2 gas div']);
  const after = random.pick(['pop', `${slot(context)} sstore`, '0 mstore']);
  const [out, into] = [length(context), length(context)];
  return `${out} ${place(context)} ${into} ${place(context)} ${value} ${target(context)} ${gas} ${kind} ${after}`;
}

const INITS: readonly Hex[] = [
  deploying(assemble('1 0 mstore 32 0 return')),
  deploying(assemble('caller selfdestruct')),
  assemble('7 0 sstore 0 0 return'),
  assemble('caller selfdestruct'),
  assemble('address selfdestruct'),
  assemble('32 0 revert'),
  assemble('0xef 0 mstore8 1 0 return'),
  assemble('invalid'),
  '0x',
];

function creationPiece(context: Context): string {
  const { random } = context;
  const init = random.pick(INITS);
  const value = random.pick(['0', '0', '2', '0xffffffffffffffffffff']);
  const after = random.pick(['pop', `${slot(context)} sstore`]);
  const salt = random.once(2) ? String(random.number(3)) : undefined;
  const size = sizeOf(init);
  return salt === undefined
    ? `${inMemory(init)} ${size} 0 ${value} create ${after}`
    : `${inMemory(init)} ${salt} ${size} 0 ${value} create2 ${after}`;
}

/** An instruction of EIP-8024 on a stack that may be too low for it. */
function deepPiece({ random }: Context): string {
  const height = random.pick([18, 20, 32]);
  const words = Array.from({ length: height }, (_, index) => String(index)).join(' ');
  const [byte, grows] = random.pick([
    ['e6', 1],
    ['e7', 0],
    ['e8', 0],
  ] as const);
  const data = random.pick(['80', '81', '82', '8e', '8f', '2f', '9d', 'db', '5b', '60', '00']);
  const pops = Array.from({ length: height + grows }, () => 'pop').join(' ');
  return `${words} code:${byte}${data} ${pops}`;
}

/** Generates instructions that leave the stack as it was. */
function piece(context: Context): string {
  const { random, hardfork } = context;
  const binary = random.pick(['add', 'mul', 'sub', 'div', 'mod', 'exp', 'lt', 'eq', 'and', 'xor']);
  const pieces = [
    () => `${operand(context)} ${slot(context)} sstore`,
    () => `${operand(context)} ${slot(context)} sload add ${slot(context)} sstore`,
    () => `${operand(context)} ${operand(context)} ${binary} ${place(context)} mstore`,
    () => `${length(context)} ${place(context)} keccak256 ${slot(context)} sstore`,
    () => `${length(context)} ${place(context)} log0`,
    () => `${operand(context)} ${length(context)} ${place(context)} log1`,
    () => `${operand(context)} ${operand(context)} ${length(context)} ${place(context)} log2`,
    () => `${length(context)} 0 ${place(context)} calldatacopy`,
    () => `${length(context)} 0 ${place(context)} ${random.pick(PROGRAMS)} extcodecopy`,
    () => callPiece(context),
    () => callPiece(context),
    () => callPiece(context),
    () => creationPiece(context),
    ...(random.once(6) ? [() => `${length(context)} 0 ${place(context)} returndatacopy`] : []),
    ...(isSince(hardfork, 'cancun')
      ? [
          () => `${operand(context)} ${slot(context)} tstore`,
          () => `${slot(context)} tload ${slot(context)} sstore`,
          () => `${length(context)} ${place(context)} ${place(context)} mcopy`,
        ]
      : []),
    ...(isSince(hardfork, 'amsterdam')
      ? [
          () => `slotnum ${slot(context)} sstore`,
          () => deepPiece(context),
          () => `${slot(context)} sload ${random.number(30)} sstore`,
          // Accounts and slots that are new, and slots that are cleared again.
          () => `0 0 0 0 1 ${random.number(1 << 30)} gas call pop`,
          () => `7 ${random.number(1 << 20)} sstore`,
          () => `0 ${slot(context)} sstore`,
          () => `${random.pick(PROGRAMS)} extcodesize pop`,
        ]
      : []),
  ];
  return random.pick(pieces)();
}

function ending(context: Context): string {
  const { random } = context;
  const data = `${length(context)} ${place(context)}`;
  return random.pick([
    'stop',
    'stop',
    `${data} return`,
    `${data} return`,
    `${data} revert`,
    'invalid',
    '99 jump',
    `${target(context)} selfdestruct`,
    'address selfdestruct',
  ]);
}

/** A random program of some pieces with a branch. */
export function randomProgram(random: Random, hardfork: PlannedHardfork): Hex {
  const context = { random, hardfork };
  const some = (): string =>
    Array.from({ length: 1 + random.number(4) }, () => piece(context)).join(' ');
  return assemble(
    `${some()} ${operand(context)} 1 and @other jumpi ${some()} ${ending(context)} :other ${some()} ${ending(context)}`,
  );
}
