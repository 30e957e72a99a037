import type { ApiClient } from '../../api/client';
import type { Writer } from '../../api/recording-writers';
import type { AccountChange, StateDiff } from '../../api/views';
import { writtenValue, type SlotPart } from '../../client/written-value';
import type { Table } from '../output/format-table';

const PAGE = 1_000;

/** A row of the state difference. */
interface ChangedPart extends SlotPart {
  readonly address: string;
  readonly what: string;
  readonly kind: Writer['kind'];
  readonly slot?: string;
  readonly type?: string;
}

/** All that a transaction wrote to balances, nonces, code and storage, in order. */
export async function stateWriters(
  client: ApiClient,
  params: { chain: string; transaction: string },
  options: Parameters<ApiClient['call']>[2],
): Promise<Writer[]> {
  const found: Writer[] = [];
  for (;;) {
    const query = { start: String(found.length), count: String(PAGE) };
    const { writers, total } = await client.call('getWriters', { params, query }, options);
    found.push(...writers);
    if (writers.length === 0 || found.length >= total) break;
  }
  return found.filter(({ kind }) => kind !== 'event' && kind !== 'transient');
}

/** A row for each write of each changed value, in order. */
export function writersTable(
  { stateDiff, labels }: Pick<StateDiff, 'stateDiff' | 'labels'>,
  writers: readonly Writer[],
): Table {
  const nameOf = (address: string): string => {
    const name = labels[address];
    return name === undefined ? address : `${name} ${address}`;
  };
  const rows = stateDiff.accounts
    .flatMap(partsOf)
    .flatMap((part) =>
      writers
        .filter((one) => writes(one, part))
        .map((one) => [
          nameOf(part.address),
          part.what,
          one.step === null ? 'start' : String(one.step),
          codeText(one),
          one.place === undefined ? '' : `${one.place.file}:${one.place.startLine}`,
          valueOf(one.before, part),
          valueOf(one.after, part),
          one.isUndone ? 'rolled back' : '',
        ]),
    );
  return {
    columns: ['ACCOUNT', 'WHAT', 'STEP', 'CODE', 'LINE', 'BEFORE', 'AFTER', ''],
    rows,
  };
}

function partsOf({ address, balance, nonce, code, storage }: AccountChange): ChangedPart[] {
  return [
    ...(balance ? [{ address, what: 'balance', kind: 'balance' as const }] : []),
    ...(nonce ? [{ address, what: 'nonce', kind: 'nonce' as const }] : []),
    ...(code ? [{ address, what: 'code', kind: 'code' as const }] : []),
    ...storage.flatMap((change) => slotParts(address, change)),
  ];
}

function slotParts(
  address: string,
  { slot, variables, found }: AccountChange['storage'][number],
): ChangedPart[] {
  const base = { address, kind: 'storage' as const, slot };
  if (variables) {
    return variables.map(({ name, type, offset, length }) => ({
      ...base,
      what: name,
      type,
      offset,
      length,
    }));
  }
  const what = found?.name === undefined ? `slot ${slot}` : `${found.name} (inferred)`;
  return [{ ...base, what, ...(found?.type !== undefined && { type: found.type }) }];
}

function writes({ kind, address, slot, before, after }: Writer, part: ChangedPart): boolean {
  if (kind !== part.kind || address !== part.address || slot !== part.slot) return false;
  if (slot === undefined || before === undefined || after === undefined) return true;
  const { offset = 0, length = 32 } = part;
  const changed = (BigInt(before) ^ BigInt(after)) >> BigInt(8 * offset);
  return BigInt.asUintN(8 * length, changed) !== 0n;
}

const codeText = ({ contractName, function: name, step }: Writer): string =>
  step === null ? 'the transaction' : [contractName, name].filter((text) => text !== '').join('.');

function valueOf(value: string | undefined, { type, slot, offset, length }: ChangedPart): string {
  if (value === undefined) return '';
  return slot === undefined ? value : writtenValue(type ?? '', value, { offset, length });
}
