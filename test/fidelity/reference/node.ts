import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Address, Hex } from '../../../server/api/primitives';
import { toQuantity } from '../../../server/ethereum/quantity';
import type { Executed, PlayedBlock, ReferenceChain } from './chain';
import { debugAnswer, type TracerOptions } from './debug-answers';
import { blockAnswer, receiptAnswer, STATE_METHODS, transactionAnswer } from './node-answers';

interface Call {
  id: unknown;
  method: string;
  params?: unknown[];
}

class MethodMissing extends Error {}

/** Serves reference chains as archive nodes over JSON-RPC, each at a path of its own; below `/debug` with a debug API. */
export class ReferenceNodes {
  private readonly chains = new Map<string, ReferenceChain>();
  private readonly server = createServer();
  url = '';

  static async start(): Promise<ReferenceNodes> {
    const nodes = new ReferenceNodes();
    nodes.server.on('request', (request, response) => {
      void bodyOf(request).then((body) => {
        const path = request.url ?? '/';
        const message = JSON.parse(body) as Call | Call[];
        const reply = (call: Call): object => nodes.reply(path, call);
        const answer = Array.isArray(message) ? message.map(reply) : reply(message);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => nodes.server.listen(0, '127.0.0.1', resolve));
    nodes.url = `http://127.0.0.1:${(nodes.server.address() as AddressInfo).port}`;
    return nodes;
  }

  /** @returns the address of the chain's node */
  add(name: string, chain: ReferenceChain, debug: boolean): string {
    const path = `/${debug ? 'debug' : 'plain'}/${name}`;
    this.chains.set(path, chain);
    return this.url + path;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => {
        resolve();
      });
      this.server.closeAllConnections();
    });
  }

  private reply(path: string, { id, method, params = [] }: Call): object {
    const chain = this.chains.get(path);
    try {
      if (!chain) throw new Error(`there is no chain at ${path}`);
      const debug = path.startsWith('/debug/');
      return { jsonrpc: '2.0', id, result: answer(chain, debug, method, params) };
    } catch (error) {
      const code = error instanceof MethodMissing ? -32601 : -32000;
      return { jsonrpc: '2.0', id, error: { code, message: (error as Error).message } };
    }
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
      return played ? blockAnswer(played, chain.hardfork, full) : null;
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
  throw new MethodMissing(`the method ${method} does not exist`);
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

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
