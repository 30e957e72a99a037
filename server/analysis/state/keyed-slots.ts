import { keccak256 } from 'ethers';
import type { Address, Hash } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import { toWord } from '../../evm/forms/quantity';

/** A slot of a token that a transaction changed. */
export interface ChangedSlot {
  readonly slot: Hash;
  readonly before: Hash;
  readonly after: Hash;
}

/** Possible keys of the token's mappings. */
export interface SlotKeys {
  /** Accounts whose balances are checked anyway. */
  readonly checked: readonly Address[];
  /** Further accounts that occur in the transaction or in the token's storage. */
  readonly named: readonly Address[];
  /** Keys of nested mappings, such as owner and spender of an allowance, the outer key first. Words. */
  readonly pairs: readonly (readonly [Hash, Hash])[];
  /** Ids of ERC-721 and ERC-1155 tokens. */
  readonly ids: readonly bigint[];
}

export interface ExplainedSlots {
  /** Accounts that own changed slots. */
  readonly accounts: ReadonlySet<Address>;
  /** Number of changed variables outside mappings, with the elements of their arrays. */
  readonly variables: number;
  /** Number of slots without a matching key. */
  readonly unexplained: number;
}

/** A hash takes about 10 microseconds. */
const MAX_HASHES = 6_000;
/** Slots at which a mapping may be declared: compilers number variables from 0, with gaps in upgradeable contracts. */
const NEAR = Array.from({ length: 32 }, (_, slot) => BigInt(slot));
const FAR = Array.from({ length: 280 }, (_, slot) => BigInt(slot + NEAR.length));
/** Mapping entries lie above this slot: a hash with that many leading zeros is as improbable as a guessed key. */
const VARIABLES_END = 1n << 64n;
const MAX_ELEMENTS = 1n << 32n;
const MAX_FIELDS = 8n;

/** EIP-7201: storage namespaces of the upgradeable contracts of OpenZeppelin 5. */
const NAMESPACES = ['ERC20', 'ERC721', 'ERC1155', 'Votes'].flatMap((name) => {
  const inner = BigInt(hashOfText(`openzeppelin.storage.${name}`)) - 1n;
  const base = BigInt(keccak256(toWord(inner))) & ~0xffn;
  return [0n, 1n, 2n, 3n, 4n, 5n].map((field) => base + field);
});
/** Solady's ERC20 hashes the owner with this constant in place of a slot. */
const SOLADY_BALANCE = '000000000000000087a211a2';

type Form = (key: Hash) => Hash;
const solidity =
  (base: bigint): Form =>
  (key) =>
    keccak256(`${key}${toWord(base).slice(2)}`) as Hash;
const vyper =
  (base: bigint): Form =>
  (key) =>
    keccak256(`${toWord(base)}${key.slice(2)}`) as Hash;
const solady: Form = (key) => keccak256(`0x${key.slice(26)}${SOLADY_BALANCE}`) as Hash;
const identity: Form = (key) => key;
const formsAt = (bases: readonly bigint[]): Form[] =>
  bases.flatMap((base) => [solidity(base), vyper(base)]);

/** Finds the accounts that own the changed slots of a token. */
export function* explainSlotsWork(
  slots: readonly ChangedSlot[],
  keys: SlotKeys,
): Work<ExplainedSlots> {
  const search = new KeySearch(slots);
  const near = formsAt([...NEAR, ...NAMESPACES]);
  const ids = keys.ids.flatMap((id) => [toWord(id), toWord(BigInt.asUintN(256, id + 1n))]);
  yield* search.accounts(keys.checked, [identity, solady, ...near]);
  yield* search.accounts(keys.named, search.usedForms);
  yield* search.words(ids, near);
  yield* search.pairs(keys.pairs, near);
  yield* search.counted(near);
  yield* search.accounts(keys.checked, formsAt(FAR));
  yield* search.accounts(keys.named, formsAt(NEAR.slice(0, 8)));
  return search.found;
}

