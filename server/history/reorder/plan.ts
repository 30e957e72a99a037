import { ApiError, invalidField } from '../../api/errors';
import type { Hash } from '../../api/primitives';
import type { BlockChange, ChangedFields, InsertedTransaction } from '../../api/reorder';
import { isDeposit } from '../../evm/forms/deposit';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock, RpcTransaction } from '../../evm/forms/types';
import { withFields } from './changed-fields';
import { readSigned } from './read-signed';

/** A transaction of the other block. */
export interface Planned {
  readonly transaction: RpcTransaction;
  /** Position in the block as it was; undefined: inserted. */
  readonly was: number | undefined;
  readonly isMoved: boolean;
  readonly isSet: boolean;
}

/** What the other block consists of. */
export interface Plan {
  readonly transactions: readonly Planned[];
  readonly dropped: readonly Planned[];
}

/**
 * The other block. Positions of all changes are those of the block as it was.
 * @param mined transactions of other blocks, by hash
 * @param mostGas of a transaction that names no gas
 * @param chainId for which inserted transactions are signed
 * @throws ApiError `invalidField`
 */
export function planBlock(
  block: RpcBlock,
  changes: readonly BlockChange[],
  {
    mined,
    mostGas,
    chainId,
  }: { mined: ReadonlyMap<Hash, RpcTransaction>; mostGas: bigint; chainId: number },
): Plan {
  const edits = new Edits(block);
  for (const [index, change] of changes.entries()) {
    const place = `changes[${index}]`;
    switch (change.kind) {
      case 'drop':
        edits.drop(change.position, place);
        break;
      case 'move':
        edits.move(change.position, change.before, place);
        break;
      case 'set':
        edits.set(change.position, change.fields, place);
        break;
      case 'insert':
        edits.insert(unsigned(change.transaction, block, mostGas), change.before, place);
        break;
      case 'insertSigned': {
        const transaction = readSigned(change.raw, chainId, `${place}.raw`);
        edits.insert(unsigned(transaction, block, mostGas), change.before, place);
        break;
      }
      case 'insertMined':
        edits.insert(requireForeign(mined.get(change.hash), block, place), change.before, place);
        break;
    }
  }
  return edits.plan();
}

/** The changes of a request, collected by position. */
class Edits {
  readonly #dropped = new Set<number>();
  readonly #moved = new Map<number, number>();
  readonly #set = new Map<number, RpcTransaction>();
  /** What goes before a position, in the order of the request: inserted transactions, and positions of moved ones. */
  readonly #before = new Map<number, (RpcTransaction | number)[]>();

  constructor(private readonly block: RpcBlock) {}

  drop(position: number, place: string): void {
    this.#at(position, place, [this.#dropped, this.#moved, this.#set]);
    this.#dropped.add(position);
  }

  move(position: number, before: number, place: string): void {
    this.#at(position, place, [this.#dropped, this.#moved]);
    if (before === position || before === position + 1) {
      const accepted = `another place: the transaction at ${position} is there already`;
      throw invalidField(`${place}.before`, before, accepted);
    }
    this.#place(before, position, place);
    this.#moved.set(position, before);
  }

  set(position: number, fields: ChangedFields, place: string): void {
    const transaction = this.#at(position, place, [this.#dropped, this.#set]);
    this.#set.set(position, withFields(transaction, fields, `${place}.fields`));
  }

  insert(transaction: RpcTransaction, before: number, place: string): void {
    this.#place(before, transaction, place);
  }

