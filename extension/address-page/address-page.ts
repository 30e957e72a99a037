import type { AddressTransactions } from '../../server/api/chain-explorer';
import type { Address } from '../../server/api/primitives';
import type { TokenBalances } from '../../server/api/token-balances';
import type { ApiClient } from '../model/api-client';
import { reportOf } from '../model/errors';
import type { RecentEntry } from '../model/recent';
import type { AddressState, Loaded } from './address-state';

const PAGE = 25;
/** Transactions that a page lists. */
const MAX_LISTED = 500;
const MAX_RECENT = 20;
/** Contracts of the listed transactions that are asked for a balance. */
const MAX_TOKENS = 50;

/** What one page shows, loaded part by part, without the editor's API. */
export class AddressPage {
  state: AddressState;
  #abort = new AbortController();

  /** @param onChange called after each part @param recent what was opened lately */
  constructor(
    private readonly client: ApiClient,
    chain: string,
    address: Address,
    private readonly recent: () => readonly RecentEntry[],
    private readonly onChange: () => void,
  ) {
    this.state = { ...EMPTY, chain, address };
  }

  /** Loads everything again. Never rejects: what cannot be loaded says why. */
  async load(): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const { chain, address } = this.state;
    this.#set({ ...EMPTY, chain, address });
    const params = { chain, address };
    await Promise.all([
      this.#part('transactions', signal, () => this.#transactions(signal)).then(() =>
        this.#part('balances', signal, () => this.#balances(signal)),
      ),
      this.#explorer(signal),
      this.#part('facts', signal, () => this.client.call('getAddress', { params }, { signal })),
    ]);
    const { facts } = this.state;
    if (signal.aborted || !facts || !('value' in facts) || facts.value.codeSize === 0) return;
    await this.#part('source', signal, () =>
      this.client.call('getAddressSource', { params, query: {} }, { signal }),
    );
  }

  /** Adds older transactions. Never rejects. */
  async loadMore(): Promise<void> {
    const { signal } = this.#abort;
    const shown = this.state.transactions;
    if (!shown || !('value' in shown) || shown.value.next === null) return;
    const { transactions: listed, labels, next } = shown.value;
    await this.#part('transactions', signal, async () => {
      const page = await this.#transactions(signal, next);
      const transactions = [...listed, ...page.transactions].slice(0, MAX_LISTED);
      const isFull = transactions.length === MAX_LISTED;
      return {
        ...page,
        transactions,
        labels: { ...labels, ...page.labels },
        next: isFull ? null : page.next,
      };
    });
  }

  stop(): void {
    this.#abort.abort();
  }

  #transactions(signal: AbortSignal, before?: number): Promise<AddressTransactions> {
    const { chain, address } = this.state;
    const query = { limit: PAGE, ...(before !== undefined && { before: String(before) }) };
    const request = { params: { chain, address }, query };
    return this.client.call('listAddressTransactions', request, { signal });
  }

  /** In the known tokens of the chain, and in the contracts that the listed transactions called or created. */
  #balances(signal: AbortSignal): Promise<TokenBalances> {
    const { chain, address, transactions } = this.state;
    const listed = transactions && 'value' in transactions ? transactions.value.transactions : [];
    const seen = listed.flatMap(({ to, created }) => to ?? created ?? []);
    const tokens = [...new Set(seen)].filter((one) => one !== address).slice(0, MAX_TOKENS);
    const query = tokens.length === 0 ? {} : { tokens: tokens.join(',') };
    return this.client.call('getTokenBalances', { params: { chain, address }, query }, { signal });
  }

  async #explorer(signal: AbortSignal): Promise<void> {
    const chains = await this.client.call('listChains', {}, { signal }).catch(() => []);
    const base = chains.find(({ slug }) => slug === this.state.chain)?.blockExplorerUrl;
    const explorer = base?.replace(/\/+$/, '');
    if (!signal.aborted && explorer !== undefined) this.#set({ ...this.state, explorer });
  }

  async #part<Name extends 'facts' | 'source' | 'transactions' | 'balances'>(
    name: Name,
    signal: AbortSignal,
    load: () => Promise<Value<AddressState[Name]>>,
  ): Promise<void> {
    let loaded: Loaded<Value<AddressState[Name]>>;
    try {
      loaded = { value: await load() };
    } catch (error) {
      loaded = { problem: reportOf(error)?.message ?? '' };
    }
    if (!signal.aborted) this.#set({ ...this.state, [name]: loaded });
  }

  #set(state: AddressState): void {
    this.state = { ...state, recent: this.#recentOf(state) };
    this.onChange();
  }

  /** Listed transactions that were opened lately. */
  #recentOf({ chain, transactions }: AddressState): AddressState['recent'] {
    if (!transactions || !('value' in transactions)) return [];
    const own = new Set(transactions.value.transactions.map(({ hash }) => hash));
    return this.recent()
      .flatMap(({ subject, title }) =>
        subject.kind === 'transaction' && subject.chain === chain && own.has(subject.transaction)
          ? { title, chain, transaction: subject.transaction }
          : [],
      )
      .slice(0, MAX_RECENT);
  }
}

type Value<T> = T extends { readonly value: infer Inner } ? Inner : never;

const EMPTY = {
  facts: undefined,
  source: undefined,
  transactions: undefined,
  balances: undefined,
  recent: [],
};
