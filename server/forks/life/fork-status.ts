import { ApiError } from '../../api/errors';
import type { ForkState } from '../../api/fork';
import type { Progress } from '../../api/progress';
import { toQuantity } from '../../evm/forms/quantity';
import type { ForkRecord } from './fork-record';
import type { ForkPorts } from './ports';
import type { JournalEntry } from '../writes/journal';

/** Allowed state changes of a fork; any other one is a programming error. */
const MOVES: Readonly<Record<ForkState, readonly ForkState[]>> = {
  creating: ['running', 'failed', 'deleting'],
  running: ['sleeping', 'deleting'],
  // `failed` means that the engine could not be started; the next request tries again.
  sleeping: ['running', 'failed', 'deleting'],
  failed: ['running', 'failed', 'deleting'],
  deleting: [],
};

/** The state of a fork. It notifies clients of changes that they may want to show. */
export class ForkStatus {
  #state: ForkState;
  #failure: string | undefined;
  #reverts = 0;

  constructor(
    private readonly record: ForkRecord,
    private readonly onChange: ForkPorts['onChange'],
    state: ForkState,
  ) {
    this.#state = state;
  }

  get state(): ForkState {
    return this.#state;
  }

  /** The reason of the failure. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** How often it was reverted since this process loaded it. */
  get reverts(): number {
    return this.#reverts;
  }

  /** @throws Error for a state change that is not allowed */
  move(to: ForkState): void {
    if (!MOVES[this.#state].includes(to)) {
      throw new Error(`fork ${this.record.forkId} is ${this.#state} and cannot become ${to}`);
    }
    this.#state = to;
    if (to === 'running') this.#failure = undefined;
    this.announce();
  }

  fail(error: unknown): void {
    this.#failure = reasonOf(error);
    this.move('failed');
  }

  /** @param progress progress of the engine's start */
  announce(progress?: Progress): void {
    const { projectId, forkId, name, chain, height, position } = this.record;
    this.onChange({
      type: 'fork',
      projectId,
      forkId,
      name,
      chain,
      height: toQuantity(height),
      position,
      state: this.#state,
      ...(progress === undefined ? {} : { progress }),
    });
  }

  announceEntry({ op, executed }: JournalEntry): void {
    const { projectId, forkId } = this.record;
    if (op === 'revert') this.#reverts++;
    if (executed || op === 'revert') this.onChange({ type: 'transactions', projectId, forkId });
    if (op === 'keep' || op === 'forget') this.onChange({ type: 'snapshots', projectId, forkId });
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError && error.kind !== 'internal'
    ? error.message
    : 'the service failed; its log has the details';
