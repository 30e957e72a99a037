import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import type { Engine, EngineExit } from '../../evm/forms/engine';
import type { OpenConnection } from '../../kernel/streams/open-connection';
import { startSandbox, type Sandbox, type SandboxOptions } from './sandbox';

/** A sandbox whose engine is started again, at the next connection, if it ends by itself. */
export interface KeptSandbox extends Omit<Sandbox, 'engine' | 'stop'> {
  /** Opens a connection to the engine. The chain's URL, which is that of the first engine, only names it. */
  readonly connect: OpenConnection;
  stop(): Promise<void>;
}

/**
 * Starts the built-in chain, and keeps it running. Every engine mines the same blocks.
 * @param onEnd called when an engine ended by itself
 * @throws ApiError as `startSandbox`
 */
export async function startKeptSandbox(
  options: SandboxOptions & { onEnd: (exit: EngineExit) => void },
): Promise<KeptSandbox> {
  let running: Promise<Sandbox> | undefined;
  let isStopped = false;

  const start = async (): Promise<Sandbox> => {
    const sandbox = await startSandbox(options);
    void sandbox.engine.exited.then((exit) => {
      running = undefined;
      if (!isStopped) options.onEnd(exit);
    });
    return sandbox;
  };
  const current = (): Promise<Sandbox> => {
    if (isStopped) return Promise.reject(new Error('the sandbox is stopped'));
    running ??= start().catch((error: unknown) => {
      running = undefined; // the next connection tries again
      throw error;
    });
    return running;
  };

  const { chain, labels, contractNames, story, priceFeeds } = await current();
  return {
    chain,
    labels,
    contractNames,
    story,
    priceFeeds,
    connect: async () => {
      const { engine } = await current();
      return engine.connect ? engine.connect() : overLoopback(engine);
    },
    stop: async () => {
      isStopped = true;
      await (await running?.catch(() => undefined))?.stop();
    },
  };
}

async function overLoopback({ url }: Engine): ReturnType<OpenConnection> {
  const { hostname, port } = new URL(url);
  const socket = connectTo(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}
