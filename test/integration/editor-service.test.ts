import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ServiceClient } from '../../extension/service/service-client';
import { SessionAccess } from '../../extension/account/session-access';
import { Secrets } from '../../extension/editor/secrets';
import { BundledService } from '../../extension/service/bundled-service';
import type { RestartPolicy } from '../../extension/service/restart-policy';
import type { ServiceState } from '../../extension/model/service';
import { Session } from '../../extension/account/session';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { MemorySecretStore, silentLog } from '../unit/extension/support';

/** Restarts immediately, up to a number of crashes. */
const eager = (crashes: number): Pick<RestartPolicy, 'afterCrash' | 'reset'> => {
  let attempt = 0;
  return {
    afterCrash: () => (attempt++ < crashes ? { attempt, delayMs: 0 } : undefined),
    reset: () => undefined,
  };
};

interface EditorWindow {
  service: BundledService;
  session: Session;
  client: ServiceClient;
  /** The states of the service, in order. */
  states: ServiceState['kind'][];
}

describe('the service of an editor window', function () {
  this.timeout(60_000);
  let directory: string;
  let windows: EditorWindow[];

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    windows = [];
  });

  afterEach(async () => {
    await Promise.all(windows.map(({ service }) => service.dispose()));
    await removeDirectory(directory);
  });

  function openWindow(
    store: MemorySecretStore,
    { crashes = 5, configFile = '' } = {},
  ): EditorWindow {
    const service = new BundledService(
      {
        execPath: process.execPath,
        serverPath: path.join(import.meta.dirname, '../../dist/server.js'),
        dataDirectory: path.join(directory, 'data'),
        configFile: configFile === '' ? undefined : configFile,
        sandbox: false,
        cwd: directory,
        log: silentLog,
      },
      eager(crashes),
    );
    const states: ServiceState['kind'][] = [];
    service.onDidChangeState(({ kind }) => states.push(kind));
    const session = new Session(service, new Secrets(store), silentLog);
    const window = {
      service,
      session,
      client: new ServiceClient(new SessionAccess(service, session)),
      states,
    };
    windows.push(window);
    return window;
  }

  function reached(service: BundledService, kind: ServiceState['kind']): Promise<void> {
    return new Promise((resolve) => {
      const subscription = service.onDidChangeState((state) => {
        if (state.kind !== kind) return;
        subscription.dispose();
        resolve();
      });
    });
  }

  async function servicePid(): Promise<number> {
    const text = await readFile(path.join(directory, 'data', 'service.json'), 'utf8');
    return (JSON.parse(text) as { pid: number }).pid;
  }

  it('starts on first use, and signs in automatically', async () => {
    const { client, service, session, states } = openWindow(new MemorySecretStore());
    assert.equal(service.state.kind, 'stopped');
    const projects = await client.call('listProjects', {});
    assert.deepEqual(
      projects.map(({ name }) => name),
      ['default'],
    );
    assert.deepEqual(states, ['starting', 'running']);
    assert.equal(session.state.kind, 'signedIn');
  });

  it('is shared by two windows that start at once, and is taken over when its owner closes', async () => {
    const store = new MemorySecretStore();
    const both = [openWindow(store), openWindow(store)];
    const [first, second] = await Promise.all(
      both.map(({ client }) => client.call('listProjects', {})),
    );
    assert.deepEqual(first, second);
    const ownership = ({ service }: EditorWindow): string =>
      service.state.kind === 'running' ? service.state.ownership : service.state.kind;
    assert.deepEqual(both.map(ownership).sort(), ['attached', 'owner']);

    const owner = both.find((window) => ownership(window) === 'owner')!;
    const attached = both.find((window) => window !== owner)!;
    await assert.rejects(attached.service.stop(), { kind: 'ownerOnly' });
    const takenOver = reached(attached.service, 'running');
    await owner.service.dispose();
    await takenOver;
    assert.equal(ownership(attached), 'owner');
    assert.deepEqual(await attached.client.call('listProjects', {}), first);
  });

  it('restarts after a crash, with the same key', async () => {
    const store = new MemorySecretStore();
    const { client, service, states } = openWindow(store);
    await client.call('getAccount', {});
    const credentials = [...store.entries];
    const back = reached(service, 'running');
    process.kill(await servicePid(), 'SIGKILL');
    await back;
    await client.call('getAccount', {});
    assert.deepEqual([...store.entries], credentials);
    assert.deepEqual(states, ['starting', 'running', 'starting', 'running']);
  });

  it('stops restarting after too many crashes, until it is started by hand', async () => {
    const { client, service } = openWindow(new MemorySecretStore(), { crashes: 0 });
    await service.connect();
    const failed = reached(service, 'failed');
    process.kill(await servicePid(), 'SIGKILL');
    await failed;
    assert.deepEqual(service.state, {
      kind: 'failed',
      message: 'the service keeps ending; the last time it ended with SIGKILL',
    });
    await assert.rejects(client.call('getAccount', {}), { reason: 'failed' });
    await service.start();
    assert.equal((await client.call('getAccount', {})).nickname, 'local');
  });

  it('stays stopped when it was stopped by hand', async () => {
    const { client, service, states } = openWindow(new MemorySecretStore());
    await service.connect();
    await service.stop();
    await assert.rejects(client.call('getAccount', {}), { reason: 'stopped' });
    await service.restart();
    assert.deepEqual(states, ['starting', 'running', 'stopping', 'stopped', 'starting', 'running']);
  });

  it('can be stopped during its start', async () => {
    const { service } = openWindow(new MemorySecretStore());
    const starting = service.connect();
    const outcome = assert.rejects(starting, { reason: 'stopped' });
    await service.stop();
    await outcome;
    assert.equal(service.state.kind, 'stopped');
  });

  it("reports the service's own message if it does not start", async () => {
    const configFile = path.join(directory, 'forklens.json');
    await writeFile(configFile, '{ "chain": [] }');
    const { service } = openWindow(new MemorySecretStore(), { configFile });
    await assert.rejects(service.connect(), (error: Error) => {
      assert.match(error.message, /forklens\.json.*chain/);
      return true;
    });
    assert.equal(service.state.kind, 'failed');
  });
});
