import { MAX_WORD } from '../../api/word';
import { getCreateAddress } from 'ethers';
import { ApiError, shown } from '../../api/errors';
import type { Address, Hash, Hex } from '../../api/primitives';
import { frameError } from '../../evm/forms/halts';
import { toQuantity } from '../../evm/forms/quantity';
import {
  CALL_TYPES,
  executionWork,
  type CallFrame,
  type CallType,
  type FrameItem,
  type Log,
} from '../call-frame';
import type { MinedTransaction } from '../ports';
import { NEWEST_SHARED_TYPE } from '../transactions/kind';
import { atOnce, STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';

/** A frame in the format of go-ethereum's `callTracer`; other clients deviate slightly. */
interface RawFrame {
  type?: unknown;
  from?: unknown;
  to?: unknown;
  value?: unknown;
  gasUsed?: unknown;
  input?: unknown;
  output?: unknown;
  error?: unknown;
  revertReason?: unknown;
  calls?: unknown;
  logs?: unknown;
  destroys?: unknown;
}

interface RawLog {
  address?: unknown;
  topics?: unknown;
  data?: unknown;
  position?: unknown;
}

/** The EVM's limit is 1024; deeper trees could not be serialized to JSON. */
const MAX_DEPTH = 1_100;

type OpenFrame = { -readonly [Field in keyof CallFrame]: CallFrame[Field] };

/** Shared by all frames without calls and logs, which are most of a large trace. */
const NO_ITEMS: readonly FrameItem[] = [];

/**
 * Reads the result of `debug_traceTransaction` or `debug_traceCall` with `callTracer` and `withLog`.
 * Logs of failed frames and of the frames below them are read from `details` or omitted: clients disagree on whether they list them.
 * Self-destructions are read from `details` if it contains them. Otherwise, a self-destruction that names another contract than the
 * executing one is read as one to itself, of unknown value: engines built on revm repeat an earlier transfer there, or name no contract.
 * The top frame's gas is the receipt's, since engines report it with the gas of earlier transactions or without the intrinsic gas.
 * @param details a tree of the same calls without self-destructions, with all logs and `destroys`; ignored if its calls differ
 * @throws ApiError `upstreamLacksData` if it is not such a result
 */
export const readCallTrace = (
  answer: unknown,
  mined: MinedTransaction,
  details?: unknown,
): ReadTrace => atOnce(callTraceWork(answer, mined, details));

export interface ReadTrace {
  root: CallFrame;
  /** Gas of the top frame as reported by the tracer. */
  reportedGas: number;
}

/** The same as interruptible work. */
export function* callTraceWork(
  answer: unknown,
  { transaction, receipt }: MinedTransaction,
  details?: unknown,
): Work<ReadTrace> {
  const raw = record(answer, 'the trace');
  const reader = new FrameReader();
  const top = reader.frame(raw);
  requireSame(top, transaction);
  yield* readItems(reader, raw, top, details);
  const reportedGas = top.gasUsed;
  // Assigned, not copied: all frames are objects of one hidden class, for which V8 optimizes their readers.
  top.gasUsed = Number(receipt.gasUsed);
  top.to =
    transaction.to ??
    (getCreateAddress({
      from: transaction.from,
      nonce: BigInt(transaction.nonce),
    }).toLowerCase() as Address);
  yield* executionWork(top);
  return { root: top, reportedGas };
}

/** Gas alone does not identify a transaction: another one may use the same amount. Types of rollups have rules of their own. */
function requireSame(
  { from, to, value, input }: OpenFrame,
  transaction: MinedTransaction['transaction'],
): void {
  if (Number(transaction.type ?? '0x0') > NEWEST_SHARED_TYPE) return;
  if (from !== transaction.from.toLowerCase()) malformed('from', from);
  if (transaction.to !== null && to !== transaction.to.toLowerCase()) malformed('to', to);
  if (value !== BigInt(transaction.value)) malformed('value', toQuantity(value));
  if (input !== transaction.input.toLowerCase()) malformed('input', input);
}

/** Fills the items of the top frame and of all frames below it, without recursion. */
function* readItems(
  reader: FrameReader,
  topRaw: RawFrame,
  top: OpenFrame,
  details: unknown,
): Work<void> {
  let read = 0;
  const open = [{ raw: topRaw, frame: top, depth: 0, failed: top.error !== undefined, details }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { raw, frame, depth, failed } = next;
    if (depth > MAX_DEPTH) malformed('depth', depth);
    const calls = list(raw.calls, 'calls');
    const twin = sameCalls(next.details, calls);
    const logs = list(failed ? twin?.logs : raw.logs, 'logs');
    if (calls.length + logs.length === 0) continue;
    const items = new Array<FrameItem>(calls.length + logs.length);
    frame.items = items;
    let at = 0;
    let twinAt = 0;
    let emitted = 0;
    for (let before = 0; before <= calls.length; before++) {
      for (; emitted < logs.length; emitted++) {
        const log = record(logs[emitted], 'a log');
        if (position(log.position, calls.length) > before) break;
        items[at++] = reader.log(log);
      }
      if (before === calls.length) break;
      const call = record(calls[before], 'a call');
      const type = callType(call.type);
      if (type === 'SELFDESTRUCT') {
        items[at++] = reader.destruction(call, frame, twin?.destroys);
        continue;
      }
      const child = reader.frame(call, type);
      items[at++] = child;
      open.push({
        raw: call,
        frame: child,
        depth: depth + 1,
        failed: failed || child.error !== undefined,
        details: twin?.calls[twinAt++],
      });
      if (++read % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    }
  }
}

/** Calls, logs and self-destructions of the matching frame in the other tree, if it made the same number of calls. */
function sameCalls(frame: unknown, calls: readonly unknown[]): Details | undefined {
  if (frame === undefined || frame === null) return undefined;
  const { calls: listedCalls, logs, destroys } = record(frame, 'a frame');
  const made = list(listedCalls, 'calls');
  const count = calls.filter((call) => !isDestruction(record(call, 'a call'))).length;
  return made.length === count ? { calls: made, logs, destroys } : undefined;
}

interface Details {
  readonly calls: readonly unknown[];
  readonly logs: unknown;
  readonly destroys: unknown;
}

const isDestruction = ({ type }: RawFrame): boolean => callType(type) === 'SELFDESTRUCT';

/** The account that a frame executes as: under DELEGATECALL and CALLCODE the caller. */
const executorOf = ({ type, from, to }: OpenFrame): Address | null =>
  type === 'DELEGATECALL' || type === 'CALLCODE' ? from : to;

/** Reads single frames and logs. A trace contains few distinct addresses and topics, so each is stored once. */
class FrameReader {
  readonly #addresses = new Map<unknown, Address | null>();
  readonly #knownTopics = new Map<unknown, Hash>();

  frame(raw: RawFrame, type = callType(raw.type)): OpenFrame {
    const to = this.#address(raw.to);
    const moves = type !== 'STATICCALL' && type !== 'DELEGATECALL';
    const creates = type === 'CREATE' || type === 'CREATE2';
    if (to === null && !creates) malformed('to', raw.to);
    const frame: OpenFrame = {
      type,
      from: this.#address(raw.from) ?? malformed('from', raw.from),
      to: creates && to === ZERO_ADDRESS ? null : to,
      value: moves ? amount(raw.value) : 0n,
      gasUsed: count(raw.gasUsed, 'gasUsed'),
      input: bytes(raw.input, 'input'),
      output: bytes(raw.output, 'output'),
      items: NO_ITEMS,
    };
    const error = raw.error ?? '';
    if (typeof error !== 'string') malformed('error', error);
    if (error !== '') frame.error = frameError(error);
    if (typeof raw.revertReason === 'string') frame.revertReason = raw.revertReason;
    return frame;
  }

  /** @param details the self-destruction of the executing contract: `from`, `to`, `value` */
  destruction(raw: RawFrame, caller: OpenFrame, details: unknown): OpenFrame {
    if (details !== undefined && details !== null) {
      return this.frame({ ...raw, ...record(details, 'a self-destruction') });
    }
    const executor = executorOf(caller);
    const isComplete = this.#address(raw.to) !== null && this.#address(raw.from) === executor;
    if (isComplete || executor === null) return this.frame(raw);
    const self = this.frame({ ...raw, from: executor, to: executor, value: '0x0' });
    return { ...self, isValueUnknown: true };
  }

  log(raw: RawLog): Log {
    return {
      address: this.#address(raw.address) ?? malformed('log.address', raw.address),
      topics: this.#topics(raw.topics),
      data: bytes(raw.data, 'log.data'),
    };
  }

  #address(value: unknown): Address | null {
    const known = this.#addresses.get(value);
    if (known !== undefined) return known;
    const read = readAddress(value);
    this.#addresses.set(value, read);
    return read;
  }

  #topics(value: unknown): Hash[] {
    const found = list(value, 'log.topics');
    if (found.length > 4) malformed('log.topics', value);
    return found.map((topic) => {
      const known = this.#knownTopics.get(topic);
      if (known !== undefined) return known;
      const read = readTopic(topic);
      this.#knownTopics.set(topic, read);
      return read;
    });
  }
}

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

