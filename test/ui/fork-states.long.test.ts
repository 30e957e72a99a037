import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { call } from '../support/json-rpc';
import { findAnvil } from '../../server/chains/engine/binary';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import { startService, type TestService } from '../support/service';
import { UpstreamProxy } from '../support/upstream-proxy';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

/** Longer than a request takes, but short enough to wait for. */
const IDLE_MINUTES = 0.1;
const READ_MS = 500;

describe('forks in other states than running', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let elsewhere: TestService;
  /** Upstream of the forks, slow at first. */
  let upstream: UpstreamProxy;
  /** Path of the engine that the service starts: a script that the tests write. */
  let engine: string;
  let anvil: string;
  let url: string;

  const install = (script: string): void => {
    fs.writeFileSync(engine, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  const works = (): void => {
    install(`exec ${anvil} "$@"`);
  };
  const fork = () => code.row('nightly');
  const icon = (name: string) => fork().locator(`.codicon-${name}`);

  before(async () => {
    code = window();
    elsewhere = await startService({ args: ['--sandbox'] });
    const { data } = await elsewhere.request<Project[]>('GET', '/v1/projects');
    const node = await elsewhere.request<Fork>('POST', `/v1/project/${data[0]!.projectId}/fork`, {
      body: { chainId: 31337, chain: 'sandbox', name: 'node', height: 'safe' },
    });
    upstream = await UpstreamProxy.start(node.data.rpc);
    upstream.latencyMs = READ_MS;
    anvil = (await findAnvil({})).path;
    const { folder } = code.workbench.server;
    engine = path.join(folder, 'engine');
    works();
    // The service has not read the config yet: it starts with the view.
    const file = path.join(folder, 'forklens.json');
    const config = JSON.parse(fs.readFileSync(file, 'utf8')) as object;
    const chain = { slug: 'far', chainId: 31337, nativeSymbol: 'ETH', rpcUrls: [upstream.url] };
    const pool = { anvilPath: engine, idleMinutes: IDLE_MINUTES };
    fs.writeFileSync(file, JSON.stringify({ ...config, chains: [chain], engine: pool }));
    await code.showView();
    await code.row('default').waitFor();
  });
  after(async () => {
    await upstream.close();
    await elsewhere.stop();
  });

  it('show the progress of their creation, transaction by transaction', async () => {
    await code.row('Create a fork…').click();
    await code.choose('Chain to fork', /^far/, 'far');
    await code.answer('Block to fork from', '8');
    await code.choose(/^Where in block 8/, '6: right before');
    await code.answer('Name of the fork', 'nightly');
    await code.choose(/^Use a separate chain id/, 'Off');
    await code.row(/nightly\s?far @ 8:6 · replaying \d of 6 transactions/).waitFor();
    await icon('loading').waitFor();
    await code.screenshot('tree-replaying');
    upstream.latencyMs = 0;
    await code.toast('Fork "nightly" of far is ready').waitFor();
    await code.dismissToasts();
    url = await code.copyRpcUrl('nightly');
  });

  it('sleep when they are idle, and wake on a request', async () => {
    await code.row(/nightly\s?far @ 8:6 · sleeping/).waitFor();
    await icon('circle-outline').waitFor();
    await code.screenshot('tree-sleeping');
    assert.equal(await call(url, 'eth_blockNumber'), '0x8');
    await code.row(/nightly.*running/).waitFor();
    await icon('circle-filled').waitFor();
    await code.row(/nightly.*sleeping/).waitFor();
    await fork().hover();
    await fork().getByRole('button', { name: 'Start Fork' }).click();
    await code.row(/nightly.*running/).waitFor();
  });

  it('show why they failed, and run again after a retry', async () => {
    await code.row(/nightly.*sleeping/).waitFor();
    install('echo no luck today >&2; exit 3');
    await code.contextMenu(fork(), 'Start Fork');
    await code.toast(/exit code 3; no luck today/).waitFor();
    await code.row(/nightly.*failed: the engine ended.*no luck today/).waitFor();
    await icon('error').waitFor();
    await code.screenshot('tree-failed');
    await code.dismissToasts();
    works();
    await fork().hover();
    await fork().getByRole('button', { name: 'Retry Fork' }).click();
    await code.row(/nightly.*running/).waitFor();
    assert.equal(await call(url, 'eth_blockNumber'), '0x8');
  });
});
