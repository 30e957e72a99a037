import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What a node of a chain of millions of blocks answers: nothing but headers, and one value that changes. */
export interface LongChain {
  readonly chainId: number;
  readonly head: number;
  /** Blocks from which on the balance of every account is another, with the balance. */
  readonly balances: readonly (readonly [from: number, wei: number])[];
  /** Oldest block whose state is kept. */
  readonly oldest: number;
  /** Time of every answer, in milliseconds. */
  readonly delayMs: number;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node of a long chain, of which no test could make the blocks. */
export class LongChainNode {
  /** Blocks whose balances were asked for, in order. */
  readonly asked: number[] = [];
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then((body) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  url = '';

  private constructor(private readonly chain: LongChain) {}

  static async start(chain: LongChain): Promise<LongChainNode> {
    const node = new LongChainNode(chain);
    await new Promise<void>((resolve) => node.#server.listen(0, '127.0.0.1', resolve));
    node.url = `http://127.0.0.1:${(node.#server.address() as AddressInfo).port}`;
    return node;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const calls = JSON.parse(Buffer.concat(parts).toString()) as Call | Call[];
    await delay(this.chain.delayMs);
    return Array.isArray(calls) ? calls.map((one) => this.#one(one)) : this.#one(calls);
  }

  #one({ id, method, params }: Call): unknown {
    const { chainId, head, balances, oldest } = this.chain;
    const result = (value: unknown): unknown => ({ jsonrpc: '2.0', id, result: value });
    const hex = (value: number): string => `0x${value.toString(16)}`;
    const numberOf = (tag: unknown): number =>
      typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : head;
    switch (method) {
      case 'eth_chainId':
        return result(hex(chainId));
      case 'eth_blockNumber':
        return result(hex(head));
      case 'eth_getBlockByNumber':
        return result(headerOf(numberOf(params[0])));
      case 'eth_getBalance': {
        const block = numberOf(params[1]);
        this.asked.push(block);
        if (block < oldest) {
          const error = { code: -32000, message: 'missing trie node (state is not available)' };
          return { jsonrpc: '2.0', id, error };
        }
        const [, wei = 0] = balances.findLast(([from]) => from <= block) ?? [];
        return result(hex(wei));
      }
      default: {
        const error = { code: -32601, message: `the method ${method} does not exist` };
        return { jsonrpc: '2.0', id, error };
      }
    }
  }
}

const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;

const headerOf = (number: number): object => ({
  number: `0x${number.toString(16)}`,
  hash: word(number + 1),
  parentHash: word(number),
  timestamp: `0x${(1_500_000_000 + 12 * number).toString(16)}`,
  miner: `0x${'0'.repeat(40)}`,
  gasLimit: '0x1c9c380',
  gasUsed: '0x0',
  baseFeePerGas: '0x7',
  mixHash: word(0),
  difficulty: '0x0',
  extraData: '0x',
  logsBloom: `0x${'0'.repeat(512)}`,
  nonce: '0x0000000000000000',
  sha3Uncles: word(0),
  stateRoot: word(0),
  receiptsRoot: word(0),
  transactionsRoot: word(0),
  size: '0x200',
  transactions: [],
  uncles: [],
});
