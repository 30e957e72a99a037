import type { Address, Hex } from '../../../server/api/primitives';
import { toQuantity } from '../../../server/evm/forms/quantity';
import { MethodMissing, NodeServer } from '../node-server';
import type { Executed, PlayedBlock, ReferenceChain } from './chain';
import { debugAnswer, type TracerOptions } from './debug-answers';
import { blockAnswer, receiptAnswer, STATE_METHODS, transactionAnswer } from './node-answers';

/** Serves reference chains as archive nodes over JSON-RPC, each at a path of its own; below `/debug` with a debug API. */
export class ReferenceNodes {
  private constructor(private readonly server: NodeServer) {}

  static async start(): Promise<ReferenceNodes> {
    return new ReferenceNodes(await NodeServer.start());
  }

  /** @returns the URL of the chain's node */
  add(name: string, chain: ReferenceChain, debug: boolean): string {
    return this.server.add(`/${debug ? 'debug' : 'plain'}/${name}`, (method, params) =>
      answer(chain, debug, method, params),
    );
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

function answer(
  chain: ReferenceChain,
  debug: boolean,
  method: string,
  params: readonly unknown[],
): unknown {
  const [first, second, third] = params as [Hex, unknown, string | undefined];
  const stateMethod = STATE_METHODS[method];
  if (stateMethod) {
    const isSlot = method === 'eth_getStorageAt';
    const played = blockAt(chain, isSlot ? third : (second as string | undefined));
    if (!played) throw new Error('header not found');
    return stateMethod(
      played,
      first.toLowerCase() as Address,
      isSlot ? (second as Hex) : undefined,
    );
  }
  const full = second === true;
  switch (method) {
    case 'eth_chainId':
      return toQuantity(chain.chainId);
    case 'net_version':
      return String(chain.chainId);
    case 'web3_clientVersion':
      return 'reference/1';
    case 'eth_blockNumber':
      return toQuantity(chain.blocks.at(-1)?.context.number ?? 0n);
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash': {
      const played = blockAt(chain, first);
      return played ? blockAnswer(played, full) : null;
    }
    case 'eth_getBlockReceipts': {
      const played = blockAt(chain, first);
      return played?.transactions.map((one) => receiptAnswer(one, played)) ?? null;
    }
    case 'eth_getTransactionByHash':
      return find(chain, first, transactionAnswer);
    case 'eth_getTransactionReceipt':
      return find(chain, first, receiptAnswer);
    case 'debug_traceTransaction':
      if (debug) return find(chain, first, (one) => debugAnswer(one, second as TracerOptions));
  }
  throw new MethodMissing(method);
}

function blockAt({ blocks }: ReferenceChain, at = 'latest'): PlayedBlock | undefined {
  if (at.length === 66) return blocks.find(({ hash }) => hash === at);
  if (at === 'earliest') return blocks[0];
  if (!at.startsWith('0x')) return blocks.at(-1);
  return blocks.find(({ context }) => context.number === BigInt(at));
}

function find(
  { blocks }: ReferenceChain,
  hash: string,
  describe: (executed: Executed, played: PlayedBlock) => unknown,
): unknown {
  for (const played of blocks) {
    const executed = played.transactions.find(({ transaction }) => transaction.hash === hash);
    if (executed) return describe(executed, played);
  }
  return null;
}
