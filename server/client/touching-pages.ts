import { CONTRACT_LIMITS } from '../api/schema-limits';
import type { Touching } from '../api/regress';

interface Wanted {
  readonly last: number;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** One request of a page. */
interface Page {
  last: number;
  from?: number;
  to?: number;
}

/**
 * The newest transactions that touched a contract, in as many requests as that takes.
 * @param ask one request, whose answer is oldest first
 */
export async function touching(
  { last, from, to }: Wanted,
  ask: (page: Page) => Promise<Touching>,
): Promise<Pick<Touching, 'transactions' | 'by'>> {
  let transactions: string[] = [];
  let newest = to;
  for (;;) {
    const page: Page = { last: Math.min(last, CONTRACT_LIMITS.touchingTransactions) };
    if (from !== undefined) page.from = from;
    if (newest !== undefined) page.to = newest;
    const { transactions: listed, by, oldest } = await ask(page);
    const known = transactions.length;
    // The oldest block of a page may go on in the next one.
    transactions = [...new Set([...listed, ...transactions])];
    const isWhole = listed.length < page.last || transactions.length === known;
    if (isWhole || transactions.length >= last || oldest === null) {
      return { transactions: transactions.slice(-last), by };
    }
    newest = oldest;
  }
}
