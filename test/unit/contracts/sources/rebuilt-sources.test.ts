import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ArtifactFolders } from '../../../../server/contracts/abi/artifact-folders';
import { Artifacts } from '../../../../server/contracts/abi/artifacts';
import type { Hex } from '../../../../server/api/primitives';
import { ArtifactSources } from '../../../../server/contracts/sources/artifact-sources';
import { CodeSources } from '../../../../server/contracts/sources/code-sources';
import { workspaceCompilation } from '../../../../server/contracts/sources/workspace-compilation';
import { account, network } from '../../../support/analysis';
import { writeHardhatBuild } from '../../../support/hardhat-build';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const FILE = 'contracts/Till.sol';
const TEXT = `pragma solidity ^0.8.0;
contract Till {
    uint256 total;
    function pay() external { total += 7; }
}
`;
const MOVED = TEXT.replace('contract Till', '// One line.\n// Another one.\ncontract Till');
const CHANGED = TEXT.replace('+= 7', '+= 300');
const NEVER = new AbortController().signal;

describe('sources of a project that is built again', () => {
  let folder: string;
  let sources: CodeSources;
  let code: Hex;
  const executed = () => ({ address: account(1), code, isCreation: false });
  const program = () => sources.programOf(network(), executed(), NEVER);
  const lineOfPay = async (): Promise<number | undefined> => {
    const known = await program();
    const lines = [...(known?.map.distinct() ?? [])].map((range) => {
      const text = known?.text(range.file);
      return text?.slice(range.start, range.length) === 'total += 7'
        ? text.place(range.start, range.length)?.startLine
        : undefined;
    });
    return lines.find((line) => line !== undefined);
  };

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    code = (await writeHardhatBuild(folder, FILE, TEXT)).get('Till')!;
    const artifacts = new Artifacts(new ArtifactFolders([join(folder, 'artifacts')]), {
      own: 'artifact',
      others: 'workspace',
    });
    const finders = [new ArtifactSources(artifacts, workspaceCompilation)];
    sources = new CodeSources({ finders, isPrivate: () => true });
    assert.equal(await lineOfPay(), 4);
  });
  afterEach(() => removeDirectory(folder));

  it('have the lines of the new build at once, where only its metadata differs', async () => {
    const before = (await program())?.identity;
    await writeHardhatBuild(folder, FILE, MOVED);
    assert.notEqual(await sources.identityOf(network(), executed(), NEVER), before);
    assert.equal(await lineOfPay(), 6);
    const renewed = await program();
    assert.equal(renewed?.identity, await sources.identityOf(network(), executed(), NEVER));
    assert.equal([...renewed!.files.values()][0]?.content, MOVED);
  });

  it('are not optimized where the build does not ask for it', async () => {
    await writeHardhatBuild(folder, FILE, MOVED, { settings: {} });
    assert.equal((await program())?.optimizer, false);
  });

  it('are not those of a build with other code', async () => {
    await writeHardhatBuild(folder, FILE, CHANGED);
    assert.equal(await program(), undefined);
  });
});