class KeySearch {
  readonly #open = new Map<bigint, ChangedSlot>();
  readonly #accounts = new Set<Address>();
  readonly #used = new Set<Form>();
  /** Matched entries with their keys. */
  readonly #entries: [Hash, ChangedSlot][] = [];
  #variables = 0;
  #hashes = 0;

  constructor(slots: readonly ChangedSlot[]) {
    const variables: ChangedSlot[] = [];
    for (const one of slots) {
      const number = BigInt(one.slot);
      if (number < VARIABLES_END) variables.push(one);
      else this.#open.set(number, one);
    }
    this.#variables = variables.length;
    for (const { slot } of variables) if (this.#open.size > 0) this.#elementsOf(slot);
  }

  get usedForms(): Form[] {
    return [...this.#used];
  }

  get found(): ExplainedSlots {
    return {
      accounts: this.#accounts,
      variables: this.#variables,
      unexplained: this.#open.size,
    };
  }

  *accounts(accounts: readonly Address[], forms: readonly Form[]): Work<void> {
    const keys = accounts.map((account) => ({ account, key: toWord(BigInt(account)) }));
    for (const form of forms) {
      for (const { account, key } of keys) {
        if (this.#isDone()) return;
        if (this.#try(key, form)) this.#accounts.add(account);
        yield 1;
      }
    }
  }

  *words(words: readonly Hash[], forms: readonly Form[]): Work<void> {
    for (const form of forms) {
      for (const word of words) {
        if (this.#isDone()) return;
        this.#try(word, form);
        yield 1;
      }
    }
  }

  /** Elements of nested mappings whose keys are numbers that entries count, such as checkpoints of votes. */
  *counted(forms: readonly Form[]): Work<void> {
    for (const [key, { before, after }] of this.#entries) {
      const last = BigInt(after);
      if (last >= MAX_ELEMENTS || BigInt(before) >= MAX_ELEMENTS) continue;
      const indexes = new Set([last, last === 0n ? 0n : last - 1n]);
      yield* this.pairs(
        Array.from(indexes, (index) => [key, toWord(index)] as const),
        forms,
      );
    }
  }

  *pairs(pairs: readonly (readonly [Hash, Hash])[], forms: readonly Form[]): Work<void> {
    for (const form of forms) {
      for (const [outer, inner] of pairs) {
        if (this.#isDone()) return;
        this.#hashes += 3;
        const base = form(outer);
        this.#take(BigInt(solidity(BigInt(base))(inner)));
        this.#take(BigInt(vyper(BigInt(base))(inner)));
        yield 1;
      }
    }
  }

  #try(key: Hash, form: Form): boolean {
    this.#hashes++;
    const slot = form(key);
    const entry = this.#take(BigInt(slot), form === identity ? 1n : MAX_FIELDS);
    if (!entry) return false;
    this.#used.add(form);
    this.#entries.push([key, entry]);
    if (this.#open.size > 0) this.#elementsOf(slot);
    return true;
  }

  #elementsOf(slot: Hash): void {
    const start = BigInt(keccak256(slot));
    this.#hashes++;
    for (const open of [...this.#open.keys()]) {
      if (open >= start && open - start < MAX_ELEMENTS) this.#open.delete(open);
    }
  }

  /** Also takes the fields of a struct that starts at the slot. */
  #take(slot: bigint, fields = MAX_FIELDS): ChangedSlot | undefined {
    let taken: ChangedSlot | undefined;
    for (let field = 0n; field < fields; field++) {
      const one = this.#open.get(slot + field);
      if (!one) continue;
      taken ??= one;
      this.#open.delete(slot + field);
    }
    return taken;
  }

  #isDone(): boolean {
    return this.#open.size === 0 || this.#hashes >= MAX_HASHES;
  }
}

function hashOfText(text: string): Hash {
  return keccak256(`0x${Buffer.from(text).toString('hex')}`) as Hash;
}
