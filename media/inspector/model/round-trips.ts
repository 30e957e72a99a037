import { ancestors, visiblePosition, type CallTree } from './tree-model';
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
  return { index, id, amount, token: contract, from: from.value, to: to.value };
}

/** A transfer, and the first one that gives as much back, within the same call of the lender. */
interface Candidate {
  lent: Transfer;
  back: Transfer;
}

function collect<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

function firstTransfers(rows: readonly FlowRow[]): Transfer[] {
  const transfers: Transfer[] = [];
  for (let index = 0; index < rows.length && transfers.length < MAX_TRANSFERS; index++) {
    const row = rows[index];
    const transfer = row && transferOf(row, index);
    if (transfer) transfers.push(transfer);
  }
  return transfers;
}

function candidatesOf(tree: CallTree): Candidate[] {
  const transfers = firstTransfers(tree.rows);
  const routes = new Map<string, Transfer[]>();
  for (const transfer of transfers) {
    collect(routes, `${transfer.token} ${transfer.from} ${transfer.to}`, transfer);
  }
  return transfers.flatMap((lent) => {
    const { token, from: lender, to: borrower, amount } = lent;
    if (amount === 0n || lender === borrower) return [];
    const back = routes
      .get(`${token} ${borrower} ${lender}`)
      ?.find((one) => one.index > lent.index && one.amount >= amount);
    return back && back.index < endOfFrame(tree, lent.index, lender) ? [{ lent, back }] : [];
  });
}

/** Indices of plain calls from the lenders to the borrowers, in order, by lender and borrower. */
function callsBetween(
  rows: readonly FlowRow[],
  candidates: readonly Candidate[],
): Map<string, Map<string, number[]>> {
  const calls = new Map<string, Map<string, number[]>>();
  for (const { lent } of candidates) {
    const ofLender = calls.get(lent.from) ?? new Map<string, number[]>();
    calls.set(lent.from, ofLender.set(lent.to, []));
  }
  rows.forEach((row, index) => {
    if (row.nodeType !== 0 || row.invocation.operation !== 'CALL') return;
    calls.get(row.invocation.fromAddress)?.get(row.invocation.address)?.push(index);
  });
  return calls;
}

/**
 * Finds only unambiguous round trips: within one call of the lender, it sends an amount to the borrower, calls the borrower, and
 * receives at least as much of the same token back from it.
 */
export function roundTrips(tree: CallTree, limit: number): RoundTrip[] {
  const candidates = candidatesOf(tree);
  if (candidates.length === 0) return [];
  const calls = callsBetween(tree.rows, candidates);
  const found: RoundTrip[] = [];
  for (const { lent, back } of candidates) {
    if (found.length === limit) break;
    const { id, token, from: lender, to: borrower, amount } = lent;
    const indices = calls.get(lender)?.get(borrower) ?? [];
    const next = indices[visiblePosition(indices, lent.index) + 1];
    if (next !== undefined && next < back.index) {
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
