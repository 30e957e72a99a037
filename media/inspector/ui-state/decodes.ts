import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { DecodedMethod } from '../../../server/api/explorer';
import type { PersistentSignals } from '../model/persistent-signals';
import type { FlowRow } from '../protocol/protocol';

/** The signatures that the user chose for calls with several possible decodings. */
export interface Decodes {
  /** Signature by the node's id, if it differs from the service's. */
  chosen: ReadonlySignal<Readonly<Record<number, string>>>;
  /** Why the last choice failed. */
  problem: ReadonlySignal<string | undefined>;
  /** @param signature one of the alternatives; undefined: the service's own */
  choose: (index: number, signature: string | undefined) => Promise<void>;
  apply: (index: number, row: FlowRow | undefined) => FlowRow | undefined;
}

export function createDecodes(
  rows: ReadonlySignal<readonly FlowRow[]>,
  persistentSignal: PersistentSignals['persistentSignal'],
): Decodes {
  const chosen = persistentSignal<Record<number, string>>('decodes', {});
  const problem = signal<string | undefined>(undefined);
  const decoded: Signal<ReadonlyMap<string, DecodedMethod>> = signal(new Map());
  const keyOf = (id: number, signature: string): string => `${id} ${signature}`;

  /** The decoder is rarely needed, so its code is loaded with the first choice. */
  async function decode(index: number, signature: string): Promise<void> {
    const row = rows.peek()[index];
    if (row?.nodeType !== 0 || decoded.peek().has(keyOf(row.invocation.id, signature))) return;
    const { decodeMethod } = await import('./decode-method');
    const method = decodeMethod(row.invocation, signature);
    decoded.value = new Map(decoded.peek()).set(keyOf(row.invocation.id, signature), method);
  }

  return {
    chosen,
    problem,
    async choose(index, signature) {
      problem.value = undefined;
      const row = rows.peek()[index];
      if (row?.nodeType !== 0) return;
      const { id } = row.invocation;
      if (signature === undefined) {
        const kept = Object.entries(chosen.peek()).filter(([key]) => key !== String(id));
        chosen.value = Object.fromEntries(kept);
        return;
      }
      try {
        await decode(index, signature);
        chosen.value = { ...chosen.peek(), [id]: signature };
      } catch (error) {
        problem.value = error instanceof Error ? error.message : l10n.t('unknown error');
      }
    },
    apply(index, row) {
      if (row?.nodeType !== 0) return row;
      const { id } = row.invocation;
      const signature = chosen.value[id];
      if (signature === undefined) return row;
      const method = decoded.value.get(keyOf(id, signature));
      if (method) {
        return { ...row, invocation: { ...row.invocation, decodedMethod: method } };
      }
      // After a reload, the choice is restored but not decoded yet.
      void decode(index, signature).catch(() => undefined);
      return row;
    },
  };
}
