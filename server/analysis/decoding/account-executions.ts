import { ParamType } from 'ethers';
import type { Address, Hex } from '../../api/primitives';
import { decodeExactly } from '../abi-values/codec';

/** Functions of smart accounts that execute what a mode says (ERC-7579, EIP-7821), by their signatures. */
export const EXECUTIONS = new Set(['execute(bytes32,bytes)', 'executeFromExecutor(bytes32,bytes)']);

/** A call that an account executes. */
export interface AccountExecution {
  /** Place in the decoded data; empty for the whole of it. */
  readonly path: string;
  readonly to: Address;
  /** Wei; undefined for a delegated call. */
  readonly value?: bigint;
  readonly data: Hex;
  readonly isDelegated?: true;
  readonly mayFail?: true;
}

/** Digits of a mode (ERC-7579): type of call, type of execution, unused, selector. */
const MODE = { call: [2, 4], execution: [4, 6], selector: [14, 22] } as const;
const CALL_TYPES = { single: '00', batch: '01', delegated: 'ff' } as const;
const TRY = '01';
/** Mode selectors with data besides the calls, and with several such batches (EIP-7821). */
const [WITH_DATA, BATCHES] = ['78210001', '78210002'];

/** Digits of an address and of a word. */
const [ADDRESS, WORD] = [40, 64];
const CALLS = [ParamType.from('tuple(address,uint256,bytes)[]')];
const CALLS_AND_DATA = [...CALLS, ParamType.from('bytes')];
const LIST = [ParamType.from('bytes[]')];
const MAX_BATCHES = 64;

type EncodedCalls = readonly (readonly [to: Address, value: bigint, data: Hex])[];

/**
 * The calls that a smart account executes. Undefined if the mode is not a known one, or the data does not have its form.
 * @param mode 32 bytes
 * @param self the account; a batch names it by the zero address (EIP-7821)
 */
export function accountExecutions(
  mode: Hex,
  data: Hex,
  self: Address | null,
): AccountExecution[] | undefined {
  const of = ([from, to]: readonly [number, number]): string => mode.slice(from, to);
  const fails = of(MODE.execution) === TRY ? { mayFail: true as const } : {};
  const executions = byType(of(MODE.call), of(MODE.selector), data);
  return executions?.map((one) => ({
    ...one,
    ...(self !== null && !one.isDelegated && /^0x0{40}$/.test(one.to) && { to: self }),
    ...fails,
  }));
}

function byType(type: string, selector: string, data: Hex): AccountExecution[] | undefined {
  const digits = data.slice(2);
  switch (type) {
    case CALL_TYPES.single: {
      const start = ADDRESS + WORD;
      if (digits.length < start) return undefined;
      const value = BigInt(`0x${digits.slice(ADDRESS, start)}`);
      return [{ path: '', to: addressIn(digits), value, data: `0x${digits.slice(start)}` }];
    }
    case CALL_TYPES.delegated:
      if (digits.length < ADDRESS) return undefined;
      return [
        { path: '', to: addressIn(digits), data: `0x${digits.slice(ADDRESS)}`, isDelegated: true },
      ];
    case CALL_TYPES.batch:
      return selector === BATCHES ? batches(data) : batch(data, '', selector === WITH_DATA);
    default:
      return undefined;
  }
}

function batches(data: Hex): AccountExecution[] | undefined {
  const list = decodeExactly(LIST, data)?.[0] as readonly Hex[] | undefined;
  if (!list || list.length > MAX_BATCHES) return undefined;
  const found = list.map((one, index) => batch(one, `[${index}]`, true));
  return found.every((calls) => calls !== undefined) ? found.flat() : undefined;
}

/** @param hasData whether other data may follow the calls */
function batch(data: Hex, path: string, hasData: boolean): AccountExecution[] | undefined {
  const values =
    decodeExactly(CALLS, data) ?? (hasData ? decodeExactly(CALLS_AND_DATA, data) : undefined);
  const calls = values?.[0] as EncodedCalls | undefined;
  return calls?.map(([to, value, callData], index) => ({
    path: `${path}[${index}]`,
    to,
    value,
    data: callData,
  }));
}

const addressIn = (digits: string): Address => `0x${digits.slice(0, ADDRESS)}`;
