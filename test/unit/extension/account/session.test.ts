import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../../../../server/api/errors';
import { failure, success } from '../../../../server/api/envelope';
import { ServiceClient } from '../../../../extension/service/service-client';
import { SessionAccess } from '../../../../extension/account/session-access';
import { Emitter } from '../../../../extension/editor/emitter';
import { Secrets } from '../../../../extension/editor/secrets';
import type { Service, ServiceConnection } from '../../../../extension/model/service';
import { Session } from '../../../../extension/account/session';
import { MemorySecretStore, silentLog } from '../support';

const ENTRY = 'forklens.credential:bundled:/data';
const account = { nickname: 'alice', email: 'a@b.c', scopes: ['manage'], projectLimit: 20 };

describe('session', () => {
  const accepted = new Set<string>();
  let server: Server;
  let url: string;
  let projectsAnswer: unknown;

  before(async () => {
    server = createServer((request, response) => {
      const known = accepted.has(String(request.headers['access-key']));
      const data = request.url === '/v1/account' ? account : projectsAnswer;
      response.setHeader('Content-Type', 'application/json');
      response.end(
        JSON.stringify(known ? success(data) : failure(40101, 'the access key is unknown')),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    accepted.clear();
    projectsAnswer = [];
  });

  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function windowOn(store: MemorySecretStore, issue?: () => Promise<string>) {
    const connection: ServiceConnection = { url, issueAccessKey: issue };
    const service = {
      id: 'bundled:/data',
      onDidChangeState: new Emitter<never>().event,
      connect: () => Promise.resolve(connection),
      check: () => Promise.resolve(),
    } as unknown as Service;
    const session = new Session(service, new Secrets(store), silentLog, 50);
    return { connection, session, client: new ServiceClient(new SessionAccess(service, session)) };
  }

  const issuing = (...keys: string[]) => {
    const left = [...keys];
    return (): Promise<string> => {
      const key = left.shift();
      assert.ok(key, 'no more keys were expected to be issued');
      return Promise.resolve(key);
    };
  };

  it('requests one key from its own service, and stores it', async () => {
    accepted.add('key-1');
    const store = new MemorySecretStore();
    const { session, connection } = windowOn(store, issuing('key-1'));
    const keys = await Promise.all([session.accessKey(connection), session.accessKey(connection)]);
    assert.deepEqual(keys, ['key-1', 'key-1']);
    assert.deepEqual(session.state, { kind: 'signedIn', account });
    assert.deepEqual([...store.entries], [[ENTRY, '{"accessKey":"key-1"}']]);
  });

  it('shares the stored key with an attached window', async () => {
    accepted.add('key-1');
    const store = new MemorySecretStore();
    const attached = windowOn(store);
    const waiting = attached.session.accessKey(attached.connection);
    const owner = windowOn(store, issuing('key-1'));
    await owner.session.accessKey(owner.connection);
    assert.equal(await waiting, 'key-1');
  });

  it('is signed out if no window has a key', async () => {
    const { session, connection } = windowOn(new MemorySecretStore());
    await assert.rejects(session.accessKey(connection), { kind: 'keyMissing' });
    assert.deepEqual(session.state, { kind: 'signedOut' });
  });

  it('stores no key that the service refuses, and keeps the current one', async () => {
    accepted.add('key-1');
    const store = new MemorySecretStore();
    const { session, connection } = windowOn(store, issuing('key-1'));
    await session.accessKey(connection);
    await assert.rejects(session.signIn(connection, 'wrong'), { kind: 'keyUnknown' });
    assert.equal(await session.accessKey(connection), 'key-1');
    assert.deepEqual([...store.entries.values()], ['{"accessKey":"key-1"}']);
  });

  it('stays signed out until the user signs in, in every window', async () => {
    accepted.add('key-1').add('key-2');
    const store = new MemorySecretStore();
    const owner = windowOn(store, issuing('key-1'));
    const attached = windowOn(store);
    await owner.session.accessKey(owner.connection);
    await attached.session.accessKey(attached.connection);
    await attached.session.signOut();
    await assert.rejects(owner.session.accessKey(owner.connection), { kind: 'keyMissing' });
    await owner.session.signIn(owner.connection, 'key-2');
    assert.equal(await attached.session.accessKey(attached.connection), 'key-2');
  });

  it('replaces a stored key that is no longer valid', async () => {
    accepted.add('new');
    const store = new MemorySecretStore();
    await store.store(ENTRY, '{"accessKey":"old"}');
    const { session, connection } = windowOn(store, issuing('new'));
    assert.equal(await session.accessKey(connection), 'new');
    assert.deepEqual([...store.entries.values()], ['{"accessKey":"new"}']);
  });

  it('renews a key that is revoked between calls, and repeats the call', async () => {
    accepted.add('key-1');
    const store = new MemorySecretStore();
    const { client } = windowOn(store, issuing('key-1', 'key-2'));
    assert.deepEqual(await client.call('listProjects', {}), []);
    accepted.clear();
    accepted.add('key-2');
    assert.deepEqual(await client.call('listProjects', {}), []);
    assert.deepEqual([...store.entries.values()], ['{"accessKey":"key-2"}']);
  });

  it('signs out if it cannot renew a key', async () => {
    accepted.add('key-1');
    const store = new MemorySecretStore();
    await store.store(ENTRY, '{"accessKey":"key-1"}');
    const { client, session } = windowOn(store);
    await client.call('listProjects', {});
    accepted.clear();
    await assert.rejects(client.call('listProjects', {}), { kind: 'keyUnknown' });
    assert.deepEqual(session.state, { kind: 'signedOut' });
  });

  it('refuses a response that violates the contract', async () => {
    accepted.add('key-1');
    projectsAnswer = [{ projectId: 7 }];
    const { client } = windowOn(new MemorySecretStore(), issuing('key-1'));
    await assert.rejects(client.call('listProjects', {}), { kind: 'internal' });
  });

  it('ends a cancelled call', async () => {
    const { client } = windowOn(
      new MemorySecretStore(),
      () => new Promise<string>(() => undefined),
    );
    const controller = new AbortController();
    const call = client.call('listProjects', {}, { signal: controller.signal });
    controller.abort();
    await assert.rejects(call, (error) => error instanceof ApiError && error.kind === 'cancelled');
  });
});