function callType(type: unknown): CallType {
  const name = type === 'SUICIDE' ? 'SELFDESTRUCT' : type; // the opcode's name before EIP-6
  return isCallType(name) ? name : malformed('type', type);
}

const isCallType = (name: unknown): name is CallType =>
  (CALL_TYPES as readonly unknown[]).includes(name);

/** Number of calls made before a log. Clients that omit it list logs that came last. */
const position = (value: unknown, calls: number): number =>
  value === undefined ? calls : Math.min(calls, count(value, 'log.position'));

const QUANTITY = /^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/;

/** Wei. */
function amount(value: unknown): bigint {
  if (value === undefined || value === null || value === '0x0') return 0n;
  if (typeof value === 'string' && QUANTITY.test(value)) {
    const wei = BigInt(value);
    if (wei <= MAX_WORD) return wei;
  }
  return BigInt(count(value, 'value'));
}

/** A number that JavaScript represents exactly: no gas or position is larger. */
function count(value: unknown, field: string): number {
  if (value === undefined || value === null) return 0;
  const read = typeof value === 'string' && QUANTITY.test(value) ? Number(value) : value;
  const isCount = typeof read === 'number' && Number.isSafeInteger(read) && read >= 0;
  return isCount ? read : malformed(field, value);
}

const LOWER_CASE_HEX = /^0x[0-9a-f]*$/;
const HEX = /^0x[0-9a-f]*$/i;

