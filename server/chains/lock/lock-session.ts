import { RPC_CODES } from '../../api/rpc-codes';
import { RpcError, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { ChainView } from '../upstream/chain-view';
import { describeCall } from './locked-call';
import { LockedClient } from './locked-client';
import { emptyLock, keyOfEndpoint, type EndpointName, type Lock, type LockedAnswer } from './lock';

/** A read that the lock does not contain. */
export interface MissingRead {
  /** From 1, in the order of the reads. Messages contain it, so that the output of a program can be searched for it. */
  id: number;
  chain: number;
  call: RpcCall;
}

export interface LockSessionOptions {
  /** Name of the file, for messages. */
  file: string;
  /** What was recorded before. */
  base: Lock;
  /** Whether chains are at their newest block, not at that of `base`. */
  isLatest?: boolean;
  /** As of the lock that is written. */
  fuzzSeed?: string | undefined;
}

interface OpenChain {
  client: LockedClient;
  view: ChainView;
  head: bigint;
}

/** Marks a missing read in a message. */
export const missingMark = (id: number): string => `[missing read ${id}]`;

/** One run of a program whose endpoints are served from a lock, from the chains, or from both. */
export class LockSession {
  readonly missing: MissingRead[] = [];
  readonly #chains = new Map<number, Promise<OpenChain>>();
  readonly #opened = new Map<number, OpenChain>();
  readonly #endpoints = new Map<string, number>();
  /** Texts of the missing reads. A read that is repeated is one. */
  readonly #known = new Map<string, MissingRead>();

  constructor(private readonly options: LockSessionOptions) {}

  /** The chain of an endpoint. @param upstream undefined: only recorded answers @throws RpcError, ApiError */
  async open(name: EndpointName, upstream: RpcClient | undefined): Promise<ChainView> {
    const chain = await this.#chainOf(name, upstream);
    this.#endpoints.set(keyOfEndpoint(name), chain);
    let opening = this.#chains.get(chain);
    if (!opening) {
      opening = this.#openChain(chain, upstream);
      opening.catch(() => this.#chains.delete(chain));
      this.#chains.set(chain, opening);
    }
    return (await opening).view;
  }

  /** @param keepsUnused also what was recorded before and not asked for */
  result(keepsUnused: boolean): Lock {
    const { base, fuzzSeed } = this.options;
    const lock: Lock = { ...emptyLock(), fuzzSeed };
    if (keepsUnused) {
      for (const [key, chain] of base.endpoints) lock.endpoints.set(key, chain);
      for (const [id, { head, answers }] of base.chains) {
        lock.chains.set(id, { head, answers: new Map(answers) });
      }
    }
    for (const [key, chain] of this.#endpoints) lock.endpoints.set(key, chain);
    for (const [id, { client, head }] of this.#opened) {
      const answers = lock.chains.get(id)?.answers ?? new Map<string, LockedAnswer>();
      for (const [text, answer] of client.used) answers.set(text, answer);
      lock.chains.set(id, { head, answers });
    }
    return lock;
  }

  /** Number of answers that came from the chains, and are not in the lock. */
  get added(): number {
    return [...this.#opened.values()].reduce((sum, { client }) => sum + client.added, 0);
  }

  /** Number of answers that programs asked for. */
  get used(): number {
    return [...this.#opened.values()].reduce((sum, { client }) => sum + client.used.size, 0);
  }

  async #chainOf(name: EndpointName, upstream: RpcClient | undefined): Promise<number> {
    const { base, file } = this.options;
    const known = base.endpoints.get(keyOfEndpoint(name));
    if (known !== undefined && base.chains.has(known)) return known;
    if (upstream) return Number(await upstream.request('eth_chainId', []));
    const where = name.kind === 'foundry' ? `rpc_endpoints.${name.name}` : name.name;
    throw new RpcError(RPC_CODES.notFound, `${file} has nothing of the endpoint ${where}`);
  }

  async #openChain(chain: number, upstream: RpcClient | undefined): Promise<OpenChain> {
    const { base, isLatest } = this.options;
    const known = base.chains.get(chain);
    const head =
      known && !(isLatest === true && upstream) ? known.head : await newest(chain, upstream);
    const client = new LockedClient({
      answers: known?.answers ?? new Map(),
      upstream,
      missing: (call) => this.#miss(chain, call),
    });
    const view = new ChainView({ chainId: chain, blockNumber: Number(head), upstream: client });
    const opened = { client, view, head };
    this.#opened.set(chain, opened);
    return opened;
  }

  #miss(chain: number, call: RpcCall): RpcError {
    const text = `${chain} ${JSON.stringify(call)}`;
    let read = this.#known.get(text);
    if (!read) {
      read = { id: this.missing.length + 1, chain, call };
      this.missing.push(read);
      this.#known.set(text, read);
    }
    const what = `${describeCall(call)} of chain ${chain}`;
    return new RpcError(
      RPC_CODES.notFound,
      `${this.options.file} lacks ${what} ${missingMark(read.id)}`,
    );
  }
}

async function newest(chain: number, upstream: RpcClient | undefined): Promise<bigint> {
  if (!upstream) throw new RpcError(RPC_CODES.notFound, `nothing of chain ${chain} is recorded`);
  return BigInt((await upstream.request('eth_blockNumber', [])) as string);
}
