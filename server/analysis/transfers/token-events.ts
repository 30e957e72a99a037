import { AbiCoder, id } from 'ethers';
import type { Address, Hash, Hex } from '../../api/primitives';
import type { CallFrame, Log } from '../call-frame';
import { containsSelector } from '../decoding/fallback-rule';
import type { Contract } from '../ports';
import type { Transfer } from './transfer';

const topic = (signature: string): Hash => id(signature) as Hash;
/**
 * ERC-20 and ERC-721 share this event. They differ in the number of indexed arguments, and old tokens index other arguments than the
 * standards require.
 */
const TRANSFER = topic('Transfer(address,address,uint256)');
const TRANSFER_SINGLE = topic('TransferSingle(address,address,address,uint256,uint256)');
const TRANSFER_BATCH = topic('TransferBatch(address,address,address,uint256[],uint256[])');
const TRANSFER_EVENTS: ReadonlySet<Hash | undefined> = new Set([
  TRANSFER,
  TRANSFER_SINGLE,
  TRANSFER_BATCH,
]);

/** EIP-7708: address in the system's logs of ether transfers. The calls already contain these. */
const SYSTEM_ADDRESS: Address = `0x${'f'.repeat(39)}e`;

const OWNER_OF = '0x6352211e'; // ownerOf(uint256)
const DECIMALS = '0x313ce567'; // decimals()
const ALLOWANCE = '0xdd62ed3e'; // allowance(address,address)

/** Reads transfers from standard events. */
export class TransferEvents {
  /** By token and by the code that runs as it. */
  readonly #kinds = new Map<Address, Map<Address | null, Kind>>();
  /** By word: few accounts take part in many transfers. Undefined for a word that is no address. */
  readonly #accounts = new Map<Hash, Address | undefined>();

  constructor(private readonly contracts: ReadonlyMap<Address, Contract>) {}

  /**
   * @param frame that emitted the log
   * @returns undefined if it is not such an event; `unreadable` if it is one in a form that cannot be counted
   */
  read(log: Log, frame: CallFrame): Transfer[] | 'unreadable' | undefined {
    if (!TRANSFER_EVENTS.has(log.topics[0])) return undefined;
    if (log.address === SYSTEM_ADDRESS) return [];
    const transfers =
      log.topics[0] === TRANSFER ? this.#one(log, frame) : multiTransfers(log, log.address);
    return transfers ?? 'unreadable';
  }

  #one(log: Log, frame: CallFrame): Transfer[] | undefined {
    const indexed = log.topics.length - 1;
    const words = log.topics.slice(1).concat(wordsOf(log.data));
    if (words.length !== 3 || log.data.length !== 2 + 64 * (3 - indexed)) return undefined;
    const [first, second, value] = inOrder(words, indexed);
    const [from, to] = [this.#account(first), this.#account(second)];
    if (from === undefined || to === undefined || value === undefined) return undefined;
    const sides = { asset: log.address, from, to };
    return isCollectible(indexed, this.#kindOf(log, frame))
      ? [{ ...sides, standard: 'erc721', tokenId: BigInt(value), amount: 1n }]
      : [{ ...sides, standard: 'erc20', amount: BigInt(value) }];
  }

  #account(word: Hash | undefined): Address | undefined {
    if (word === undefined) return undefined;
    if (this.#accounts.has(word)) return this.#accounts.get(word);
    const account = isAddress(word) ? toAddress(word) : undefined;
    this.#accounts.set(word, account);
    return account;
  }

  /** Kind of a token by the functions in the code that runs as the token. */
  #kindOf({ address }: Log, { to }: CallFrame): Kind {
    const ofToken = this.#kinds.get(address) ?? new Map<Address | null, Kind>();
    const known = ofToken.get(to);
    if (known) return known;
    const token = this.contracts.get(address);
    const places = [address, to, token?.implementation, ...(token?.facets ?? [])];
    const codes = places.flatMap((place) => (place && this.contracts.get(place)?.code) ?? []);
    const contains = (selector: Hex): boolean =>
      codes.some((code) => containsSelector(code, selector));
    const kind = { owns: contains(OWNER_OF), counts: contains(DECIMALS) || contains(ALLOWANCE) };
    this.#kinds.set(address, ofToken.set(to, kind));
    return kind;
  }
}

interface Kind {
  /** Its tokens have owners. */
  readonly owns: boolean;
  /** Its tokens are counted. */
  readonly counts: boolean;
}

/** If the code is ambiguous, the event decides by the indexed arguments of the standards. */
function isCollectible(indexed: number, { owns, counts }: Kind): boolean {
  return owns === counts ? indexed === 3 : owns;
}

/**
 * Arguments in their order. An event does not reveal which argument is indexed if there is only one: an account is far more likely than
 * an amount.
 */
function inOrder(words: readonly Hash[], indexed: number): readonly Hash[] {
  const [first, second, third] = words;
  const isAmount = indexed === 1 && first && !isLikelyAccount(first) && isLikelyAccount(third);
  return isAmount && second && third ? [second, third, first] : words;
}

/** No real account starts with so many zeros, except the zero address, which stands for none. */
const isLikelyAccount = (word: Hash | undefined): boolean =>
  isAddress(word) && (BigInt(word) === 0n || BigInt(word) >= 1n << 96n);

function multiTransfers(
  { topics: [signature, , from, to], data }: Log,
  asset: Address,
): Transfer[] | undefined {
  if (!isAddress(from) || !isAddress(to)) return undefined;
  const sides = { standard: 'erc1155', asset, from: toAddress(from), to: toAddress(to) } as const;
  if (signature === TRANSFER_SINGLE) {
    const [tokenId, amount] = decode(['uint256', 'uint256'], data) as [bigint?, bigint?];
    return tokenId === undefined || amount === undefined
      ? undefined
      : [{ ...sides, tokenId, amount }];
  }
  const [ids, amounts] = decode(['uint256[]', 'uint256[]'], data) as [bigint[]?, bigint[]?];
  if (!ids || ids.length !== amounts?.length) return undefined;
  return ids.map((tokenId, index) => ({ ...sides, tokenId, amount: amounts[index] ?? 0n }));
}

export const isWord = (data: Hex): boolean => data.length === 66;
const PADDING = `0x${'0'.repeat(24)}`;
export const isAddress = (word: Hash | undefined): word is Hash =>
  word?.startsWith(PADDING) === true;
export const toAddress = (word: Hash): Address => `0x${word.slice(26)}`;

/** The whole words of event data. */
function wordsOf(data: Hex): Hash[] {
  if (isWord(data)) return [data];
  const words: Hash[] = [];
  for (let end = 66; end <= data.length; end += 64) words.push(`0x${data.slice(end - 64, end)}`);
  return words;
}

function decode(types: readonly string[], data: Hex): unknown[] {
  try {
    return AbiCoder.defaultAbiCoder()
      .decode(types, data)
      .map((value: unknown) => (Array.isArray(value) ? Array.from(value as unknown[]) : value));
  } catch {
    return [];
  }
}
