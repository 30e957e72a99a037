import { AbiCoder, FunctionFragment, id, type ParamType } from 'ethers';
import type { Address, Hash, Hex } from '../api/primitives';
import { toWord } from '../ethereum/quantity';

/** More calls do not make the first analysis faster. */
const CALLS = 2_500;
/** Depth of nested calls; the next call after that is a child of the top frame again. Prime, so that calls of a kind have all depths. */
const DEPTH = 7;
/** Prime, so that each contract has calls of all kinds. */
const CONTRACTS = 19;
/** Different arguments of each kind of call. Few, because encoding takes time. */
const VARIANTS = 4;

/** A log as nodes write it in a trace: with the fields in this order. */
interface TracedLog {
  address: Address;
  topics: Hash[];
  data: Hex;
  position: Hex;
  index: Hex;
}

/** A frame as nodes write it: the fields in this order, without those that do not apply. */
export interface TracedCall {
  from: Address;
  gas: Hex;
  gasUsed: Hex;
  to: Address;
  input: Hex;
  output: Hex | undefined;
  error: string | undefined;
  revertReason: string | undefined;
  calls: TracedCall[] | undefined;
  logs: TracedLog[] | undefined;
  value: Hex | undefined;
  type: string;
}

interface Call {
  input: Hex;
  output?: Hex;
  error?: string;
  revertReason?: string;
  log?: Log;
  /** Default: `0x0`. */
  value?: Hex;
  /** Default: `CALL`. */
  type?: 'STATICCALL' | 'DELEGATECALL';
}
type Log = Pick<TracedLog, 'topics' | 'data'>;

/** Makes a call of one kind. Its arguments depend on the number. */
type KindOfCall = (number: number) => Call;

/** A function that only the contracts of `synthetic-contracts.ts` have. */
export const OWN_FUNCTION = 'warmUp(uint256,bool)';

const balanceOf: KindOfCall = (number) => ({
  ...{ input: encoded('balanceOf(address)', holder(number)), output: toWord(number) },
  type: 'STATICCALL',
});

const ownCall: KindOfCall = (number) => ({ input: encoded(OWN_FUNCTION, number, true) });

const failedTransfer: KindOfCall = (number) => ({
  input: encoded('transfer(address,uint256)', holder(number), number),
  output: encoded('Error(string)', 'balance too low'),
  ...{ error: 'execution reverted', revertReason: 'balance too low' },
});

const QUIET: readonly KindOfCall[] = [ownCall, balanceOf];

const MIXED: readonly KindOfCall[] = [
  balanceOf,
  ownCall,
  (number) => ({
    input: encoded('transfer(address,uint256)', holder(number), number),
    output: toWord(1),
    log: event('Transfer(address,address,uint256)', [holder(number), holder(number + 1)], number),
  }),
  (number) => ({
    input: encoded('approve(address,uint256)', holder(number), number),
    output: toWord(1),
    log: event('Approval(address,address,uint256)', [holder(number), holder(number + 1)], number),
  }),
  (number) => ({
    input: encoded(
      'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
      ...[number, 1, [holder(1), holder(2)], holder(number), 1_700_000_000],
    ),
    output: returned('uint256[]', [number, 1]),
  }),
  (number) => ({
    ...{ input: encoded('sync()'), type: 'DELEGATECALL' },
    log: event('Sync(uint112,uint112)', [], number, 1),
  }),
  (number) => ({
    input: encoded('multicall(bytes[])', [
      encoded('transfer(address,uint256)', holder(number), 1),
      encoded('sync()'),
    ]),
    output: returned('bytes[]', [toWord(1), '0x']),
  }),
  () => ({ input: '0x', value: '0x1' }),
];

/**
 * Call trees in the format of `callTracer`: of all kinds of calls, of calls without logs, and of calls some of which fail. What each lacks
 * leads to objects of other shapes in the analysis.
 */
export function* syntheticTraces(): Generator<TracedCall> {
  for (const kinds of [MIXED, QUIET, [...MIXED, failedTransfer]]) yield callTree(kinds);
}

/** Calls of these kinds in turns. */
function callTree(kinds: readonly KindOfCall[]): TracedCall {
  const calls = Array.from({ length: VARIANTS }, (_, number) => kinds.map((kind) => kind(number)));
  const top = frameOf(addressOf(0xa11), addressOf(0xb0b), ownCall(0));
  let parent = top;
  for (const [index, call] of repeated(calls.flat(), CALLS).entries()) {
    if (index % DEPTH === 0) parent = top;
    const frame = frameOf(parent.to, addressOf(0x70000 + (index % CONTRACTS)), call);
    (parent.calls ??= []).push(frame);
    parent = frame;
  }
  return top;
}

/** The logs of a call and of the calls below it, without those of failed ones. */
export const logsIn = ({ logs = [], calls = [], error }: TracedCall): TracedLog[] =>
  error === undefined ? [...logs, ...calls.flatMap(logsIn)] : [];

const repeated = <T>(items: readonly T[], length: number): T[] =>
  Array.from({ length: Math.ceil(length / items.length) }, () => items)
    .flat()
    .slice(0, length);

/** Written without spreads, which take much longer. */
function frameOf(from: Address, to: Address, call: Call): TracedCall {
  const { input, output, error, revertReason, log, value = '0x0', type } = call;
  return {
    from,
    gas: '0x186a0',
    gasUsed: '0x5208',
    to,
    input,
    output,
    error,
    revertReason,
    calls: undefined,
    logs: log && [
      { address: to, topics: log.topics, data: log.data, position: '0x0', index: '0x0' },
    ],
    value: type === undefined ? value : undefined,
    type: type ?? 'CALL',
  };
}

/** Data of a call or an error. */
function encoded(text: string, ...values: readonly unknown[]): Hex {
  const { hash, types } = signatureOf(text);
  return `${hash.slice(0, 10) as Hex}${words(types, values).slice(2)}`;
}

function event(text: string, indexed: readonly Address[], ...values: readonly number[]): Log {
  const { hash, types } = signatureOf(text);
  const topics = indexed.map((address) => toWord(BigInt(address)));
  return { topics: [hash, ...topics], data: words(types.slice(indexed.length), values) };
}

const returned = (type: string, value: unknown): Hex =>
  words(signatureOf(`result(${type})`).types, [value]);

interface Signature {
  hash: Hash;
  types: readonly ParamType[];
}

const signatures = new Map<string, Signature>();

/** Reading a signature takes longer than encoding its values, so each is read once. */
function signatureOf(text: string): Signature {
  const known = signatures.get(text);
  if (known) return known;
  const { inputs } = FunctionFragment.from(text);
  const read = { hash: id(text) as Hash, types: inputs };
  signatures.set(text, read);
  return read;
}

const words = (types: readonly ParamType[], values: readonly unknown[]): Hex =>
  AbiCoder.defaultAbiCoder().encode(types, values) as Hex;

const holder = (number: number): Address => addressOf(0x1000 + number);

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`;
}
