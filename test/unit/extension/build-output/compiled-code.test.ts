import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compiledCode } from '../../../../extension/build-output/compiled-code';
import { writeHardhatBuild } from '../../../support/hardhat-build';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Till {
    uint256 public immutable fee;
    uint256 public total;
    constructor(uint256 fee_) { fee = fee_; }
}
interface Named { function name() external; }
`;

describe('the compiled code of a contract', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
  });
  afterEach(() => removeDirectory(folder));

  for (const version of [2, 3] as const) {
    it(`is that of Hardhat ${version}'s build info, with names of immutables and the layout`, async () => {
      const codes = await writeHardhatBuild(folder, 'contracts/Till.sol', TEXT, { version });
      const source = path.join(folder, 'contracts/Till.sol');
      const outputs = [path.join(folder, 'missing'), path.join(folder, 'artifacts')];
      const code = await compiledCode({ source, contract: 'Till' }, outputs);
      assert.equal(`0x${code?.object}`, codes.get('Till'));
      assert.deepEqual(
        code?.immutables.map(({ name, ranges }) => [
          name,
          ranges.every(({ length }) => length === 32),
        ]),
        [['fee', true]],
      );
      assert.deepEqual(
        code.layout?.storage.map(({ label, slot }) => [label, slot]),
        [['total', '0']],
      );
      assert.equal(await compiledCode({ source, contract: 'Named' }, outputs), undefined);
      assert.equal(await compiledCode({ source, contract: 'Other' }, outputs), undefined);
    });
  }

  it("is that of Foundry's artifact, whose immutables have names with a syntax tree", async () => {
    const source = path.join(folder, 'src/Till.sol');
    const write = async (more: object): Promise<void> => {
      await mkdir(path.join(folder, 'out/Till.sol'), { recursive: true });
      const immutableReferences = { 7: [{ start: 3, length: 32 }] };
      const artifact = {
        abi: [],
        deployedBytecode: { object: '0x00FF', immutableReferences },
        ...more,
      };
      await writeFile(path.join(folder, 'out/Till.sol/Till.json'), JSON.stringify(artifact));
    };
    const read = () => compiledCode({ source, contract: 'Till' }, [path.join(folder, 'out')]);
    await write({});
    const bare = await read();
    assert.equal(bare?.object, '00ff');
    assert.equal(bare.layout, undefined);
    assert.deepEqual(bare.immutables, [{ name: undefined, ranges: [{ start: 3, length: 32 }] }]);
    await write({ ast: { nodes: [{ nodeType: 'VariableDeclaration', id: 7, name: 'fee' }] } });
    assert.deepEqual((await read())?.immutables[0]?.name, 'fee');
    await writeFile(path.join(folder, 'out/Till.sol/Till.json'), '{"abi": [], ');
    assert.equal(await read(), undefined);
  });
});
