import type { EVMResult, Message } from '@ethereumjs/evm';
import type { Address, Hash, Hex } from '../../api/primitives';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import { SYSTEM_ADDRESS } from '../prefix/request-contracts';

interface RecordedLog {
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Hex;
  /** Calls that the frame made before the log. */
  readonly position: Hex;
}

/** A call in the format of go-ethereum's `callTracer`. */
export interface RecordedFrame {
  type: string;
  from: Address;
  to?: Address;
  value?: Hex;
  gas: Hex;
  gasUsed: Hex;
  input: Hex;
  output?: Hex;
  error?: string;
  calls: RecordedFrame[];
  /** Those of a failed frame as well. */
  logs: RecordedLog[];
}

/** A call or creation that an instruction asks for. */
export interface AskedCall {
  readonly type: string;
  readonly from: Address;
  readonly to: Address | undefined;
  readonly value: bigint;
  readonly input: () => Hex;
}

/** Transfer(address,address,uint256) */
const TRANSFER: Hash = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Maximum number of frames and logs of one transaction. */
const MAX_ITEMS = 2_000_000;

/** Builds the call tree of one transaction. */
export class Frames {
  root: RecordedFrame | undefined;
  readonly #open: RecordedFrame[] = [];
  #asked: AskedCall | undefined;
  #items = 0;

  /** @param hasTransferLogs whether transfers of ether are logged (EIP-7708) */
  begin(message: Message, hasTransferLogs: boolean): void {
    const asked = this.#asked;
    this.#asked = undefined;
    const isCreation = message.to === undefined;
    const type = asked?.type ?? (isCreation ? 'CREATE' : 'CALL');
    const to = asked?.to ?? (message.to === undefined ? undefined : hexOf(message.to.bytes));
    const frame: RecordedFrame = {
      type,
      from: asked?.from ?? hexOf(message.caller.bytes),
      gas: toQuantity(message.gasLimit),
      gasUsed: '0x0',
      input: hexOf(message.data),
      calls: [],
      logs: [],
    };
    if (to !== undefined) frame.to = to;
    if (movesValue(type)) frame.value = toQuantity(asked?.value ?? message.value);
    this.#add(frame);
    this.#open.push(frame);
    if (hasTransferLogs && message.to !== undefined && !message.delegatecall) {
      this.transferred(hexOf(message.caller.bytes), hexOf(message.to.bytes), message.value);
    }
  }

  /** @param address of the contract that the open frame creates */
  created(address: Uint8Array, hasTransferLogs: boolean): void {
    const frame = this.#open.at(-1);
    if (!frame) return;
    frame.to = hexOf(address);
    if (hasTransferLogs) this.transferred(frame.from, frame.to, BigInt(frame.value ?? '0x0'));
  }

  /** The log of a transfer of ether in the open frame (EIP-7708): none for nothing, or for a transfer to the account itself. */
  transferred(from: Address, to: Address, value: bigint): void {
    if (value === 0n || from === to) return;
    this.log(SYSTEM_ADDRESS, [TRANSFER, toWord(BigInt(from)), toWord(BigInt(to))], toWord(value));
  }

  end({ execResult, createdAddress }: EVMResult): void {
    const frame = this.#open.pop();
    this.#asked = undefined; // an instruction that failed ended its frame
    if (!frame) return;
    frame.gasUsed = toQuantity(execResult.executionGasUsed);
    const failure = execResult.exceptionError?.error as string | undefined;
    if ((failure === undefined || failure === 'revert') && execResult.returnValue.length > 0) {
      frame.output = hexOf(execResult.returnValue);
    }
    if (frame.type.startsWith('CREATE')) {
      if (failure === undefined && createdAddress) frame.to = hexOf(createdAddress.bytes);
      else delete frame.to;
    }
    if (failure !== undefined) frame.error = errorOf(failure);
    if (this.#open.length === 0) this.root = frame;
  }

  /** Announces the call that an instruction is about to make. */
  ask(call: AskedCall): void {
    this.#asked = call;
  }

  /** To call after the instruction: if its call did not begin, the depth or the balance did not allow it. */
  answered(error: string): void {
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked) this.#add(withoutSteps(asked, error));
  }

  log(address: Address, topics: readonly Hash[], data: Hex): void {
    const frame = this.#open.at(-1);
    this.#count();
    frame?.logs.push({ address, topics, data, position: toQuantity(frame.calls.length) });
  }

  destroyed(from: Address, to: Address, value: bigint): void {
    const call = { type: 'SELFDESTRUCT', from, to, value, input: (): Hex => '0x' };
    this.#add(withoutSteps(call, undefined));
  }

  #add(frame: RecordedFrame): void {
    this.#count();
    this.#open.at(-1)?.calls.push(frame);
  }

  #count(): void {
    if (++this.#items > MAX_ITEMS) throw new Error(`more than ${MAX_ITEMS} calls and logs`);
  }
}

/** The same tree as `DETAIL_TRACER` returns it: calls and logs of all frames, without self-destructions. */
export function detailsOf({ calls, logs }: RecordedFrame): object {
  const made = calls.filter(({ type }) => type !== 'SELFDESTRUCT');
  return { calls: made.map(detailsOf), logs };
}

function withoutSteps(call: AskedCall, error: string | undefined): RecordedFrame {
  const frame: RecordedFrame = {
    type: call.type,
    from: call.from,
    gas: '0x0',
    gasUsed: '0x0',
    input: call.input(),
    calls: [],
    logs: [],
  };
  if (call.to !== undefined) frame.to = call.to;
  if (movesValue(call.type)) frame.value = toQuantity(call.value);
  if (error !== undefined) frame.error = error;
  return frame;
}

const movesValue = (type: string): boolean => type !== 'DELEGATECALL' && type !== 'STATICCALL';

/** go-ethereum's errors (core/vm/errors.go), by those of the virtual machine. */
const ERRORS: ReadonlyMap<string, string> = new Map([
  ['revert', 'execution reverted'],
  ['invalid JUMP', 'invalid jump destination'],
  ['stack overflow', 'stack limit reached 1024'],
  ['static state change', 'write protection'],
  ['create collision', 'contract address collision'],
  ['code store out of gas', 'contract creation code storage out of gas'],
  ['code size to deposit exceeds maximum code size', 'max code size exceeded'],
  ['initcode exceeds max initcode size', 'max initcode size exceeded'],
  ['invalid bytecode deployed', 'invalid code: must not begin with 0xef'],
  ['value overflow', 'insufficient balance for transfer'],
  ['insufficient balance', 'insufficient balance for transfer'],
  ['refund exhausted', 'out of gas'],
]);

const errorOf = (error: string): string => ERRORS.get(error) ?? error;

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
