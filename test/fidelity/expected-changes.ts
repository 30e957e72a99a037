import type { Transaction } from 'ethers';
import type { Address } from '../../server/api/primitives';
import { toDecimal, toWord } from '../../server/evm/forms/quantity';
import type { Executed } from './reference/chain';
import type { Frame } from './reference/frames';

/** An executed transaction, also one of another chain than Ethereum. */
export interface Judged extends Omit<Executed, 'transaction' | 'steps'> {
  transaction: Pick<Transaction, 'hash' | 'from'>;
  /** Wei that the sender pays besides the price of its gas. */
  extraFee?: bigint;
  /** Wei for each recipient of fees but the block's. */
  vaults?: ReadonlyMap<Address, bigint>;
}

/** Changes of an account. */
export interface ExpectedState {
  /** Changes of balance, nonce and code, such as `balance 1>2`. */
  facts: string[];
  /** Changes by slot, as `0x…>0x…`. */
  storage: ReadonlyMap<string, string>;
  destroyed: boolean;
}

/** Each call, and each event that was not rolled back, as a line in execution order. */
export function expectedFlow(root: Frame): string[] {
  const lines: string[] = [];
  const visit = (frame: Frame, depth: number, rolledBack: boolean): void => {
    const reverted = rolledBack || frame.error !== undefined;
    lines.push(`${depth} ${frameLine(frame, reverted)}`);
    const logs = reverted ? [] : [...frame.logs];
    for (let i = 0; i <= frame.calls.length; i++) {
      while (logs[0] && logs[0].position <= i) {
        const { address, topics, data } = logs.shift()!;
        lines.push(`${depth + 1} EVENT ${address} ${topics.join()} ${data}`);
      }
      const call = frame.calls[i];
      if (call) visit(call, depth + 1, reverted);
    }
  };
  visit(root, 0, false);
  return lines;
}

function frameLine(frame: Frame, reverted: boolean): string {
  const hasValue = !['DELEGATECALL', 'STATICCALL'].includes(frame.type);
  return [
    frame.type,
    `${frame.from}>${frame.to}`,
    `value=${hasValue ? toDecimal(frame.value) : '0'}`,
    `input=${frame.input}`,
    `output=${frame.output}`,
    `gas=${frame.gasUsed}`,
    frame.error === undefined ? 'ok' : 'failed',
    reverted ? 'reverted' : 'lasts',
  ].join(' ');
}

/** Change of each account's balance in wei, without the transaction's fee and what its recipients get of it. */
export function expectedNets(executed: Judged, coinbase: string): Map<string, bigint> {
  const { before, after, transaction, gasUsed, gasPrice, tip } = executed;
  const nets = new Map<string, bigint>();
  const add = (account: string, wei: bigint): void => {
    const net = (nets.get(account) ?? 0n) + wei;
    if (net === 0n) nets.delete(account);
    else nets.set(account, net);
  };
  for (const address of new Set([...before.keys(), ...after.keys()])) {
    add(address, (after.get(address)?.balance ?? 0n) - (before.get(address)?.balance ?? 0n));
  }
  const sender = transaction.from?.toLowerCase() ?? '';
  add(sender, gasUsed * gasPrice + executed.blobGasUsed * executed.blobGasPrice);
  add(sender, executed.extraFee ?? 0n);
  for (const [vault, wei] of executed.vaults ?? []) add(vault, -wei);
  add(coinbase, -gasUsed * tip);
  return nets;
}

export function expectedState({ before, after }: Judged): Map<string, ExpectedState> {
  const changes = new Map<string, ExpectedState>();
  for (const address of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(address);
    const is = after.get(address);
    const fact = (name: string, one: unknown, other: unknown): string[] =>
      one === other ? [] : [`${name} ${String(one)}>${String(other)}`];
    const facts = [
      ...fact('balance', was?.balance ?? 0n, is?.balance ?? 0n),
      ...fact('nonce', was?.nonce ?? 0, is?.nonce ?? 0),
      ...fact('code', was?.code ?? '0x', is?.code ?? '0x'),
    ];
    const slots = new Set([...(was?.storage.keys() ?? []), ...(is?.storage.keys() ?? [])]);
    const storage = new Map<string, string>();
    for (const slot of slots) {
      const [old, now] = [was, is].map((one) => one?.storage.get(slot) ?? toWord(0));
      if (old !== now) storage.set(slot, `${old}>${now}`);
    }
    if (facts.length + storage.size > 0) {
      changes.set(address, { facts, storage, destroyed: was !== undefined && is === undefined });
    }
  }
  return changes;
}
