import { ErrorFragment, ParamType } from 'ethers';
import type { Hex } from '../../api/primitives';
import { decodeExactly, toParams } from '../abi-values/codec';
import { argumentsOf, selectorOf } from './call';

/** Solidity's `Panic(uint256)` codes (documentation, "Panic via assert and Error via require"). */
const PANICS: Readonly<Record<string, string>> = {
  '0': 'generic compiler panic',
  '1': 'assertion failed',
  '17': 'arithmetic overflow or underflow',
  '18': 'division or modulo by zero',
  '33': 'conversion to an enum value that does not exist',
  '34': 'incorrectly encoded storage byte array',
  '49': 'pop of an empty array',
  '50': 'array index out of bounds',
  '65': 'too much memory allocated',
  '81': 'call of an uninitialised function pointer',
};

const ERROR_SELECTOR = '0x08c379a0';
const PANIC_SELECTOR = '0x4e487b71';
const STRING = [ParamType.from('string')];
const UINT256 = [ParamType.from('uint256')];
/** Errors that hold the revert data of an inner call: of ERC-4337's entry point, and of ERC-7751. */
const WRAPPERS: ReadonlyMap<Hex, readonly ErrorFragment[]> = new Map(
  [
    'FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
    'WrappedError(address target, bytes4 selector, bytes reason, bytes details)',
  ].map((text) => {
    const fragment = ErrorFragment.from(`error ${text}`);
    return [fragment.selector as Hex, [fragment]];
  }),
);
/** Errors may hold errors. */
const MAX_DEPTH = 4;

/**
 * Revert data as text: the message of `Error(string)`, a panic with its code, or a custom error as `Name(arg: value, …)`. Bytes of a custom
 * error that are revert data themselves are followed by their own text: `WrappedError(…, reason: 0x… (insufficient balance), …)`.
 * @returns undefined if the data is none of these
 */
export function decodeRevert(
  output: Hex,
  errorsOf: (selector: Hex) => readonly ErrorFragment[],
  depth = 0,
): string | undefined {
  const selector = selectorOf(output);
  if (selector === undefined) return undefined;
  const data = argumentsOf(output);
  if (selector === ERROR_SELECTOR) return decodeExactly(STRING, data)?.[0] as string | undefined;
  if (selector === PANIC_SELECTOR) {
    const code = decodeExactly(UINT256, data)?.[0] as bigint | undefined;
    return code === undefined ? undefined : panicText(code);
  }
  const known = [...errorsOf(selector), ...(WRAPPERS.get(selector) ?? [])];
  return decodeCustomError(data, known, (inner) =>
    depth < MAX_DEPTH ? decodeRevert(inner, errorsOf, depth + 1) : undefined,
  );
}

function panicText(code: bigint): string {
  const hex = `0x${code.toString(16).padStart(2, '0')}`;
  return `Panic: ${PANICS[code.toString()] ?? 'unknown code'} (${hex})`;
}

function decodeCustomError(
  data: Hex,
  fragments: readonly ErrorFragment[],
  innerText: (data: Hex) => string | undefined,
): string | undefined {
  for (const fragment of fragments) {
    const values = decodeExactly(fragment.inputs, data);
    if (!values) continue;
    const args = toParams(fragment.inputs, values).map(({ name, type, value }) => {
      const inner = type === 'bytes' ? innerText(value as Hex) : undefined;
      const text = inner === undefined ? value : `${value} (${inner})`;
      return name ? `${name}: ${text}` : text;
    });
    return `${fragment.name}(${args.join(', ')})`;
  }
  return undefined;
}
