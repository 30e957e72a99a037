import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AnalysisSession } from '../../extension/inspector/analysis-session';
import { partLoader } from '../../extension/inspector/load-part';
import type { CellKind } from '../../server/client/book/book';
import { BoundForks } from '../../extension/notebook/bound-fork';
import type { Analyses } from '../../extension/notebook/load-analysis';
import { runCell, type BookRun, type CellOutput } from '../../extension/notebook/run-cell';
import { ServiceClient } from '../../extension/service/service-client';
import type { Fork } from '../../server/api/fork';
import { sandboxArtifact } from '../support/artifact';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, localProject } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
/** Of the sandbox. */
const DOLLAR_VAULT = '0x82b769500e34362a76df81150e12c746093d954f';
const SWAP = sandboxHash('swap-two-hops');

describe('the cells of a notebook', () => {
  let service: SandboxService;
  let fork: Fork;
  let run: BookRun;
  let folder: string;

  before(async () => {
    service = await sandboxService();
    folder = await makeTemporaryDirectory();
    fork = await createFork(service, { chainId: 31337, height: '0xc' });
    const access = { baseUrl: service.url, accessKey: service.key };
    const client = new ServiceClient({
      access: () => Promise.resolve(access),
      renew: () => Promise.resolve(undefined),
      checkService: () => Promise.resolve(),
    });
    // As the worker of the inspectors does it.
    const analyses: Analyses = {
      open: (source, receive) => {
        const session = new AnalysisSession(partLoader(client, source), receive);
        return {
          send: (request) => {
            session.receive(request);
          },
          close: () => {
            session.close();
          },
        };
      },
    };
    const readText = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
    run = { client, analyses, readText, head: `---\nfork: ${fork.forkId}\n---\n`, last: undefined };
  });
  after(async () => {
    await removeDirectory(folder);
    await service.release();
  });

  async function outputsOf(
    kind: CellKind,
    text: string,
    signal = new AbortController().signal,
    onto: CellOutput[] = [],
  ): Promise<CellOutput[]> {
    await runCell(run, { kind, text }, (output) => onto.push(output), signal);
    return onto;
  }
  const onChain = <T>(work: () => Promise<T>): Promise<T> => {
    const bound = run;
    run = { ...bound, head: '---\nchain: sandbox\n---\n' };
    return work().finally(() => (run = bound));
  };

  it('send requests to the fork, in order', async () => {
    const requests = [
      { method: 'eth_chainId' },
      { method: 'anvil_setBalance', params: [BOB, '0x7'] },
      { method: 'eth_getBalance', params: [BOB, 'latest'] },
    ];
    assert.deepEqual(await outputsOf('rpc', JSON.stringify(requests)), [
      { kind: 'json', request: 'eth_chainId', value: '0x7a69' },
      { kind: 'json', request: 'anvil_setBalance', value: null },
      { kind: 'json', request: 'eth_getBalance', value: '0x7' },
    ]);
  });

  it('end at the first request that fails, and keep what was shown before it', async () => {
    const shown: CellOutput[] = [];
    const text = '[{"method":"eth_chainId"},{"method":"eth_foo"},{"method":"eth_chainId"}]';
    await assert.rejects(outputsOf('rpc', text, undefined, shown), {
      name: 'ForkRpcError',
      code: -32601,
    });
    assert.deepEqual(shown, [{ kind: 'json', request: 'eth_chainId', value: '0x7a69' }]);
  });

  it('analyze what the book sent last', async () => {
    await assert.rejects(outputsOf('analyze', 'last'), {
      name: 'BookError',
      message: 'No cell of this book has sent a transaction yet: run the JSON-RPC cell that does.',
    });
    const params = [{ from: ALICE, to: BOB, value: '0x2a' }];
    const [sent] = await outputsOf(
      'rpc',
      JSON.stringify({ method: 'eth_sendTransaction', params }),
    );
    const hash = sent?.kind === 'json' ? sent.value : undefined;
    const [shown] = await outputsOf('analyze', 'last\nview: balances');
    assert.ok(shown?.kind === 'analysis');
    const { source, parts, ...facts } = shown.page;
    assert.deepEqual(source, { kind: 'transaction', chain: fork.forkId, transaction: hash });
    assert.deepEqual(facts, {
      fork: { name: 'test', chain: 'sandbox', blockNumber: 12, position: fork.position },
      tab: 'balances',
    });
    assert.deepEqual(Object.keys(parts).sort(), [
      'balanceChange',
      'flow',
      'fundFlow',
      'gasProfile',
      'sourceLocations',
      'stateDiff',
    ]);
    assert.match(shown.report, /^# Succeeded: native transfer\n/);
    const secrets = [service.key, fork.rpc];
    for (const secret of secrets) assert.ok(!JSON.stringify(shown).includes(secret));
  });

  it('name the fork that they run on, without starting a service for it', async () => {
    const { client } = run;
    const running = { kind: 'running', url: service.url, ownership: 'remote' } as const;
    const forks = new BoundForks(client, { state: running });
    assert.equal((await forks.find(fork.forkId))?.name, 'test');
    assert.equal(await forks.find('fork_0'), undefined);
    const asked = { call: () => assert.fail('the service was asked') };
    const stopped = new BoundForks(asked, { state: { kind: 'stopped' } });
    assert.equal(await stopped.find(fork.forkId), undefined);
  });

  it('simulate on a fork and on a chain', async () => {
    const body = JSON.stringify({ from: ALICE, to: BOB, value: '1' });
    for (const [shown] of [
      await outputsOf('simulate', body),
      await onChain(() => outputsOf('simulate', body)),
    ]) {
      assert.ok(shown?.kind === 'analysis');
      assert.equal(shown.page.parts.flow?.transaction.value, '0.000000000000000001');
    }
    await assert.rejects(outputsOf('simulate', '{"from":"0x1"}'), {
      name: 'ApiError',
      kind: 'invalidField',
      message: 'from is "0x1"; accepted: an address: 0x and 40 hex digits',
    });
  });

  it('analyze a transaction of another chain, with the labels of its addresses only', async () => {
    const [shown] = await outputsOf('analyze', `transaction: ${SWAP}\nchain: sandbox`);
    assert.ok(shown?.kind === 'analysis');
    const { labels } = shown.page.parts.flow ?? {};
    const text = JSON.stringify({ ...shown.page.parts.flow, labels: undefined });
    assert.deepEqual(
      Object.keys(labels ?? {}).filter((address) => !text.includes(address)),
      [],
    );
    assert.ok(shown.report.includes('swapExactTokensForTokens'));
  });

  it('find the transaction that broke an invariant, in the words of the command line', async () => {
    const text = `expression: vault.totalAssets() >= vault.totalOwed()
name: vault=${DOLLAR_VAULT}
from: 14
chain: sandbox`;
    const [shown] = await outputsOf('bisect', text);
    assert.ok(shown?.kind === 'text');
    const lines = shown.text.split('\n');
    assert.equal(lines[1], '  true after block 14, false after block 18 of sandbox');
    assert.equal(lines[4], `  by ${sandboxHash('dollar-feed-changed')}`);
    assert.ok(lines[8]?.startsWith('  written at DollarVault.sol:76 in DollarVault.setFeed: '));
    await assert.rejects(outputsOf('bisect', text.replace('14', '17')), {
      name: 'ApiError',
      kind: 'unchanged',
    });
  });

  it('execute transactions again with new code, and show them as they come', async () => {
    const { text: artifact } = sandboxArtifact('DollarVault', (_, source) =>
      source.replace('uint256(answer);', 'uint256(answer) * 10 ** (18 - feed.decimals());'),
    );
    await writeFile(join(folder, 'Fixed.json'), artifact);
    const attack = sandboxHash('exploit-decimals');
    const text = `${DOLLAR_VAULT}\ncode: Fixed.json\nattack: ${attack}\nchain: sandbox`;
    const shown = await outputsOf('regress', text);
    const replays = shown.flatMap((one) => (one.kind === 'replay' ? [one] : []));
    const texts = replays.map(({ lines }) => lines.map((line) => line.text).join('\n'));
    assert.equal(texts.length, 4);
    const links = replays.at(-1)!.lines.flatMap(({ transaction = [] }) => transaction);
    assert.deepEqual([links.length, links.includes(attack)], [8, true]);
    for (const [index, one] of texts.slice(1).entries()) assert.ok(one.startsWith(texts[index]!));
    const stops = `withdraw of ${DOLLAR_VAULT}: CreditTooLow(uint256,uint256)`;
    assert.deepEqual(texts.at(-1)?.split('\n').slice(-5), [
      `${sandboxHash('dollar-vault-empty')} otherGas: +3681 gas`,
      '',
      `The attack ${attack} stops: ${stops}`,
      '7 of 8 use other gas alone.',
      '1 of 8 create the contract, and were not compared.',
    ]);
    const none = text.replace('attack:', 'to: 3\n# attack:');
    await assert.rejects(outputsOf('regress', none), {
      name: 'BookError',
      message: `No transaction touched ${DOLLAR_VAULT} in these blocks.`,
    });
    await writeFile(join(folder, 'Fixed.json'), '{}');
    await assert.rejects(outputsOf('regress', text), { name: 'BookError', message: /^code: / });
  });

  it('send nothing to a chain', async () => {
    await onChain(() =>
      assert.rejects(outputsOf('rpc', '{"method":"eth_sendTransaction","params":[{}]}'), {
        name: 'BookError',
        message:
          'JSON-RPC cells run on a fork, and the book is bound to the chain sandbox: create a fork of it, then run "Bind to Another Fork…".',
      }),
    );
  });

  it('can be interrupted', async () => {
    const abort = new AbortController();
    const running = outputsOf('analyze', SWAP, abort.signal);
    abort.abort();
    await assert.rejects(running, { name: 'ApiError', kind: 'cancelled' });
  });

  it('say that a fork was deleted, and what to do', async () => {
    const path = `/v1/project/${await localProject(service)}/fork/${fork.forkId}`;
    await service.request('DELETE', path);
    const message = `The fork ${fork.forkId} of the book was deleted, or is not yours: run "Bind to Another Fork…".`;
    for (const [kind, text] of [
      ['rpc', '{"method":"eth_chainId"}'],
      ['simulate', `{"from":"${ALICE}"}`],
      ['analyze', SWAP],
    ] as const) {
      await assert.rejects(outputsOf(kind, text), { name: 'BookError', message });
    }
  });
});
