import type { BisectStateChange } from '../../api/bisect';
import type { Address, Hash, Hex } from '../../api/primitives';
import type { DiffAccount, StateDiff } from '../../evm/forms/prestate-diff';
import { toWord } from '../../evm/forms/quantity';
import type { RpcBlock } from '../../evm/forms/types';
import type { OpenBlock } from '../../execution/prefix/block-executor';
import { accountField, ChangedAccounts } from '../held/changed-accounts';
import { NOBODY, unsentCall } from '../held/unsent-call';
import {
  keyOfRead,
  type StateAnswer,
  type StateRead,
  type StateReader,
} from '../../debugger/languages/port/state-read';

/** Accounts and slots that a read depends on. */
type Touched = Record<Address, DiffAccount>;

/** The state inside a block, while its transactions are executed one after the other. */
export class ExecutedReader implements StateReader {
  /** Accounts as the executed transactions left them. */
  readonly #accounts = new ChangedAccounts();
  /** What the calls touched, by the key of the read. */
  readonly #touched = new Map<string, Touched>();

  constructor(
    private readonly open: OpenBlock,
    private readonly block: RpcBlock,
    /** The state before the block. */
    private readonly parent: StateReader,
  ) {}

  /** Takes over what a transaction changed. */
  apply(changes: StateDiff): void {
    this.#accounts.apply(changes);
  }

  /** What a transaction changed of the state that reads depend on. */
  changesOf(reads: readonly StateRead[], { pre, post }: StateDiff): BisectStateChange[] {
    const changes = reads.flatMap((read) => {
      // A call of an account that does not exist touches nothing; its creation gives it code.
      const places = [placeOf(read), ...placesOf(this.#touched.get(keyOfRead(read)) ?? {})];
      return places.flatMap((place) => changeAt(place, { pre, post }) ?? []);
    });
    const distinct = new Map(changes.map((one) => [`${one.address} ${one.slot ?? one.part}`, one]));
    return [...distinct.values()];
  }

  async read(reads: readonly StateRead[], signal: AbortSignal): Promise<readonly StateAnswer[]> {
    const answers: StateAnswer[] = [];
    for (const read of reads) answers.push(await this.#one(read, signal));
    return answers;
  }

  async #one(read: StateRead, signal: AbortSignal): Promise<StateAnswer> {
    if (read.kind === 'call') return this.#call(read);
    const changed = this.#accounts.valueOf(read);
    if (changed !== undefined) return changed;
    const [answer] = await this.parent.read([read], signal);
    return answer;
  }

  async #call(read: Extract<StateRead, { kind: 'call' }>): Promise<StateAnswer> {
    const { block } = this;
    const { calls, touched } = await this.open.simulate({
      transaction: unsentCall(block, { to: read.address, data: read.data }),
      header: block,
      overrides: {},
      isBare: true,
    });
    this.#touched.set(keyOfRead(read), touched);
    const { error, output = '0x' } = calls.answer as { error?: unknown; output?: Hex };
    return error === undefined ? output : undefined;
  }
}

interface Place {
  readonly address: Address;
  readonly part: BisectStateChange['part'];
  readonly slot?: Hash;
}

const placeOf = (read: StateRead): Place =>
  read.kind === 'slot'
    ? { address: read.address, part: 'slot', slot: read.slot }
    : { address: read.address, part: read.kind === 'call' ? 'code' : read.kind };

/** An account that a call touched may give its balance and its code; no call reads a nonce. */
const placesOf = (touched: Touched): Place[] =>
  (Object.entries(touched) as [Address, DiffAccount][])
    .filter(([address]) => address !== NOBODY)
    .flatMap(([address, { storage = {} }]): Place[] => [
      { address, part: 'code' },
      { address, part: 'balance' },
      ...Object.keys(storage).map((slot): Place => ({ address, part: 'slot', slot: slot as Hash })),
    ]);

function changeAt(
  { address, part, slot }: Place,
  { pre, post }: StateDiff,
): BisectStateChange | undefined {
  if (slot !== undefined) {
    const before = pre[address]?.storage?.[slot];
    const after = post[address]?.storage?.[slot];
    if (before === undefined && after === undefined) return undefined;
    return { address, part, slot, before: before ?? toWord(0), after: after ?? toWord(0) };
  }
  if (part === 'slot') return undefined;
  const before = accountField(pre[address], part);
  const after = accountField(post[address], part);
  if (pre[address] !== undefined && post[address] === undefined) {
    return before === undefined ? undefined : { address, part, before, after: '0x' };
  }
  if (after === undefined || before === after) return undefined;
  return { address, part, before: before ?? '0x', after };
}
