import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fork } from '../../server/api/fork';
import { DEFAULT_CHAINS } from '../../server/chains/registry/default-chains';
import { call } from '../support/json-rpc';
import { createFork, runCliJson, startService, type TestService } from '../support/service';
import { longPauses, type PauseLimit } from '../support/stalls';
import { must, Stalled } from './checks';
import { agent, sendHttp } from './send-http';

export const MARKER = '0x00000000000000000000000000000000000000aa';
const BALANCE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_getBalance',
  params: [MARKER, 'latest'],
});

/** A service with two tenants. No case sends anything to the fork `bystander`, and its state must not change. */
export interface FuzzTarget {
  service: TestService;
  /** Key of a user who shares nothing with the local user. */
  foreignKey: string;
  /** Key of the local user with the scope `analyze` only. */
  narrowKey: string;
  /** Email address of a user who can become a collaborator. */
  guest: string;
  bystander: Fork;
  /**
   * @throws Violation if the service or the bystander does not answer as before
   * @throws Stalled if the service worked longer than accepted without processing a request, since the last check
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

export async function openFuzzTarget(accepted: PauseLimit): Promise<FuzzTarget> {
  const upstream = await startUpstream();
  const chains = DEFAULT_CHAINS.map((chain) => ({ ...chain, rpcUrls: [upstream.url] }));
  const service = await startService({
    args: ['--sandbox', '--log-level', 'warn'],
    config: { chains, prices: { source: 'none' } },
  });
  let isClosed = false;
  void service.exited.then(({ code, signal }) => {
    if (isClosed) return;
    console.error(
      `the service ended (${code ?? signal}):\n${service.stderr.slice(-20).join('\n')}`,
    );
  });
  const admin = <T>(...args: string[]): Promise<T> => runCliJson<T>(service.dataDir, ...args);
  const keyOf = async (user: string, scope: string): Promise<string> =>
    (await admin<{ key: string }>('key', 'create', '--user', user, '--scope', scope)).key;
  const users = ['foreign@example.org', 'guest@example.org'] as const;
  for (const email of users) await admin('user', 'add', '--nickname', 'x', '--email', email);
  const local = await admin<{ email: string }[]>('user', 'list');
  const foreignKey = await keyOf(users[0], 'manage,analyze');
  const narrowKey = await keyOf(local[0]!.email, 'analyze');
  const bystander = await createFork(service, { chainId: 31337, name: 'bystander' });
  await call(bystander.rpc, 'anvil_setBalance', MARKER, '0x7');
  let pauses = await longPauses(service, accepted);
  return {
    service,
    foreignKey,
    narrowKey,
    guest: users[1],
    bystander,
    check: async () => {
      const health = await sendHttp(service.url, 'GET', '/health', {});
      must(health.status === 200, `/health answers ${health.status}`);
      const json = { 'Content-Type': 'application/json' };
      const { text } = await sendHttp(
        bystander.rpc,
        'POST',
        new URL(bystander.rpc).pathname,
        json,
        BALANCE,
      );
      const { result } = JSON.parse(text) as { result?: unknown };
      must(result === '0x7', `another fork has lost its state: the balance is ${String(result)}`);
      const before = pauses;
      pauses = await longPauses(service, accepted);
      if (pauses > before) throw new Stalled(pauses - before, accepted);
    },
    close: async () => {
      isClosed = true;
      agent.destroy();
      await service.stop();
      await upstream.close();
    },
  };
}

/** Stands for the nodes of all public chains. It has no method, so no case reaches the network. */
async function startUpstream(): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      const error = { code: -32601, message: 'the method does not exist' };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
