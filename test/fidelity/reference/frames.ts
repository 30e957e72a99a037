import type { EVMResult, InterpreterStep, Message } from '@ethereumjs/evm';
import type { VM } from '@ethereumjs/vm';
import { bytesToHex } from '@ethereumjs/util';
import type { Address, Hash, Hex } from '../../../server/api/primitives';
import { toWord } from '../../../server/evm/forms/quantity';

export interface FrameLog {
  address: Address;
  topics: Hash[];
  data: Hex;
  /** Number of calls that the frame made before the log. */
  position: number;
}

/** A call in the format of go-ethereum's `callTracer`. */
export interface Frame {
  type: string;
  from: Address;
  /** Empty for a failed creation. */
  to: Address | '';
  value: bigint;
  gas: bigint;
  gasUsed: bigint;
  input: Hex;
  output: Hex;
  /** Missing for a successful frame. */
  error?: string;
  calls: Frame[];
  logs: FrameLog[];
}

/** A call or creation requested by an instruction. It may fail before it has a frame in the EVM. */
interface Asked {
  depth: number;
  type: string;
  from: Address;
  to: Address | '';
  value: bigint;
  input: Hex;
}

/** EIP-7708. */
const SYSTEM_ADDRESS: Address = `0x${'f'.repeat(39)}e`;
const TRANSFER: Hash = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const CALLS = ['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'];
const CREATIONS = ['CREATE', 'CREATE2'];

/** Builds the call tree of one transaction from events of the EVM. Listens until `stop`. */
export class FrameRecorder {
  root: Frame | undefined;
  /** Number of executed instructions. */
  instructions = 0;
  readonly #open: Frame[] = [];
  #asked: Asked | undefined;
  /** Removes the effect of the frame's last instruction, for a frame that this instruction ends with an error. */
  #undo: (() => void) | undefined;

