import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCreateAddress, Interface } from 'ethers';
import type { Address, Hex } from '../../server/api/primitives';
import type { Analysis } from '../../server/api/views';
import { compileSource } from '../support/compiled-source';
import { runCli, startService, type TestService } from '../support/service';
import { ALICE, BOB, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const [ALICE_ADDRESS, BOB_ADDRESS] = [ALICE, BOB].map(
  ({ address }) => address.toLowerCase() as Address,
) as [Address, Address];
const VICTIM: Address = `0x${'71c7'.repeat(10)}`;
const LOOK_ALIKE: Address = `0x${'71c8'.repeat(10)}`;
const TEXT = readFileSync(join(__dirname, '../fixtures/tokens/Lies.sol'), 'utf8');

/** A transaction by Alice to a new contract, whose events claim something. */
interface Lie {
  readonly contract: string;
  readonly arguments?: readonly unknown[];
  readonly call: readonly [method: string, ...values: unknown[]];
}

const LIES = {
  poison: {
    contract: 'Phony',
    arguments: ['USDC'],
    call: ['poison', VICTIM, LOOK_ALIKE, 5_000_000_000n],
  },
  homoglyphs: {
    contract: 'Phony',
    arguments: ['U\u0405D\u0421\u200b'], // Cyrillic S and C, and a character without width
    call: ['poison', ALICE_ADDRESS, LOOK_ALIKE, 5_000_000_000n],
  },
  mint: { contract: 'Phony', arguments: ['X'], call: ['mint', ALICE_ADDRESS, 7_000_000n] },
  approval: { contract: 'Phony', arguments: ['X'], call: ['approve', BOB_ADDRESS, 9_000_000n] },
  owner: { contract: 'Phony', arguments: ['X'], call: ['renounce', VICTIM, BOB_ADDRESS] },
  silent: { contract: 'Silent', call: ['poison', ALICE_ADDRESS, LOOK_ALIKE, 5000n] },
  silentOther: { contract: 'Silent', call: ['poison', VICTIM, LOOK_ALIKE, 5000n] },
  collectible: { contract: 'PhonyCollectible', call: ['poison', ALICE_ADDRESS, LOOK_ALIKE, 7n] },
  wrapper: { contract: 'PhonyWrapper', call: ['deposit'] },
  taxed: { contract: 'Taxed', call: ['transfer', BOB_ADDRESS, 100n] },
  rebasing: { contract: 'Rebasing', call: ['accrueAndSend', BOB_ADDRESS, 100n] },
  phonyLoan: { contract: 'PhonyLoan', call: ['report', BOB_ADDRESS, 100n] },
  pretendedLoan: { contract: 'PhonyLoan', call: ['pretend', BOB_ADDRESS, 100n] },
  loan: { contract: 'PhonyLoan', call: ['lend', BOB_ADDRESS, 100n] },
} as const satisfies Record<string, Lie>;
type Name = keyof typeof LIES;

describe('events that the state contradicts', () => {
  let engines: TestEngines;
  let service: TestService;
  const hashes = new Map<string, string>();

  before(async function () {
    this.timeout(120_000); // the compiler is slow
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    const compiled = new Map<string, ReturnType<typeof compileSource>>();
    let nonce = 0;
    for (const [name, lie] of Object.entries<Lie>(LIES)) {
      const { contract, arguments: values = [], call } = lie;
      const code = compiled.get(contract) ?? compileSource(contract, { 'Lies.sol': TEXT });
      compiled.set(contract, code);
      const abi = new Interface(code.abi as string[]);
      const data = `0x${code.evm.bytecode.object}${abi.encodeDeploy(values).slice(2)}` as Hex;
      const to = getCreateAddress({ from: ALICE.address, nonce });
      await chain.send(ALICE, { data, gasLimit: 3_000_000 });
      const [method, ...args] = call;
      hashes.set(name, await chain.send(ALICE, { to, data: abi.encodeFunctionData(method, args) }));
      nonce += 2;
      await chain.mine();
    }
    service = await startService({
      counted: true,
      config: {
        chains: [ethChain(chain.engine.url, { hardfork: 'prague' })],
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await engines.close();
  });

  const analysisOf = async (name: Name): Promise<Analysis> => {
    const path = `/v1/explorer/eth/transaction/${hashes.get(name)}/analysis?proof=wait`;
    const { data, message } = await service.request<Analysis>('GET', path);
    assert.equal(message, 'OK');
    return data;
  };
  /** Contradictions as `account claimed measured symbol`. */
  const contradictions = async (name: Name): Promise<string[]> =>
    ((await analysisOf(name)).summary?.contradictions ?? []).map(
      ({ account, claimed, measured, symbol = '' }) =>
        [account, ...[claimed, measured].map((net) => `${net.sign ? '+' : '-'}${net.rawAmount}`)]
          .concat(symbol)
          .join(' '),
    );
  const clauses = async (name: Name): Promise<string[]> =>
    ((await analysisOf(name)).summary?.clauses ?? []).map(({ kind, gave, got }) =>
      [
        kind,
        ...[...gave, ...got].map(
          ({ rawAmount, isClaimed }) => `${rawAmount}${isClaimed ? '?' : ''}`,
        ),
      ].join(' '),
    );

  it('are told as claims of an unlisted token', async () => {
    assert.deepEqual(await clauses('poison'), ['called']);
    assert.deepEqual(await contradictions('poison'), [
      `${VICTIM} -5000000000 +0 unlisted USDC`,
      `${LOOK_ALIKE} +5000000000 +0 unlisted USDC`,
    ]);
    assert.deepEqual(await clauses('homoglyphs'), ['called']);
    assert.deepEqual(
      (await contradictions('homoglyphs')).at(0)?.slice(43),
      '-5000000000 +0 unlisted U\u0405D\u0421',
    );
    const { fundFlow } = await analysisOf('poison');
    assert.deepEqual(
      fundFlow?.map(({ verified, measured }) => [verified, measured?.map((one) => one.rawAmount)]),
      [[false, ['0', '0']]],
    );
  });

  it('give way to the measured amounts', async () => {
    assert.deepEqual(await clauses('taxed'), ['paid 100']);
    assert.deepEqual(await contradictions('taxed'), [`${BOB_ADDRESS} +100 +90 TAX`]);
    assert.deepEqual(await clauses('rebasing'), ['called', 'received 900']);
    assert.deepEqual(await contradictions('rebasing'), [`${ALICE_ADDRESS} -100 +900 REB`]);
  });

  it('mint nothing, grant nothing, wrap nothing and change no owner', async () => {
    assert.deepEqual(await clauses('mint'), ['called']);
    assert.deepEqual(await contradictions('mint'), [`${ALICE_ADDRESS} +7000000 +0 X`]);
    assert.deepEqual(await clauses('approval'), ['called']);
    assert.deepEqual(await contradictions('approval'), [`${ALICE_ADDRESS} +9000000 +0 X`]);
    assert.deepEqual(await clauses('wrapper'), ['called']);
    assert.deepEqual((await analysisOf('owner')).summary?.findings, []);
    assert.deepEqual(await clauses('collectible'), ['called']);
    assert.deepEqual(
      (await contradictions('collectible')).map((one) => one.slice(43).trim()),
      ['-1 +0', '+1 +0'],
    );
  });

  it('are marked where the token does not answer, and told of the sender alone', async () => {
    assert.deepEqual(await clauses('silent'), ['called', 'sent 5000?']);
    assert.deepEqual(await clauses('silentOther'), ['called']);
  });

  it('lend nothing: a loan that left no trace in the balances is marked', async () => {
    const loans = async (name: Name): Promise<unknown[]> =>
      ((await analysisOf(name)).summary?.findings ?? []).map((one) => [
        one.kind,
        one.account,
        one.isClaimed,
      ]);
    assert.deepEqual(await loans('phonyLoan'), [['flashLoan', BOB_ADDRESS, true]]);
    assert.deepEqual(await loans('pretendedLoan'), [['flashLoan', BOB_ADDRESS, true]]);
    assert.deepEqual(await loans('loan'), [['flashLoan', BOB_ADDRESS, undefined]]);
  });

  it('are no facts in any text of the command line', async () => {
    const run = async (name: Name, command: string, ...options: string[]): Promise<string> => {
      const place = ['eth', hashes.get(name) ?? '', '--data-dir', service.dataDir];
      const { code, stdout, stderr } = await runCli('tx', command, ...place, ...options);
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const text = await run('poison', 'analyze');
    assert.doesNotMatch(text, /sent|paid/);
    assert.match(text, /the balance did not change; the events claim −5,000 unlisted USDC/);
    assert.match(await run('phonyLoan', 'analyze'), /Flash loan: .* \(claimed, not measured\)/);
    const balances = await run('poison', 'balances', '--format', 'csv');
    assert.match(
      balances,
      new RegExp(`^${VICTIM},unlisted USDC,0,,-5000,"measured, events differ"`, 'm'),
    );
    const flow = await run('taxed', 'flow', '--format', 'csv');
    assert.match(flow, /claimed only; measured: .*\+90/);
    const report = await run('rebasing', 'export', '--format', 'markdown');
    assert.match(report, /\| REB \| {2}\| 900 \| {2}\| measured, events differ \| -100 \|/);
  });
});
