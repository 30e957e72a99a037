import { setMaxListeners } from 'node:events';
import { AnswerCache } from '../../chains/upstream/answer-cache';
import { HttpRpcClient } from '../../chains/upstream/http-rpc-client';
import { UpstreamClient } from '../../chains/upstream/upstream-client';
import { endpointOfKey, type Lock } from '../../chains/lock/lock';
import { LockServer } from '../../chains/lock/lock-server';
import type { LockSession } from '../../chains/lock/lock-session';
import type { Context } from '../command-handlers/context';
import { FailedTests } from './failed-tests';
import { removeHardhatCache } from './hardhat-cache';
import type { Endpoint } from './find-endpoints';
import { programEnvironment, withoutUrls } from './program-environment';
import { runProgram } from './run-program';

/** Passes over the endpoints of a chain while they fail. */
const ROUNDS = 5;
const MARK = /\[missing read \d+\]/g;

export interface ServedProgram {
  program: readonly string[];
  session: LockSession;
  /** Endpoints that the lock names. */
  lock: Lock;
  endpoints: ReadonlyMap<string, Endpoint>;
  /** Whether only the lock answers. */
  isFrozen: boolean;
  /** Further variables of the program. */
  variables?: Readonly<Record<string, string>>;
}

export interface ProgramEnd {
  /** Exit code of the program. */
  code: number;
  /** Test that asked, by the mark of the missing read. */
  tests: ReadonlyMap<string, string>;
}

/** Runs a program that finds addresses of Forklens in place of its endpoints. */
export async function runServed(
  { program, session, lock, endpoints, isFrozen, variables = {} }: ServedProgram,
  { signal, out }: Context,
): Promise<ProgramEnd> {
  const server = new LockServer();
  const clients = new Map<string, UpstreamClient>();
  setMaxListeners(0, signal);
  try {
    const urls = new Map<string, string>();
    const names = new Set([...lock.endpoints.keys(), ...endpoints.keys()]);
    for (const key of names) {
      const { name, urls: given } = endpoints.get(key) ?? { name: endpointOfKey(key), urls: [] };
      const isServed = isFrozen || given.length > 0 || lock.endpoints.has(key);
      if (!isServed) continue;
      const upstream =
        isFrozen || given.length === 0 ? undefined : clientOf(clients, name.name, given);
      urls.set(key, await server.add(() => session.open(name, upstream?.())));
    }
    const failed = new FailedTests(MARK);
    const [host] = [...urls.values()].map((url) => new URL(url));
    if (host) await removeHardhatCache(process.cwd(), host);
    const code = await runProgram(withoutUrls(program, endpoints, urls), {
      environment: { ...programEnvironment(urls), ...variables },
      stdout: out.isJson ? process.stderr : process.stdout,
      onText: failed.take.bind(failed),
      signal,
    });
    if (host) await removeHardhatCache(process.cwd(), host);
    return { code, tests: failed.byMark };
  } finally {
    await server.close();
    await Promise.all([...clients.values()].map((client) => client.close()));
  }
}

/** One client for equal endpoints, created at the first request to it. */
function clientOf(
  clients: Map<string, UpstreamClient>,
  name: string,
  urls: Endpoint['urls'],
): () => UpstreamClient {
  const key = JSON.stringify(urls);
  return () => {
    const known = clients.get(key);
    if (known) return known;
    // Messages name no URL, which may contain a key.
    const http = new HttpRpcClient({ name, urls, rounds: ROUNDS });
    const client = new UpstreamClient({ chain: key, http, cache: new AnswerCache() });
    clients.set(key, client);
    return client;
  };
}