  constructor(private readonly vm: VM) {
    const { events } = vm.evm;
    events?.on('beforeMessage', this.#begin);
    events?.on('newContract', this.#created);
    events?.on('afterMessage', this.#end);
    events?.on('step', this.#step);
  }

  stop(): void {
    const { events } = this.vm.evm;
    events?.off('beforeMessage', this.#begin);
    events?.off('newContract', this.#created);
    events?.off('afterMessage', this.#end);
    events?.off('step', this.#step);
  }

  readonly #begin = (message: Message): void => {
    const isCreation = message.to === undefined;
    const asked = this.#asked;
    this.#asked = undefined;
    this.#undo = undefined;
    const frame: Frame = {
      type: asked?.type ?? (isCreation ? 'CREATE' : 'CALL'),
      from: asked?.from ?? hex(message.caller.bytes),
      to: asked?.to ?? (message.to === undefined ? '' : hex(message.to.bytes)),
      value: asked?.value ?? message.value,
      gas: message.gasLimit,
      gasUsed: 0n,
      input: hex(message.data),
      output: '0x',
      calls: [],
      logs: [],
    };
    this.#open.at(-1)?.calls.push(frame);
    this.#open.push(frame);
    if (!message.delegatecall && message.to) {
      this.#transferred(hex(message.caller.bytes), hex(message.to.bytes), message.value);
    }
  };

  readonly #created = ({ address }: { address: { bytes: Uint8Array } }): void => {
    const frame = this.#open.at(-1);
    if (!frame) return;
    frame.to = hex(address.bytes);
    this.#transferred(frame.from, frame.to, frame.value);
  };

  /** EIP-7708: the log of a transfer of ether, in the frame that receives it. */
  #transferred(from: Address, to: Address, wei: bigint): void {
    if (!this.vm.common.isActivatedEIP(7708) || wei === 0n || from === to) return;
    const frame = this.#open.at(-1);
    frame?.logs.push({
      address: SYSTEM_ADDRESS,
      topics: [TRANSFER, toWord(BigInt(from)), toWord(BigInt(to))],
      data: toWord(wei),
      position: frame.calls.length,
    });
  }

  readonly #end = ({ execResult, createdAddress }: EVMResult): void => {
    const frame = this.#open.pop();
    if (!frame) return;
    this.#asked = undefined; // the instruction failed together with its frame
    frame.gasUsed = execResult.executionGasUsed;
    const failure = execResult.exceptionError?.error;
    const reverted = failure === 'revert';
    if (failure === undefined || reverted) frame.output = hex(execResult.returnValue);
    if (CREATIONS.includes(frame.type)) {
      frame.to =
        failure === undefined && createdAddress !== undefined ? hex(createdAddress.bytes) : '';
    }
    if (failure !== undefined) {
      if (!reverted) this.#undo?.();
      frame.error = reverted ? 'execution reverted' : failure;
    }
    this.#undo = undefined;
    if (this.#open.length === 0) this.root = frame;
  };

  readonly #step = (step: InterpreterStep): void => {
    this.instructions++;
    const frame = this.#open.at(-1);
    if (!frame) return;
    this.#undo = undefined;
    if (this.#asked?.depth === step.depth) frame.calls.push(notStarted(this.#asked));
    this.#asked = undefined;
    const { name } = step.opcode;
    const self = hex(step.address.bytes);
    if (CALLS.includes(name) || CREATIONS.includes(name)) {
      this.#asked = askedBy(step, self);
    } else if (name === 'SELFDESTRUCT') {
      const destroyed = {
        ...notStarted({
          depth: step.depth,
          type: name,
          from: self,
          to: addressOf(step.stack.at(-1) ?? 0n),
          value: step.account.balance,
          input: '0x',
        }),
      };
      delete destroyed.error;
      const { length } = frame.logs;
      this.#transferred(self, destroyed.to as Address, destroyed.value);
      frame.calls.push(destroyed);
      this.#undo = () => {
        frame.calls.pop();
        frame.logs.length = length;
      };
    } else if (/^LOG\d$/.test(name)) {
      frame.logs.push({ address: self, ...logOf(step), position: frame.calls.length });
      this.#undo = () => frame.logs.pop();
    }
  };
}

function askedBy({ opcode, stack, memory, depth }: InterpreterStep, self: Address): Asked {
  const type = opcode.name;
  const top = (index: number): bigint => stack.at(-1 - index) ?? 0n;
  if (CREATIONS.includes(type)) {
    const input = slice(memory, top(1), top(2));
    return { depth, type, from: self, to: '', value: top(0), input };
  }
  const hasValue = type === 'CALL' || type === 'CALLCODE';
  const at = hasValue ? 3 : 2;
  return {
    depth,
    type,
    from: self,
    to: addressOf(top(1)),
    value: hasValue ? top(2) : 0n,
    input: slice(memory, top(at), top(at + 1)),
  };
}

/** A frame that ends before its first instruction, for example because the balance is too low. */
const notStarted = ({ type, from, to, value, input }: Asked): Frame => ({
  type,
  from,
  to,
  value,
  gas: 0n,
  gasUsed: 0n,
  input,
  output: '0x',
  error: 'insufficient balance for transfer',
  calls: [],
  logs: [],
});

function logOf({ opcode, stack, memory }: InterpreterStep): { topics: Hash[]; data: Hex } {
  const count = Number(opcode.name.slice(3));
  const top = (index: number): bigint => stack.at(-1 - index) ?? 0n;
  return {
    topics: Array.from({ length: count }, (_, i) => toWord(top(2 + i))),
    data: slice(memory, top(0), top(1)),
  };
}

/** Memory beyond its end is zero. A length that no gas can pay for is truncated, since the instruction fails. */
function slice(memory: Uint8Array, offset: bigint, length: bigint): Hex {
  const size = Number(length < 1_000_000n ? length : 0n);
  const bytes = new Uint8Array(size);
  if (size > 0) bytes.set(memory.slice(Number(offset), Number(offset) + size));
  return hex(bytes);
}

const addressOf = (word: bigint): Address => `0x${toWord(word).slice(26)}`;
const hex = (bytes: Uint8Array): Hex => bytesToHex(bytes);
