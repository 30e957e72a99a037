import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import * as z from 'zod';
import { AGENT_TOOLS } from '../../server/agents/tools';
import { sandboxTransactions } from '../support/sandbox-hashes';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import type { Tally, Target } from './campaign';
import { must, mustNotLeak } from './checks';
import { fromSchema, type Schema } from './from-schema';
import { hostileText, hostileValue, mutated, mutation } from './hostile-values';
import type { FuzzTarget } from './fuzz-target';

const MAX_MS = 30_000;

type McpStep =
  | { kind: 'tool'; name: string; input: unknown }
  /** A line that is no call of a tool, or no message at all. */
  | { kind: 'line'; text: string };

interface Reply {
  id?: unknown;
  result?: { content?: { type?: unknown; text?: unknown }[]; isError?: boolean };
  error?: { code?: unknown; message?: unknown };
}

const HINTS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  chain: fc.constantFrom('sandbox', 'nowhere'),
  transaction: fc.constantFrom(...Object.values(sandboxTransactions)),
  from: fc.constant('0x70997970c51812dc3a010c7d01b50e0d17dc79c8'),
  to: fc.constant('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'),
  height: fc.constantFrom('0x8', 'latest'),
  projectId: fc.constant('project_0'),
};

const calls = Object.entries(AGENT_TOOLS).map(([name, { input }]) => {
  const schema = z.toJSONSchema(input, { io: 'input' }) as Schema;
  const valid = fromSchema(schema, {}, (field) => HINTS[field]);
  return fc
    .oneof(
      { weight: 3, arbitrary: valid },
      {
        weight: 4,
        arbitrary: fc.tuple(valid, mutation).map(([value, change]) => mutated(value, change)),
      },
      { weight: 1, arbitrary: hostileValue },
    )
    .map((value): McpStep => ({ kind: 'tool', name, input: value }));
});

const line: fc.Arbitrary<McpStep> = fc
  .oneof(
    hostileText.map((text) => text.replace(/[\r\n]/g, ' ')),
    hostileValue.map((value) => JSON.stringify(value)),
    fc.constantFrom(
      '{"jsonrpc":"2.0","id":1}',
      '{"jsonrpc":"2.0","method":"tools/call"}',
      '[]',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
      '{"jsonrpc":"2.0","id":"x","method":"resources/read","params":{"uri":"file:///etc/passwd"}}',
      '{"jsonrpc":"2.0","id":"y","method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
    ),
  )
  .map((text) => ({ kind: 'line', text }));

/** The tools of agents over standard input and output, as served by `forklens mcp`. */
export class McpTarget implements Target<McpStep[]> {
  readonly known = Object.keys(AGENT_TOOLS);
  readonly scripts = fc.array(
    fc.oneof({ weight: 9, arbitrary: fc.oneof(...calls) }, { weight: 1, arbitrary: line }),
    { minLength: 1, maxLength: 4 },
  );
  readonly perRound = 25;
  #child: ChildProcess | undefined;
  #folder: string | undefined;
  #id = 0;
  readonly #waiting = new Map<unknown, (reply: Reply) => void>();

  constructor(private readonly place: FuzzTarget) {}

  async renew(): Promise<void> {
    await this.#deleteForks();
    if (this.#child?.exitCode === null) return;
    const cli = join(__dirname, '../../dist/cli.js');
    const args = [cli, 'mcp', '--data-dir', this.place.service.dataDir];
    // Tools write files in the folder of the process.
    const cwd = (this.#folder ??= await makeTemporaryDirectory());
    const child = spawn(process.execPath, args, { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    createInterface(child.stdout).on('line', (text) => {
      const reply = JSON.parse(text) as Reply;
      this.#waiting.get(reply.id)?.(reply);
    });
    this.#child = child;
    const clientInfo = { name: 'fuzz', version: '1' };
    await this.#ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    this.#write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  async #deleteForks(): Promise<void> {
    const { service, bystander } = this.place;
    const { data } = await service.request<{ projectId: string }[]>('GET', '/v1/projects');
    const path = `/v1/project/${data[0]!.projectId}`;
    const forks = await service.request<{ forkId: string }[]>('GET', `${path}/forks`);
    for (const { forkId } of forks.data) {
      if (forkId !== bystander.forkId) await service.request('DELETE', `${path}/fork/${forkId}`);
    }
  }

  async run(steps: McpStep[], tally: Tally): Promise<void> {
    for (const step of steps) {
      if (step.kind === 'line') {
        this.#write(step.text);
        tally.count('line', 'refused');
      } else await this.#call(step, tally);
    }
    must('result' in (await this.#ask('ping', {})), 'it does not answer a ping');
    await this.place.check();
  }

  async #call({ name, input }: Extract<McpStep, { kind: 'tool' }>, tally: Tally): Promise<void> {
    const reply = await this.#ask('tools/call', { name, arguments: input });
    // The maker of a fork may see its address.
    mustNotLeak(JSON.stringify(reply), JSON.stringify(input), [this.place.service.url]);
    const { result, error } = reply;
    if (error) {
      // The library refuses arguments that are not an object, with this code.
      const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
      must(
        typeof error.message === 'string' && (error.code !== -32603 || !isObject),
        `an internal error: ${JSON.stringify(error)}`,
      );
    } else {
      const [content] = result?.content ?? [];
      must(
        content?.type === 'text' && typeof content.text === 'string',
        `no text: ${JSON.stringify(reply)}`,
      );
    }
    const reason = JSON.stringify(reply).slice(0, 200);
    if (error || result?.isError) tally.count(name, 'refused', reason);
    else tally.count(name, 'taken');
  }

  #write(text: string): void {
    this.#child!.stdin!.write(`${text}\n`);
  }

  #ask(method: string, params: unknown): Promise<Reply> {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`no answer to ${method} ${JSON.stringify(params).slice(0, 500)}`));
      }, MAX_MS);
      this.#waiting.set(id, (reply) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(reply);
      });
      this.#write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child?.exitCode === null) {
      child.stdin!.end();
      await once(child, 'exit');
    }
    await this.place.close();
    if (this.#folder !== undefined) await removeDirectory(this.#folder);
  }
}
