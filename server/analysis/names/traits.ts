import { AbiCoder, id } from 'ethers';
import { LRUCache } from 'lru-cache';
import type { Address, Hash, Hex } from '../../api/primitives';
import { addressIn } from '../../evm/forms/address-in';
import { answers } from '../../evm/forms/batch-answers';
import type { RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { VIEW_GAS } from '../../evm/forms/view-gas';
import { containsSelector } from '../decoding/fallback-rule';
import type { Contract, Network } from '../ports';

/** What a contract answers about its tokens. */
export interface Traits {
  /** Of a pool with two tokens. */
  readonly pool?: {
    readonly kind: 'pair' | 'pool';
    readonly token0: Address;
    readonly token1: Address;
    readonly factory?: Address;
    /** In hundredths of a basis point. */
    readonly fee?: number;
    /** Its factory confirms that it made the pool of these tokens. */
    readonly isConfirmed?: true;
  };
  /** Of a vault (EIP-4626): the token that it holds. */
  readonly asset?: Address;
}

export type TraitsOf = ReadonlyMap<Address, Traits>;

/** Bounds the requests of one transaction. */
const MAX_CONTRACTS = 200;
const CACHED_CONTRACTS = 5_000;
const MAX_FEE = 1_000_000n;

const selector = (signature: string): Hex => id(signature).slice(0, 10) as Hex;
const TOKEN0 = selector('token0()');
const TOKEN1 = selector('token1()');
const FACTORY = selector('factory()');
const FEE = selector('fee()');
const RESERVES = selector('getReserves()');
const SLOT0 = selector('slot0()');
const ASSET = selector('asset()');
const TO_SHARES = selector('convertToShares(uint256)');
const GET_PAIR = selector('getPair(address,address)');
const GET_POOL = selector('getPool(address,address,uint24)');

/** A block whose state answers; the hash identifies it. */
interface StateBlock {
  readonly number: bigint;
  readonly hash: Hash;
}

/** Reads what pools and vaults answer about their tokens at the end of a block. Caches the answers. */
export class ContractTraits {
  readonly #cache = new LRUCache<string, Traits>({ max: CACHED_CONTRACTS });

  /** Omits contracts whose code has no such functions, and those that do not answer. Rejects only if the signal is aborted. */
  async read(
    network: Network,
    contracts: ReadonlyMap<Address, Contract>,
    block: StateBlock,
    signal: AbortSignal,
  ): Promise<TraitsOf> {
    const found = new Map<Address, Traits>();
    const asked = new Map<Address, readonly Hex[]>();
    const key = (address: Address): string => [network.key, block.hash, address].join();
    for (const [address, contract] of contracts) {
      const known = this.#cache.get(key(address));
      if (known) found.set(address, known);
      else if (asked.size < MAX_CONTRACTS) {
        const questions = questionsFor(codesOf(contract, contracts));
        if (questions.length > 0) asked.set(address, questions);
      }
    }
    if (asked.size === 0) return found;
    const call = callAt(block.number);
    const read = await answered(network, asked, call, signal);
    const pools = [...read].flatMap(([address, { pool }]) => (pool ? [{ address, pool }] : []));
    const made = await answers(
      network.rpc,
      pools.map(({ pool }) => call(pool.factory ?? pool.token0, madeByFactory(pool))),
      signal,
    );
    for (const [index, { address, pool }] of pools.entries()) {
      const maker = pool.factory === undefined ? undefined : addressIn(made[index]);
      if (maker === address) read.set(address, { pool: { ...pool, isConfirmed: true } });
    }
    for (const [address, traits] of read) {
      found.set(address, traits);
      this.#cache.set(key(address), traits);
    }
    return found;
  }
}

/** Code that may run as the contract. */
export function codesOf(
  contract: Contract,
  contracts: ReadonlyMap<Address, Contract>,
): readonly Hex[] {
  const targets = [contract.implementation ?? [], contract.facets ?? []].flat();
  return [contract, ...targets.map((target) => contracts.get(target))].flatMap(
    (one) => one?.code ?? [],
  );
}

function questionsFor(codes: readonly Hex[]): readonly Hex[] {
  const has = (one: Hex): boolean => codes.some((code) => containsSelector(code, one));
  if (has(TOKEN0) && has(TOKEN1) && (has(RESERVES) || has(SLOT0))) {
    return [TOKEN0, TOKEN1, FACTORY, has(SLOT0) ? FEE : RESERVES];
  }
  return has(ASSET) && has(TO_SHARES) ? [ASSET] : [];
}

type CallAt = (to: Address, data: Hex) => RpcCall;
const callAt =
  (block: bigint): CallAt =>
  (to, data) => ({
    method: 'eth_call',
    params: [{ to, data, gas: VIEW_GAS }, toQuantity(block)],
  });

async function answered(
  network: Network,
  asked: ReadonlyMap<Address, readonly Hex[]>,
  call: CallAt,
  signal: AbortSignal,
): Promise<Map<Address, Traits>> {
  const calls = [...asked].flatMap(([address, questions]) =>
    questions.map((question) => call(address, question)),
  );
  const all = await answers(network.rpc, calls, signal);
  const found = new Map<Address, Traits>();
  let next = 0;
  for (const [address, questions] of asked) {
    const own = all.slice(next, (next += questions.length));
    const traits = questions.length === 1 ? vault(own) : pool(questions, own);
    if (traits) found.set(address, traits);
  }
  return found;
}

function vault([answer]: readonly unknown[]): Traits | undefined {
  const asset = addressIn(answer);
  return asset && { asset };
}

function pool(
  questions: readonly Hex[],
  [first, second, third, last]: readonly unknown[],
): Traits | undefined {
  const [token0, token1, factory] = [first, second, third].map(addressIn);
  if (!token0 || !token1 || token0 === token1) return undefined;
  const isPair = questions.includes(RESERVES);
  const fee = isPair || !isWord(last) ? undefined : BigInt(last);
  return {
    pool: {
      kind: isPair ? 'pair' : 'pool',
      token0,
      token1,
      ...(factory && { factory }),
      ...(fee !== undefined && fee < MAX_FEE && { fee: Number(fee) }),
    },
  };
}

function madeByFactory({ kind, token0, token1, fee = 0 }: NonNullable<Traits['pool']>): Hex {
  const coder = AbiCoder.defaultAbiCoder();
  const data =
    kind === 'pair'
      ? GET_PAIR + coder.encode(['address', 'address'], [token0, token1]).slice(2)
      : GET_POOL + coder.encode(['address', 'address', 'uint24'], [token0, token1, fee]).slice(2);
  return data as Hex;
}

const isWord = (answer: unknown): answer is Hash =>
  typeof answer === 'string' && /^0x[0-9a-f]{64}$/i.test(answer);
