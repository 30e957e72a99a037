import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { account, HASH, mined, word } from './analysis';

/** Calls of a group: nine nested calls, and the other calls side by side in the ninth. */
const GROUP = 50;
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const digits = (value: number): string => value.toString(16).padStart(64, '0');

interface Frame extends Record<string, unknown> {
  calls?: Frame[];
}

export interface LargeTrace {
  trace: Frame;
  logs: object[];
  /** Including the top call. */
  frames: number;
}

/** A trace of `callTracer` with token calls. Every second call has a log. */
export function largeTrace(frames: number): LargeTrace {
  const logs: object[] = [];
  const call = (index: number, depth: number): Frame => {
    const [token, holder] = [account(0x70000 + (index % 97)), account(0x1000 + (index % 1009))];
    const log = {
      address: token,
      topics: [TRANSFER_TOPIC, word(holder), word(account(0xb0b))],
      data: `0x${digits(index)}`,
    };
    if (index % 2 === 0) logs.push(log);
    return {
      type: depth % 7 === 6 ? 'DELEGATECALL' : 'CALL',
      from: account(0xb0b),
      to: token,
      value: '0x0',
      gas: '0x186a0',
      gasUsed: '0x5208',
      // transferFrom(address,address,uint256), each with a different amount
      input: `0x23b872dd${holder.slice(2).padStart(64, '0')}${account(0xb0b).slice(2).padStart(64, '0')}${digits(index)}`,
      output: `0x${digits(1)}`,
      ...(index % 2 === 0 ? { logs: [{ ...log, position: '0x0' }] } : {}),
    };
  };
  const top: Frame = {
    type: 'CALL',
    from: account(0xa11),
    to: account(0xb0b),
    value: '0x0',
    gas: '0x1c9c380',
    gasUsed: '0x5208',
    input: '0x',
    output: '0x',
    calls: [],
  };
  for (let made = 1; made < frames;) {
    let parent = top;
    const size = Math.min(GROUP, frames - made);
    for (let depth = 1; depth <= size; depth++) {
      const child = call(made++, depth);
      (parent.calls ??= []).push(child);
      // Nested down to depth ten, then side by side.
      if (depth < 10) parent = child;
    }
  }
  return { trace: top, logs, frames };
}

/** A node of a chain with one transaction, whose trace is the given one. It supports only a few methods. */
export class LargeTraceNode {
  readonly #server = createServer();
  /** Number of requests for the trace. */
  traced = 0;
  url = '';
  /** Bytes of the trace as JSON. */
  size = 0;

  static async start({ trace, logs }: LargeTrace): Promise<LargeTraceNode> {
    const node = new LargeTraceNode();
    const facts = mined({ receipt: { logs: logs as never } });
    const body = Buffer.from(JSON.stringify(trace));
    node.size = body.length;
    const block = { ...facts.block, transactions: [facts.transaction] };
    const answers: Record<string, unknown> = {
      eth_chainId: '0x1',
      eth_blockNumber: '0xffff',
      eth_getTransactionByHash: facts.transaction,
      eth_getTransactionReceipt: facts.receipt,
      eth_getBlockByHash: block,
      eth_getBlockByNumber: block,
      eth_getCode: '0x',
      eth_getStorageAt: word(0),
      eth_call: '0x',
    };
    node.#server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const message = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
        response.setHeader('content-type', 'application/json');
        if (!Array.isArray(message) && isCallTrace(message)) {
          node.traced++;
          response.write(`{"jsonrpc":"2.0","id":${message.id},"result":`);
          response.write(body);
          response.end('}');
          return;
        }
        const answer = ({ id, method }: Call): object => {
          const result = answers[method];
          const error = { code: -32601, message: `the method ${method} does not exist` };
          return { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) };
        };
        const text = Array.isArray(message) ? message.map(answer) : answer(message);
        response.end(JSON.stringify(text));
      });
    });
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
}

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

const isCallTrace = ({ method, params }: Call): boolean =>
  method === 'debug_traceTransaction' &&
  (params[1] as { tracer?: string } | undefined)?.tracer === 'callTracer';

/** Hash of the chain's transaction. */
export const LARGE_HASH = HASH;
