import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { id } from 'ethers';
import { ArtifactFolders } from '../../../../server/contracts/abi/artifact-folders';
import { Artifacts } from '../../../../server/contracts/abi/artifacts';
import type { Hex } from '../../../../server/api/primitives';
import { account, network } from '../../../support/analysis';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const artifact = (contractName: string, code: Hex, creation: Hex = `0x60${code.slice(2)}`) => ({
  contractName,
  abi: [{ type: 'function', name: `of${contractName}`, inputs: [], outputs: [] }],
  bytecode: creation,
  deployedBytecode: code,
});

describe('workspace artifacts', () => {
  let folder: string;
  let now: number;
  let warnings: [object, string][];
  let artifacts: Artifacts;
  const write = async (name: string, content: unknown) => {
    const path = join(folder, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const find = async (code: Hex, chainId = 1) => {
    now += 10_000;
    const found = await artifacts.find(network(undefined, { chainId }), [
      { address: account(1), code },
    ]);
    return found.get(account(1));
  };
  const nameOf = async (code: Hex, chainId = 1) => (await find(code, chainId))?.name;

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    now = 0;
    warnings = [];
    const log = { warn: (fields: object, message: string) => warnings.push([fields, message]) };
    artifacts = new Artifacts(
      new ArtifactFolders([join(folder, 'out'), join(folder, 'missing')], { log, now: () => now }),
      { own: 'artifact', others: 'workspace' },
    );
  });
  afterEach(() => removeDirectory(folder));

  it('are recognised by their deployed code, in folders of any depth', async () => {
    await write('out/a/b/A.sol/A.json', artifact('A', '0x600155'));
    await write('out/B.json', artifact('B', '0x600255'));
    assert.equal(await nameOf('0x600155'), 'A');
    assert.equal(await nameOf('0x600255'), 'B');
    assert.equal(await nameOf('0x600355'), undefined);
    assert.equal((await artifacts.candidates()).length, 2);
  });

  it('are read again when their folder is added again, at any time and during a scan', async () => {
    const out = join(folder, 'out');
    const folders = new ArtifactFolders([out], { now: () => 0 });
    const names = async () => (await folders.artifacts()).map(({ name }) => name);
    await write('out/A.json', artifact('A', '0x600155'));
    assert.deepEqual(await names(), ['A']);
    await write('out/B.json', artifact('B', '0x600255'));
    assert.deepEqual(await names(), ['A']);
    folders.add([out]);
    const early = names();
    // At once: the scan must not end before.
    writeFileSync(join(out, 'C.json'), JSON.stringify(artifact('C', '0x600355')));
    folders.add([out]);
    assert.deepEqual(await names(), ['A', 'B', 'C']);
    assert.deepEqual(await early, ['A', 'B', 'C']);
  });

  it('are read again if they changed, and forgotten if they were deleted', async () => {
    const path = await write('out/A.json', artifact('A', '0x600155'));
    assert.equal(await nameOf('0x600155'), 'A');
    await write('out/A.json', artifact('Renamed', '0x600155'));
    await utimes(path, 1000, 1000);
    assert.equal(await nameOf('0x600155'), 'Renamed');
    await rm(path);
    assert.equal(await nameOf('0x600155'), undefined);
  });

  it('are scanned only at intervals', async () => {
    assert.equal((await artifacts.candidates()).length, 0);
    await write('out/A.json', artifact('A', '0x600155'));
    now += 100;
    assert.equal((await artifacts.candidates()).length, 0);
    now += 10_000;
    assert.equal((await artifacts.candidates()).length, 1);
  });

  it('are those of the same sources, and then those with a syntax tree, if several builds have the code', async () => {
    const build = (code: Hex, ast?: object) => ({
      abi: [],
      bytecode: { object: `0x60${code.slice(2)}` },
      deployedBytecode: { object: code },
      ...(ast && { ast }),
    });
    const old: Hex = '0x600155a1610001'.concat('0004') as Hex;
    const now: Hex = '0x600155a1610002'.concat('0004') as Hex;
    const [plain, withTree, oldWithTree] = [
      await write('out/A.sol/A.json', build(now)),
      await write('out/forklens/A.sol/A.json', build(now, {})),
      await write('out/old/A.sol/A.json', build(old, {})),
    ];
    const fileOf = async (code: Hex, isCreation: boolean) => {
      const running = { address: account(1), code, isCreation };
      return (await artifacts.ofCode(network(undefined), running))?.artifact.file;
    };
    assert.equal(await fileOf(now, false), withTree);
    assert.equal(await fileOf(`0x60${now.slice(2)}ff`, true), withTree);
    assert.equal(await fileOf(old, false), oldWithTree);
    await writeFile(withTree, JSON.stringify(build(old, {})));
    artifacts = new Artifacts(new ArtifactFolders([join(folder, 'out')]), {
      own: 'artifact',
      others: 'workspace',
    });
    assert.equal(await fileOf(now, false), plain);
  });

  it('omit invalid files with a log message, and other files without one', async () => {
    const bad = await write('out/Bad.json', '{ "abi": ');
    await write('out/package.json', { name: 'x' });
    await write('out/A.dbg.json', '{');
    await write('out/build-info/huge.json', '{');
    await write('out/A.json', artifact('A', '0x600155'));
    assert.equal(await nameOf('0x600155'), 'A');
    assert.deepEqual(warnings, [[{ path: bad, why: 'not readable as JSON' }, 'artifact skipped']]);
    assert.equal(await nameOf('0x600155'), 'A');
    assert.equal(warnings.length, 1);
  });

  it('locate the constructor arguments: after the longest creation code that fits', async () => {
    await write('out/A.json', artifact('A', '0x600155', '0x6060'));
    await write('out/B.json', artifact('B', '0x600255', '0x606070'));
    now += 10_000;
    const found = await artifacts.findCreation('0x60607000');
    assert.equal(found?.name, 'B');
    assert.equal(found.argumentsOffset, 3);
    assert.equal((await artifacts.findCreation('0x606080'))?.name, 'A');
    assert.equal(await artifacts.findCreation('0x61'), undefined);
  });

  it('report the source of decodings', async () => {
    await write('out/A.json', artifact('A', '0x600155', '0x6060'));
    assert.equal((await find('0x600155'))?.interface.source, 'artifact');
    assert.equal((await artifacts.findCreation('0x6060'))?.interface.source, 'artifact');
    const [loose] = await artifacts.candidates();
    assert.equal(loose?.source, 'workspace');
    assert.equal(loose.functions(id('ofA()').slice(0, 10) as Hex)[0]?.name, 'ofA');
  });

  describe('that the project deployed', () => {
    const BROADCAST = 'broadcast/Deploy.s.sol/1/run-latest.json';
    const created = (contractName: string | null, contractAddress: string | null) => ({
      transactions: [{ transactionType: 'CREATE', contractName, contractAddress }],
    });

    it('are identified by their address if the code matches no artifact, on that chain only', async () => {
      const path = await write('out/A.json', artifact('A', '0x600155'));
      await write(BROADCAST, created('A', account(1)));
      const { name, interface: known, ...others } = (await find('0x60ff55'))!;
      assert.deepEqual([name, known.source, others], ['A', 'artifact', {}]);
      assert.equal(known.functions(id('ofA()').slice(0, 10) as Hex).length, 1);
      const running = { address: account(1), code: '0x600155', isCreation: false } as const;
      const matched = await artifacts.ofCode(network(), running);
      assert.deepEqual([matched?.artifact.file, matched?.match], [path, 'exact']);
      assert.equal(await artifacts.ofCode(network(), { ...running, code: '0x60ff55' }), undefined);
      assert.equal(await nameOf('0x60ff55', 5), undefined);
      assert.equal(await nameOf('0x600155', 5), 'A');
      await rm(join(folder, BROADCAST));
      assert.equal(await nameOf('0x60ff55'), undefined);
    });

    it('have the name of their code if it differs; the recorded name decides between equal codes', async () => {
      await write('out/A.json', artifact('A', '0x600155'));
      await write('out/B.json', artifact('B', '0x600155'));
      await write('out/C.json', artifact('C', '0x600255'));
      await write(BROADCAST, created('B', account(1)));
      assert.equal(await nameOf('0x600255'), 'C');
      assert.equal(await nameOf('0x600155'), 'B');
    });

    it('stay unknown if the project has several contracts of the name, or if only another project has one', async () => {
      await write(BROADCAST, created('A', account(1)));
      await write('out/a/A.json', artifact('A', '0x600155'));
      await write('out/b/A.json', artifact('A', '0x600255'));
      assert.equal(await nameOf('0x60ff55'), undefined);
      await rm(join(folder, 'out/b'), { recursive: true });
      assert.equal(await nameOf('0x60ff55'), 'A');
      await rm(join(folder, 'broadcast'), { recursive: true });
      await write(`other/${BROADCAST}`, created('A', account(1)));
      const elsewhere = new Artifacts(
        new ArtifactFolders([join(folder, 'out'), join(folder, 'other/out')]),
        { own: 'artifact', others: 'workspace' },
      );
      const contracts = [{ address: account(1), code: '0x60ff55' as Hex }];
      assert.equal((await elsewhere.find(network(), contracts)).size, 0);
    });

    it('are read from forge scripts, including contracts that their transactions created', async () => {
      await write('out/A.json', artifact('A', '0x600155'));
      await write(BROADCAST, {
        transactions: [
          ...created(null, null).transactions,
          ...created('Other', 'nowhere').transactions,
          {
            transactionType: 'CALL',
            additionalContracts: [
              { transactionType: 'CREATE', contractName: null, address: account(3) },
              {
                transactionType: 'CREATE2',
                contractName: 'A',
                address: account(1).toUpperCase().replace('X', 'x'),
              },
            ],
          },
        ],
      });
      await write('broadcast/Deploy.s.sol/1/dry-run/run-latest.json', created('A', account(2)));
      assert.equal(await nameOf('0x60ff55'), 'A');
      const contracts = [2, 3].map((n) => ({ address: account(n), code: '0x60ff55' as const }));
      assert.equal((await artifacts.find(network(), contracts)).size, 0);
      assert.deepEqual(warnings, []);
    });

    it('are read from hardhat-deploy, with the recorded interface', async () => {
      const { abi } = artifact('Old', '0x');
      await write('deployments/mainnet/.chainId', '1\n');
      await write('deployments/mainnet/Token.json', { address: account(1), abi });
      await write('deployments/mainnet/Token_Proxy.json', { address: account(1), abi: [] });
      await write('deployments/mainnet/Vau\u202elt.json', { address: account(3), abi });
      await write('deployments/unknown/Token.json', { address: account(2), abi });
      const known = await find('0x60ff55');
      assert.equal(known?.name, 'Token');
      assert.equal(known.interface.source, 'artifact');
      assert.equal(known.interface.functions(id('ofOld()').slice(0, 10) as Hex).length, 1);
      assert.equal(await nameOf('0x60ff55', 5), undefined);
      const contracts = [2, 3].map((n) => ({ address: account(n), code: '0x60ff55' as const }));
      const others = await artifacts.find(network(), contracts);
      assert.deepEqual(
        [...others.values()].map(({ name }) => name),
        ['Vault'],
      );
      assert.deepEqual(warnings, []);
    });

    it('are read from Hardhat Ignition', async () => {
      await write('out/Lock.json', artifact('Lock', '0x600155'));
      const path = 'ignition/deployments/chain-11155111/deployed_addresses.json';
      await write(path, { 'LockModule#Lock': account(1), 'LockModule#Key': 7 });
      assert.equal(await nameOf('0x60ff55', 11_155_111), 'Lock');
      assert.equal(await nameOf('0x60ff55'), undefined);
    });

    it('may be recorded in unreadable files, which are omitted with a log message', async () => {
      const path = await write(BROADCAST, '{ "transactions": ');
      await write('deployments/mainnet/.chainId', 'one');
      await write('deployments/mainnet/A.json', { address: account(1), abi: [] });
      await write('ignition/deployments/chain-1/deployed_addresses.json', [1]);
      assert.equal(await nameOf('0x60ff55'), undefined);
      assert.deepEqual(warnings, [[{ path, why: 'not readable as JSON' }, 'deployment skipped']]);
    });
  });
});
