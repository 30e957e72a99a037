import { FunctionFragment } from 'ethers';
import type { DecodedMethod } from '../../api/decoding';
import type { Address, Hex } from '../../api/primitives';
import type { CallFrame } from '../call-frame';
import { decodeExactly, toParams } from '../abi-values/codec';

const NAMES: Readonly<Record<number, string>> = {
  0x1: 'ecRecover',
  0x2: 'SHA2-256',
  0x3: 'RIPEMD-160',
  0x4: 'Identity',
  0x5: 'ModExp',
  0x6: 'ecAdd',
  0x7: 'ecMul',
  0x8: 'ecPairing',
  0x9: 'Blake2F',
  0xa: 'KZG point evaluation',
  0xb: 'BLS12 G1 add',
  0xc: 'BLS12 G1 MSM',
  0xd: 'BLS12 G2 add',
  0xe: 'BLS12 G2 MSM',
  0xf: 'BLS12 pairing check',
  0x10: 'BLS12 map Fp to G1',
  0x11: 'BLS12 map Fp2 to G2',
  0x100: 'P256 verify',
};

/** Precompiled contracts of Ethereum's rules (execution-specs; EIP-152, 2537, 4844, 7951). */
export const PRECOMPILES: ReadonlyMap<Address, string> = new Map(
  Object.entries(NAMES).map(([number, name]) => [
    `0x${Number(number).toString(16).padStart(40, '0')}`,
    name,
  ]),
);

const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`;

/** Precompiles whose input is a list of words, as functions. */
const FUNCTIONS: ReadonlyMap<Address, FunctionFragment> = new Map(
  [
    [0x1, 'ecRecover(bytes32 hash, uint8 v, bytes32 r, bytes32 s) returns (address signer)'],
    [0x6, 'ecAdd(uint256 x1, uint256 y1, uint256 x2, uint256 y2) returns (uint256 x, uint256 y)'],
    [0x7, 'ecMul(uint256 x, uint256 y, uint256 scalar) returns (uint256 x, uint256 y)'],
    [
      0x100,
      'p256Verify(bytes32 hash, bytes32 r, bytes32 s, bytes32 x, bytes32 y) returns (bool valid)',
    ],
  ].map(([number, text]) => [
    addressOf(number as number),
    FunctionFragment.from(`function ${text}`),
  ]),
);

/** Precompiles that accept any bytes, and their output. They are shown if the bytes are whole words, so that they have an ABI type. */
const OVER_BYTES: ReadonlyMap<Address, { name: string; output: 'bytes32' | 'same' }> = new Map([
  [addressOf(0x2), { name: 'sha256', output: 'bytes32' }],
  [addressOf(0x3), { name: 'ripemd160', output: 'bytes32' }],
  [addressOf(0x4), { name: 'identity', output: 'same' }],
]);
const MAX_WORDS = 32;

/** A call to a precompile in the form of a function call; null for precompiles whose input has a format of its own. */
export function decodePrecompile({ to, input, output, error }: CallFrame): DecodedMethod | null {
  const fragment = to === null ? undefined : (FUNCTIONS.get(to) ?? overWords(to, input));
  const values = fragment && decodeExactly(fragment.inputs, input);
  if (!values) return null;
  const outputs = error === undefined ? decodeExactly(fragment.outputs, output) : undefined;
  return {
    name: fragment.name,
    signature: fragment.format('sighash'),
    callParams: toParams(fragment.inputs, values),
    returnParams: outputs ? toParams(fragment.outputs, outputs) : [],
    constructorArguments: '',
    source: 'built-in',
  };
}

function overWords(to: Address, input: Hex): FunctionFragment | undefined {
  const precompile = OVER_BYTES.get(to);
  const words = (input.length - 2) / 64;
  if (!precompile || !Number.isInteger(words) || words > MAX_WORDS) return undefined;
  const type = words === 0 ? '' : words === 1 ? 'bytes32' : `bytes32[${words}]`;
  const data = type && `${type} data`;
  const output = precompile.output === 'same' ? type : precompile.output;
  return FunctionFragment.from(
    `function ${precompile.name}(${data})${output && ` returns (${output})`}`,
  );
}
