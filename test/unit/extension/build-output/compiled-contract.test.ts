import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  compiledContract,
  linkedCode,
  readArtifact,
} from '../../../../extension/build-output/compiled-contract';
import { writeHardhatBuild } from '../../../support/hardhat-build';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
library Sums {
    function add(uint256 a, uint256 b) external pure returns (uint256) { return a + b; }
}
contract Till {
    uint256 public total;
    constructor(uint256 first) { total = first; }
    function pay(uint256 amount) external { total = Sums.add(total, amount); }
}
interface Payable { function pay(uint256 amount) external; }
`;
const LIBRARY = `0x${'Ab'.repeat(20)}`;

describe('a compiled contract', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
  });
  afterEach(() => removeDirectory(folder));

  it("is that of Hardhat's artifact, with its libraries", async () => {
    await writeHardhatBuild(folder, 'contracts/Till.sol', TEXT);
    const source = path.join(folder, 'contracts/Till.sol');
    const outputs = [path.join(folder, 'missing'), path.join(folder, 'artifacts')];
    const till = (await compiledContract({ source, contract: 'Till' }, outputs))!;
    assert.equal(till.name, 'Till');
    assert.equal(till.sourceName, 'contracts/Till.sol');
    assert.equal(till.artifact, path.join(folder, 'artifacts/contracts/Till.sol/Till.json'));
    assert.deepEqual(
      till.abi.map(({ type, name }) => [type, name]),
      [
        ['constructor', undefined],
        ['function', 'pay'],
        ['function', 'total'],
      ],
    );
    assert.deepEqual(
      till.libraries.map(({ name, file }) => [name, file]),
      [['Sums', 'contracts/Till.sol']],
    );
    const [start] = till.libraries[0]!.starts;
    assert.match(till.creationCode.slice(2 * start!, 2 * start! + 40), /^__\$[0-9a-f]{34}\$__$/);
    const linked = linkedCode(till, [LIBRARY]);
    assert.equal(linked.slice(2 + 2 * start!, 42 + 2 * start!), 'ab'.repeat(20));
    assert.equal(linked.length, till.creationCode.length + 2);
    assert.throws(() => linkedCode(till, ['0x12']), /the code is not linked/);
    assert.throws(() => linkedCode(till, []), /the code is not linked/);
    const without = await compiledContract({ source, contract: 'Payable' }, outputs);
    assert.equal(without?.creationCode, '');
    assert.equal(await compiledContract({ source, contract: 'Other' }, outputs), undefined);
  });

  it("is that of Foundry's artifact, which names its source in the metadata", async () => {
    await mkdir(path.join(folder, 'out/Till.sol'), { recursive: true });
    const file = path.join(folder, 'out/Till.sol/Till.json');
    const write = (content: unknown): Promise<void> => writeFile(file, JSON.stringify(content));
    const abi = [{ type: 'function', name: 'pay', inputs: [], stateMutability: 'payable' }];
    const bytecode = { object: '0x00FF', linkReferences: {} };
    const settings = { compilationTarget: { 'src/Till.sol': 'Till' } };
    await write({ abi, bytecode, metadata: { settings } });
    const source = path.join(folder, 'src/Till.sol');
    const till = await compiledContract({ source, contract: 'Till' }, [path.join(folder, 'out')]);
    assert.equal(till?.creationCode, '00ff');
    assert.equal(till.sourceName, 'src/Till.sol');
    assert.equal(linkedCode(till, []), '0x00ff');
    await write({ abi, bytecode });
    assert.equal((await readArtifact(file))?.sourceName, undefined);
  });

  it('has no code where the file has an ABI only, and is none for other files', async () => {
    const file = path.join(folder, 'Till.json');
    const read = async (text: string) => {
      await writeFile(file, text);
      return readArtifact(file);
    };
    const plain = await read('{"abi":[{"type":"receive"}],"contractName":"Cash"}');
    assert.deepEqual([plain?.name, plain?.creationCode], ['Cash', '']);
    assert.equal((await read('{"abi":[]}'))?.name, 'Till');
    for (const text of ['', '[]', '{}', '{"abi":[{"type":"what"}]}']) {
      assert.equal(await read(text), undefined, text);
    }
    assert.equal(await readArtifact(path.join(folder, 'missing.json')), undefined);
  });
});
