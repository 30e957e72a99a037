import * as z from 'zod';
import type {
  MinedTransaction,
  Network,
  StorageWrite,
  StorageWriteSource,
} from '../../analysis/ports';
import { addressSchema, type Address, type Hash } from '../../api/primitives';
import { LIMITS } from '../../api/limits';
import { toWord } from '../../evm/forms/quantity';
import type { TransactionTracer } from '../engines/transaction-tracer';

const MAX_STEPS = LIMITS.placeSteps;
const MAX_WRITES = 10_000;

/** A JavaScript tracer (go-ethereum's interface, which anvil follows) that lists the words written to the storage of accounts. */
const writesTracer = (accounts: readonly Address[]): object => ({
  tracer: `{
    wanted: ${JSON.stringify(accounts)}, writes: [], steps: 0,
    step: function (log) {
      if (++this.steps > ${MAX_STEPS} || this.writes.length > ${MAX_WRITES}) throw new Error('too many steps');
      if (log.op.toNumber() !== 0x55) return;
      var account = toHex(log.contract.getAddress());
      if (this.wanted.indexOf(account) < 0) return;
      this.writes.push([account, log.stack.peek(0).toString(16), log.stack.peek(1).toString(16)]);
    },
    fault: function () {},
    result: function () { return this.writes; }
  }`,
});

const digits = z.string().regex(/^[0-9a-f]{1,64}$/i);
const answerSchema = z.array(z.tuple([addressSchema, digits, digits])).max(MAX_WRITES + 1);

/** Uses the network's own node, else an engine at the position of the transaction. */
export class TracedStorageWrites implements StorageWriteSource {
  constructor(private readonly tracer: Pick<TransactionTracer, 'node' | 'onEngine'>) {}

  async writes(
    network: Network,
    mined: MinedTransaction,
    accounts: readonly Address[],
    signal: AbortSignal,
  ): Promise<readonly StorageWrite[] | undefined> {
    const tracers = [writesTracer(accounts)];
    try {
      return read(await this.tracer.node(network, mined).run(tracers, { signal }));
    } catch {
      if (signal.aborted || !network.replayable) return undefined;
    }
    return this.tracer
      .onEngine(network, mined, { signal }, async ({ run }) => read(await run(tracers, { signal })))
      .catch(() => undefined);
  }
}

/** @throws ZodError for another answer */
function read([answer]: readonly unknown[]): StorageWrite[] {
  return answerSchema.parse(answer).map(([account, slot, value]) => ({
    account,
    slot: wordOf(slot),
    value: wordOf(value),
  }));
}

const wordOf = (text: string): Hash => toWord(BigInt(`0x${text}`));
