import type { InterpreterStep } from '@ethereumjs/evm';
import type { VM } from '@ethereumjs/vm';
import { createAddressFromString } from '@ethereumjs/util';
import { toWord } from '../../../server/evm/forms/quantity';

/** An instruction, before it is executed. */
export interface ReferenceStep {
  pc: number;
  op: string;
  depth: number;
  gas: number;
  refund: number;
  stack: bigint[];
  /** Hex. */
  memory: string;
  /** Of the slot that SSTORE writes, and of the one that SLOAD reads. */
  slot?: bigint;
}

interface RunState {
  gasLeft: bigint;
  gasRefund: bigint;
}
interface Entry {
  gasHandler?: (state: RunState, ...rest: unknown[]) => Promise<bigint>;
}

/** Records the instructions of one transaction. Listens until `stop`. */
export class StepRecorder {
  readonly steps: ReferenceStep[] = [];
  #before: RunState | undefined;
  readonly #wrapped = new Map<Entry, NonNullable<Entry['gasHandler']>>();

  constructor(private readonly vm: VM) {
    vm.evm.events?.on('step', this.#step);
    // The event comes after some instructions have paid.
    const entries = (vm.evm as unknown as { _opcodeMap: Entry[] })._opcodeMap;
    for (const entry of new Set(entries)) {
      const { gasHandler } = entry;
      if (!gasHandler) continue;
      this.#wrapped.set(entry, gasHandler);
      entry.gasHandler = (state, ...rest) => {
        this.#before = { gasLeft: state.gasLeft, gasRefund: state.gasRefund };
        return gasHandler(state, ...rest);
      };
    }
  }

  stop(): void {
    this.vm.evm.events?.off('step', this.#step);
    for (const [entry, gasHandler] of this.#wrapped) entry.gasHandler = gasHandler;
  }

  readonly #step = (event: InterpreterStep, resolve?: (error?: Error) => void): void => {
    const before = this.#before ?? event;
    this.#before = undefined;
    const { name } = event.opcode;
    const one: ReferenceStep = {
      pc: event.pc,
      op: name,
      depth: event.depth,
      gas: Number(before.gasLeft),
      refund: Number(before.gasRefund),
      stack: event.stack,
      memory: Buffer.from(event.memory)
        .toString('hex')
        .padEnd(Number(event.memoryWordCount) * 64, '0'),
    };
    this.steps.push(one);
    const slot = event.stack.at(-1);
    if ((name !== 'SSTORE' && name !== 'SLOAD') || slot === undefined) {
      resolve?.();
      return;
    }
    const address = createAddressFromString(event.address.toString());
    void this.vm.stateManager
      .getStorage(address, Buffer.from(toWord(slot).slice(2), 'hex'))
      .then((bytes) => {
        one.slot = bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
        resolve?.();
      });
  };
}
