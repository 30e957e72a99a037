import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { callTree } from './support/call-tree';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { storeTwice, Vaults } from './support/vaults';

describe('a workspace with several folders', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow({}, { folders: ['vaults', 'tellers'] });
  let code: CodeWindow;
  let home: string;
  let vaults: Vaults;

  before(async () => {
    home = await makeTemporaryDirectory();
    vaults = await Vaults.build(home);
    code = window();
    const { workspace } = code.workbench;
    const output = (name: string): string => path.join(vaults.project, 'out', `${name}.sol`);
    await cp(output('Vault'), path.join(workspace, 'vaults/out/Vault.sol'), { recursive: true });
    await cp(output('Teller'), path.join(workspace, 'tellers/build/Teller.sol'), {
      recursive: true,
    });
    await writeFile(path.join(workspace, 'tellers/foundry.toml'), 'out = "build"\n');
    await code.showView();
    await code.row('default').waitFor();
  });
  after(() => removeDirectory(home));

  it('decodes the contracts of each folder', async () => {
    const url = await code.forkSandbox('bank');
    const hash = await storeTwice(url, await vaults.deploy(url), 20);
    const calls = await callTree(await code.analyze(hash, 'bank'));
    assert.match(calls[0]!, /^CALL Teller\.storeTwice\(amount: 20\), gas/);
    assert.match(calls[1]!, /^CALL Vault\.store\(amount: 20\), gas/);
    await code.screenshot('multi-root');
  });
});
