import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AbiCoder, getCreateAddress, id, type TransactionLike } from 'ethers';
import type {
  SourceLocation,
  SourceLocations,
  SourcePlace,
} from '../../server/api/source-locations';
import { Foundry } from '../support/foundry';
import { writeHardhatProject } from '../support/hardhat-project';
import { startService, type TestService } from '../support/service';
import { UpstreamProxy, withoutDebugApi } from '../support/upstream-proxy';
import { ALICE, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const TELLER = 'src/Teller.sol';
const VAULT = 'src/Vault.sol';

/** `file:line.column-line.column` */
const place = ({ file, startLine, startColumn, endLine, endColumn }: SourcePlace): string =>
  `${file}:${startLine}.${startColumn}-${endLine}.${endColumn}`;

/** The ranges of a location as texts. */
const places = ({ nodeId, contract, ...rest }: SourceLocation): Record<string, unknown> => ({
  nodeId,
  contract,
  ...Object.fromEntries(
    Object.entries(rest as Record<string, SourcePlace>).map(([kind, range]) => [
      kind,
      place(range),
    ]),
  ),
});

describe('positions of calls in the sources', function () {
  this.timeout(60_000);
  let engines: TestEngines;
  let foundry: Foundry;
  let chain: TestChain;
  let proxy: UpstreamProxy;
  let service: TestService;
  const hashes: Record<string, string> = {};
  let creation = '';
  let [vault, teller] = ['', ''];

  before(async () => {
    engines = await testEngines();
    foundry = await Foundry.open(engines.home);
    await foundry.forge('build');
    const texts = [TELLER, VAULT].map(
      async (name) => [name, await readFile(join(foundry.project, name), 'utf8')] as const,
    );
    const sources = Object.fromEntries(await Promise.all(texts));
    await writeHardhatProject(join(engines.home, 'hardhat'), sources);
    chain = await TestChain.start(engines.start);
    vault = getCreateAddress({ from: ALICE.address, nonce: 0 }).toLowerCase();
    teller = getCreateAddress({ from: ALICE.address, nonce: 1 }).toLowerCase();
    const code = async (name: string): Promise<string> => {
      const file = join(foundry.project, `out/${name}.sol/${name}.json`);
      return (JSON.parse(await readFile(file, 'utf8')) as { bytecode: { object: string } }).bytecode
        .object;
    };
    const gasLimit = 3_000_000;
    await chain.send(ALICE, { data: await code('Vault'), gasLimit });
    await chain.mine();
    const argument = AbiCoder.defaultAbiCoder().encode(['address'], [vault]).slice(2);
    creation = await chain.send(ALICE, { data: (await code('Teller')) + argument, gasLimit });
    const call = (signature: string, ...args: unknown[]): TransactionLike => {
      const types = signature.slice(signature.indexOf('(') + 1, -1).split(',');
      const data = AbiCoder.defaultAbiCoder().encode(types, args).slice(2);
      return { to: teller, data: id(signature).slice(0, 10) + data };
    };
    const calls: Record<string, TransactionLike> = {
      twice: call('storeTwice(uint256)', 60),
      tried: call('tryStore(uint256)', 13),
      panic: call('overflow(uint256)', 1n << 255n),
      overload: call('overflow(uint256,uint256[])', 1, [2]),
      unknown: { to: teller, data: '0x01020304' },
      getter: { to: teller, data: id('vault()').slice(0, 10) },
    };
    for (const [name, transaction] of Object.entries(calls)) {
      hashes[name] = await chain.send(ALICE, transaction);
    }
    await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
    service = await startService({
      counted: true,
      config: {
        chains: [ethChain(proxy.url)],
        abi: {
          artifacts: [join(foundry.project, 'out')],
          sourcify: { enabled: false },
          signatures: { enabled: false },
        },
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await engines.close();
  });

  const ask = async (hash: string, from = service): Promise<SourceLocations> => {
    const path = `/v1/explorer/eth/transaction/${hash}/source-locations`;
    const { code, message, data } = await from.request<SourceLocations>('GET', path);
    assert.equal(code, 0, message);
    return data;
  };

  it('include functions, call sites, and the lines of failures', async () => {
    const { status, locations, changed } = await ask(hashes['twice']!);
    assert.equal(status, false);
    assert.deepEqual(changed, []);
    assert.deepEqual(locations.map(places), [
      {
        nodeId: 0,
        contract: 'Teller',
        function: `${TELLER}:21.5-24.6`,
        failure: `${TELLER}:23.9-23.44`,
      },
      {
        nodeId: 1,
        contract: 'Vault',
        function: `${VAULT}:12.5-17.6`,
        callSite: `${TELLER}:22.9-22.28`,
      },
      {
        nodeId: 3,
        contract: 'Vault',
        function: `${VAULT}:12.5-17.6`,
        callSite: `${TELLER}:23.9-23.44`,
        failure: `${VAULT}:13.36-13.70`,
      },
    ]);
  });

  it('say of each code whether its source is known, and where it opens', async () => {
    const { sources, unknown } = await ask(hashes['twice']!);
    assert.deepEqual(unknown, []);
    assert.deepEqual(
      sources!.map(({ declaration, ...code }) => [code, place(declaration!)]),
      [
        [
          {
            address: teller,
            isCreation: false,
            calls: [0],
            contract: 'Teller',
            from: 'workspace',
            hasMap: true,
          },
          `${TELLER}:13.1-13.16`,
        ],
        [
          {
            address: vault,
            isCreation: false,
            calls: [1, 3],
            contract: 'Vault',
            from: 'workspace',
            hasMap: true,
          },
          `${VAULT}:5.1-5.15`,
        ],
      ],
    );
    const created = (await ask(creation)).sources!;
    assert.deepEqual(
      created.map(({ isCreation, contract }) => [isCreation, contract]),
      [[true, 'Teller']],
    );
  });

  it('say what to do where no source is known', async () => {
    const other = await startService({
      config: {
        chains: [ethChain(chain.engine.url)],
        abi: { sourcify: { enabled: false }, signatures: { enabled: false } },
        prices: { source: 'none' },
      },
    });
    try {
      const { sources, unknown } = await ask(hashes['twice']!, other);
      const reason = (address: string): string =>
        `no source with a source map is known for the code of ${address}: compile it in the workspace, or verify it on Sourcify`;
      assert.deepEqual(sources, []);
      assert.deepEqual(unknown, [
        { address: teller, isCreation: false, calls: [0], reason: reason(teller) },
        { address: vault, isCreation: false, calls: [1, 3], reason: reason(vault) },
      ]);
    } finally {
      await other.stop();
    }
  });

  it('are given again without another trace', async () => {
    const before = await ask(hashes['twice']!);
    proxy.reset();
    assert.deepEqual(await ask(hashes['twice']!), before);
    assert.equal(proxy.count('debug_traceTransaction'), 0);
  });

  it('include caught failures, panics in generated code, overloads, getters and unknown methods', async () => {
    const all = await Promise.all(
      ['tried', 'panic', 'overload', 'getter', 'unknown'].map(async (name) => {
        const { locations } = await ask(hashes[name]!);
        return [name, locations.map(places)] as const;
      }),
    );
    assert.deepEqual(Object.fromEntries(all), {
      tried: [
        { nodeId: 0, contract: 'Teller', function: `${TELLER}:26.5-32.6` },
        {
          nodeId: 1,
          contract: 'Vault',
          function: `${VAULT}:12.5-17.6`,
          callSite: `${TELLER}:27.13-27.32`,
          failure: `${VAULT}:14.9-14.41`,
        },
      ],
      panic: [
        {
          nodeId: 0,
          contract: 'Teller',
          function: `${TELLER}:34.5-36.6`,
          failure: `${TELLER}:8.16-8.26`,
        },
      ],
      overload: [
        {
          nodeId: 0,
          contract: 'Teller',
          function: `${TELLER}:38.5-40.6`,
          failure: `${TELLER}:39.16-39.32`,
        },
      ],
      getter: [{ nodeId: 0, contract: 'Teller', function: `${TELLER}:14.5-14.33` }],
      unknown: [{ nodeId: 0, contract: 'Teller', failure: `${TELLER}:13.1-41.2` }],
    });
  });

  it('include constructors', async () => {
    const { locations } = await ask(creation);
    assert.deepEqual(locations.map(places), [
      { nodeId: 0, contract: 'Teller', function: `${TELLER}:16.5-19.6` },
    ]);
  });

  it('are the same with a node without a debug API, and with Hardhat’s artifacts', async () => {
    proxy.fault = withoutDebugApi;
    const other = await startService({
      counted: true,
      config: {
        chains: [ethChain(proxy.url)],
        abi: {
          artifacts: [join(engines.home, 'hardhat/artifacts')],
          sourcify: { enabled: false },
          signatures: { enabled: false },
        },
        prices: { source: 'none' },
      },
    });
    try {
      for (const name of ['twice', 'panic']) {
        const [here, there] = await Promise.all([ask(hashes[name]!), ask(hashes[name]!, other)]);
        assert.deepEqual(there, here, name);
        assert.ok(here.locations.length > 0);
        assert.equal(here.incomplete, undefined);
      }
    } finally {
      proxy.fault = undefined;
      await other.stop();
    }
  });

  it('are omitted for a file that changed after its compilation, which is reported', async () => {
    await appendFile(join(foundry.project, VAULT), '\n// changed\n');
    const other = await startService({
      counted: true,
      config: {
        chains: [ethChain(chain.engine.url)],
        abi: {
          artifacts: [join(foundry.project, 'out')],
          sourcify: { enabled: false },
          signatures: { enabled: false },
        },
        prices: { source: 'none' },
      },
    });
    try {
      const { locations, changed, sources } = await ask(hashes['tried']!, other);
      assert.deepEqual(changed, [VAULT]);
      assert.deepEqual(
        sources!.map(({ contract, declaration }) => [contract, declaration?.file]),
        [
          ['Teller', TELLER],
          ['Vault', undefined],
        ],
      );
      assert.deepEqual(locations.map(places), [
        { nodeId: 0, contract: 'Teller', function: `${TELLER}:26.5-32.6` },
        { nodeId: 1, contract: 'Vault', callSite: `${TELLER}:27.13-27.32` },
      ]);
    } finally {
      await other.stop();
    }
  });
});

/** The same contracts in Hardhat's output format: artifacts, each with a reference to the single build info. */
