import type { BisectStateChange } from '../../api/bisect';
import type { Address, Hash, Hex } from '../../api/primitives';
import type { DiffAccount, StateDiff } from '../../evm/forms/prestate-diff';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { RpcBlock, RpcTransaction } from '../../evm/forms/types';
import type { OpenBlock } from '../../execution/prefix/block-executor';
import {
  keyOfRead,
  type StateAnswer,
  type StateRead,
  type StateReader,
} from '../../debugger/languages/port/state-read';

const NOBODY: Address = `0x${'0'.repeat(40)}`;
/** What nodes give a call by default. */
const CALL_GAS = 50_000_000n;

/** Accounts and slots that a read depends on. */
type Touched = Record<Address, DiffAccount>;

/** The state inside a block, while its transactions are executed one after the other. */
export class ExecutedReader implements StateReader {
  /** Accounts as the executed transactions left them. */
  readonly #accounts = new Map<Address, DiffAccount>();
  /** What the calls touched, by the key of the read. */
  readonly #touched = new Map<string, Touched>();

  constructor(
    private readonly open: OpenBlock,
    private readonly block: RpcBlock,
    /** The state before the block. */
    private readonly parent: StateReader,
  ) {}

  /** Takes over what a transaction changed. */
  apply({ pre, post }: StateDiff): void {
    for (const address of Object.keys({ ...pre, ...post }) as Address[]) {
      const known = this.#accounts.get(address) ?? {};
      const after = post[address] ?? { balance: '0x0', nonce: 0, code: '0x' };
      const storage: Record<Hash, Hash> = { ...known.storage };
      for (const slot of Object.keys(pre[address]?.storage ?? {}))
        storage[slot as Hash] = toWord(0);
      this.#accounts.set(address, {
        ...known,
        ...after,
        storage: { ...storage, ...after.storage },
      });
    }
  }

  /** What a transaction changed of the state that reads depend on. */
  changesOf(reads: readonly StateRead[], { pre, post }: StateDiff): BisectStateChange[] {
    const changes = reads.flatMap((read) => {
      const touched = this.#touched.get(keyOfRead(read));
      const places = touched ? placesOf(touched) : [placeOf(read)];
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
    const known = this.#accounts.get(read.address);
    const changed = read.kind === 'slot' ? known?.storage?.[read.slot] : fieldOf(known, read.kind);
    if (changed !== undefined) return changed;
    const [answer] = await this.parent.read([read], signal);
    return answer;
  }

  async #call(read: Extract<StateRead, { kind: 'call' }>): Promise<StateAnswer> {
    const { block } = this;
    const { calls, touched } = await this.open.simulate({
      transaction: callIn(block, read),
      header: block,
      overrides: {},
      isBare: true,
    });
    this.#touched.set(keyOfRead(read), touched);
    const { error, output = '0x' } = calls.answer as { error?: unknown; output?: Hex };
    return error === undefined ? output : undefined;
  }
}

function callIn(block: RpcBlock, read: Extract<StateRead, { kind: 'call' }>): RpcTransaction {
  const limit = BigInt(block.gasLimit);
  return {
    hash: toWord(0),
    blockHash: block.hash,
    blockNumber: block.number,
    transactionIndex: '0x0',
    type: '0x0',
    nonce: '0x0',
    from: NOBODY,
    to: read.address,
    value: '0x0',
    gas: toQuantity(limit < CALL_GAS ? limit : CALL_GAS),
    gasPrice: '0x0',
    input: read.data,
  };
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
  const before = fieldOf(pre[address], part);
  const after = fieldOf(post[address], part);
  if (pre[address] !== undefined && post[address] === undefined) {
    return before === undefined ? undefined : { address, part, before, after: '0x' };
  }
  if (after === undefined || before === after) return undefined;
  return { address, part, before: before ?? '0x', after };
}

function fieldOf(
  account: DiffAccount | undefined,
  part: 'balance' | 'code' | 'nonce',
): Hex | undefined {
  if (part !== 'nonce') return account?.[part];
  return account?.nonce === undefined ? undefined : toQuantity(account.nonce);
}
