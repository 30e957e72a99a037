import { ancestors, type CallTree } from './tree-model';
import type { FlowRow } from '../protocol/protocol';

/** A flash loan or similar: the owner sent a token to an account, called it, and received the token back in the same call. */
export interface RoundTrip {
  /** Id of the event that lent the token. */
  id: number;
  lender: string;
  borrower: string;
  token: string;
  /** In the token's smallest unit. */
  amount: bigint;
}

/** Further transfers are ignored, to limit the running time. */
const MAX_TRANSFERS = 5_000;

interface Transfer {
  index: number;
  id: number;
  token: string;
  from: string;
  to: string;
  amount: bigint;
}

function transferOf(row: FlowRow, index: number): Transfer | undefined {
  if (row.nodeType === 0 || row.event.revert || !row.event.logDecoded) return undefined;
  const { decodedLog, contract, id } = row.event;
  if (decodedLog.signature !== 'Transfer(address,address,uint256)') return undefined;
  const [from, to, value] = decodedLog.params;
  // An ERC-721 transfer has the token id as a fourth topic and no amount.
  if (!from || !to || !value || row.event.topics.length !== 3 || !/^\d+$/.test(value.value)) {
    return undefined;
  }
  const amount = BigInt(value.value);
  return { ...{ index, id, amount }, token: contract, from: from.value, to: to.value };
}

/** Indices of plain calls by caller and callee. */
function callsByRoute(rows: readonly FlowRow[]): Map<string, number[]> {
  const calls = new Map<string, number[]>();
  rows.forEach((row, index) => {
    if (row.nodeType !== 0 || row.invocation.operation !== 'CALL') return;
    collect(calls, `${row.invocation.fromAddress} ${row.invocation.address}`, index);
  });
  return calls;
}

function collect<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/**
 * Finds only unambiguous round trips: within one call of the lender, it sends an amount to the borrower, calls the borrower, and
 * receives at least as much of the same token back from it.
 */
export function roundTrips(tree: CallTree, limit: number): RoundTrip[] {
  const transfers = tree.rows
    .flatMap((row, index) => transferOf(row, index) ?? [])
    .slice(0, MAX_TRANSFERS);
  if (transfers.length < 2) return [];
  const routes = new Map<string, Transfer[]>();
  for (const transfer of transfers) {
    collect(routes, `${transfer.token} ${transfer.from} ${transfer.to}`, transfer);
  }
  const calls = callsByRoute(tree.rows);
  const found: RoundTrip[] = [];
  for (const lent of transfers) {
    if (found.length === limit) break;
    const { id, token, from: lender, to: borrower, amount } = lent;
    if (amount === 0n || lender === borrower) continue;
    const back = routes
      .get(`${token} ${borrower} ${lender}`)
      ?.find((one) => one.index > lent.index && one.amount >= amount);
    if (!back || back.index >= endOfFrame(tree, lent.index, lender)) continue;
    const isBetween = (index: number): boolean => index > lent.index && index < back.index;
    if (calls.get(`${lender} ${borrower}`)?.some(isBetween)) {
      found.push({ id, lender, borrower, token, amount });
    }
  }
  return found;
}

/** Index after the innermost call of `account` that contains a row; 0 if there is none. */
function endOfFrame(tree: CallTree, index: number, account: string): number {
  const frame = ancestors(tree, index).find((above) => {
    const row = tree.rows[above];
    return row?.nodeType === 0 && row.invocation.address === account;
  });
  return frame === undefined ? 0 : (tree.end[frame] ?? 0);
}
