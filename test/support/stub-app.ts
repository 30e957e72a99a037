import { pino } from 'pino';
import {
  createAccountServices,
  type AccountServices,
} from '../../server/composition/account-services';
import { openStorage, type Storage } from '../../server/composition/storage';
import { createApp, type AppDependencies } from '../../server/http/app';
import { ChangeStreams } from '../../server/http/change-stream';
import { closeServer, listen } from '../../server/http/listen';
import { createHttpServer } from '../../server/http/server';
import { noQuotas, type stubServices } from './stub-services';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory';

/** The REST interface over real users, keys and projects, and over stubs of all else. */
export interface StubApp {
  accounts: AccountServices;
  storage: Storage;
  directory: string;
  url: string;
  /** An access key of a new user, `<nickname>@example.org`. */
  signUp(nickname: string): Promise<string>;
  send(key: string, method: string, path: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

interface Answer {
  code: number;
  message: string;
  data: unknown;
}

export async function startStubApp(
  stubs: ReturnType<typeof stubServices>,
  options: Partial<AppDependencies> = {},
): Promise<StubApp> {
  const directory = await makeTemporaryDirectory();
  const clock = (): Date => new Date();
  const log = pino({ enabled: false });
  const storage = await openStorage({ dataDir: directory, database: undefined, clock, log });
  const accounts = createAccountServices({
    storage,
    clock,
    projectLimit: 1_000,
    deleteForksOf: () => Promise.resolve(),
    addressesRenewed: () => Promise.resolve(),
    warn: (facts) => {
      throw new Error(JSON.stringify(facts));
    },
  });
  const app = createApp({
    ...stubs,
    ...accounts,
    log,
    quotas: noQuotas(),
    changes: new ChangeStreams(accounts.keys, accounts.feed),
    requestsPerMinute: undefined,
    ...options,
  });
  const rpcProxy = { handle: () => undefined, handleUpgrade: () => undefined };
  const server = createHttpServer({ app, rpcProxy, isOurHost: () => true });
  const url = await listen(server, '127.0.0.1', 0);
  return {
    accounts,
    storage,
    directory,
    url,
    signUp: async (nickname) => {
      const user = await accounts.users.register(nickname, `${nickname}@example.org`);
      return (await accounts.keys.issue(user.userId, ['manage', 'analyze'], '')).key;
    },
    send: async (key, method, path, body) => {
      const response = await fetch(url + path, {
        method: method.toUpperCase(),
        headers: { 'Access-Key': key, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await response.json()) as Answer;
    },
    close: async () => {
      server.closeAllConnections();
      await closeServer(server);
      await storage.close();
      await removeDirectory(directory);
    },
  };
}