  plan(): Plan {
    const transactions: Planned[] = [];
    for (let position = 0; position <= this.block.transactions.length; position++) {
      for (const one of this.#before.get(position) ?? []) {
        if (typeof one === 'number') transactions.push(...this.#planned(one));
        else transactions.push({ transaction: one, was: undefined, isMoved: false, isSet: false });
      }
      if (!this.#moved.has(position) && !this.#dropped.has(position)) {
        transactions.push(...this.#planned(position));
      }
    }
    const dropped = [...this.#dropped].sort((one, other) => one - other);
    return { transactions, dropped: dropped.flatMap((position) => this.#planned(position)) };
  }

  #planned(position: number): Planned[] {
    const transaction = this.#set.get(position) ?? this.block.transactions[position];
    const [isMoved, isSet] = [this.#moved.has(position), this.#set.has(position)];
    return transaction ? [{ transaction, was: position, isMoved, isSet }] : [];
  }

  /** The transaction that a change is about. @param others positions that other changes may not be about */
  #at(
    position: number,
    place: string,
    others: readonly { has(position: number): boolean }[],
  ): RpcTransaction {
    const transaction = this.block.transactions[position];
    const name = `${place}.position`;
    if (!transaction) {
      throw invalidField(name, position, this.#accepted(this.block.transactions.length - 1));
    }
    if (isDeposit(transaction)) {
      throw invalidField(name, position, 'no system transaction: the chain itself makes it');
    }
    if (others.some((positions) => positions.has(position))) {
      const accepted = 'one change of a transaction; it may be moved and its fields set';
      throw invalidField(name, position, accepted);
    }
    return transaction;
  }

  #place(before: number, what: RpcTransaction | number, place: string): void {
    const { transactions } = this.block;
    const name = `${place}.before`;
    if (before > transactions.length) {
      throw invalidField(name, before, this.#accepted(transactions.length));
    }
    const next = transactions[before];
    if (next && isDeposit(next)) {
      throw invalidField(name, before, 'a place after the system transactions of the block');
    }
    const known = this.#before.get(before);
    if (known) known.push(what);
    else this.#before.set(before, [what]);
  }

  #accepted(last: number): string {
    const count = this.block.transactions.length;
    const has = `block ${Number(this.block.number)} has ${count} transaction${count === 1 ? '' : 's'}`;
    return last < 0 ? `none: ${has}` : `0 to ${last}: ${has}`;
  }
}

/** @throws ApiError `invalidField` for a transaction of the block itself, and for one of a system */
function requireForeign(
  transaction: RpcTransaction | undefined,
  block: RpcBlock,
  place: string,
): RpcTransaction {
  if (!transaction) throw new Error('a transaction to insert was not read');
  const { hash } = transaction;
  const position = block.transactions.findIndex((one) => one.hash === hash);
  if (position >= 0) {
    const accepted = `a transaction of another block: this one is at ${position}, and can be moved`;
    throw invalidField(`${place}.hash`, hash, accepted);
  }
  if (isDeposit(transaction)) {
    throw invalidField(`${place}.hash`, hash, 'no system transaction: the chain itself makes it');
  }
  return transaction;
}

/** @throws ApiError `invalidField` where both forms of a price are given */
function unsigned(
  inserted: InsertedTransaction,
  { hash, number, baseFeePerGas = '0x0' }: RpcBlock,
  mostGas: bigint,
): RpcTransaction {
  const { from, to, value, data, gas, maxFeePerGas, maxPriorityFeePerGas, accessList } = inserted;
  if (inserted.gasPrice !== undefined && maxFeePerGas !== undefined) {
    throw new ApiError('invalidField', 'gasPrice and maxFeePerGas are both given; accepted: one');
  }
  const priced =
    maxFeePerGas === undefined
      ? { gasPrice: inserted.gasPrice ?? baseFeePerGas }
      : { maxFeePerGas, maxPriorityFeePerGas: maxPriorityFeePerGas ?? ('0x0' as const) };
  return {
    hash: UNSIGNED,
    blockHash: hash,
    blockNumber: number,
    transactionIndex: null,
    type: maxFeePerGas === undefined ? (accessList ? '0x1' : '0x0') : '0x2',
    nonce: '0x0',
    from,
    to: to ?? null,
    value,
    gas: gas ?? toQuantity(mostGas),
    input: data ?? '0x',
    ...priced,
    ...(accessList && { accessList }),
  };
}

/** In place of the hash of a transaction that nobody signed. */
export const UNSIGNED: Hash = `0x${'0'.repeat(64)}`;