/** Lower-case hex; undefined for other values. Nearly all nodes answer in lower case. */
function hex(value: unknown): Hex | undefined {
  if (typeof value !== 'string') return undefined;
  if (LOWER_CASE_HEX.test(value)) return value as Hex;
  return HEX.test(value) ? (value.toLowerCase() as Hex) : undefined;
}

function readAddress(value: unknown): Address | null {
  if (value === undefined || value === null || value === '') return null;
  const address = hex(value);
  return address?.length === 42 ? address : malformed('address', value);
}

function bytes(value: unknown, field: string): Hex {
  if (value === undefined || value === null || value === '') return '0x';
  const found = hex(value);
  return found !== undefined && found.length % 2 === 0 ? found : malformed(field, value);
}

const TOPIC_LENGTH = 66;

function readTopic(value: unknown): Hash {
  const topic = hex(value);
  return topic?.length === TOPIC_LENGTH ? topic : malformed('log.topics', value);
}

const NONE: readonly unknown[] = [];

function list(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return NONE;
  return Array.isArray(value) ? value : malformed(field, value);
}

function record(value: unknown, what: string): RawFrame & RawLog {
  return typeof value === 'object' && value !== null ? value : malformed(what, value);
}

function malformed(field: string, value: unknown): never {
  throw new ApiError(
    'upstreamLacksData',
    `the node's call trace cannot be read: ${field} is ${shown(value)}`,
  );
}
