import assert from 'node:assert/strict';
import {
  accountSourcePath,
  entriesOf,
  filesByPath,
  readSourcePath,
  recordedSourcePath,
} from '../../../../extension/source-documents/source-uri';

const recording = { chain: 'eth', transaction: `0x${'ab'.repeat(32)}` };
const contracts = [{ name: 'Pool' }, { name: 'a/../b' }];

describe('the path of a source file', () => {
  it('has the folders of the compilation, and can be read again', () => {
    const path = recordedSourcePath(recording, contracts, {
      contract: 0,
      file: 'src/lib/Pool.sol',
    });
    assert.equal(path, `/eth/${recording.transaction}/0-Pool/src/lib/Pool.sol`);
    assert.deepEqual(readSourcePath(path), {
      owner: { kind: 'recording', ...recording, contract: 0 },
      path: 'src/lib/Pool.sol',
    });
  });

  it('stays in the folder of its code, whatever the names are', () => {
    const path = recordedSourcePath(recording, contracts, {
      contract: 1,
      file: '../..//etc\\passwd',
    });
    assert.equal(path, `/eth/${recording.transaction}/1-a____b/_/_/etc/passwd`);
  });

  it('names an account and a block', () => {
    const account = { chain: 'eth', address: `0x${'cd'.repeat(20)}`, block: 17 };
    const path = accountSourcePath(account, '../src/Pool.sol');
    assert.equal(path, `/eth/${account.address}@17/_/src/Pool.sol`);
    const owner = { kind: 'account', ...account };
    assert.deepEqual(readSourcePath(path), { owner, path: '_/src/Pool.sol' });
  });

  it('names no other recordings', () => {
    for (const path of ['', '/', '/eth', '/eth/0x12/0-Pool/a', '/../0-A/b', '/eth/x/y/z']) {
      assert.equal(readSourcePath(path), undefined, path);
    }
  });
});

describe('folders of source files', () => {
  const files = filesByPath(['src/A.sol', 'src/lib/B.sol', '@oz/token/C.sol', './src/A.sol']);

  it('lists files and folders', () => {
    const entries = (folder: string) => [...(entriesOf(files.keys(), folder) ?? [])];
    assert.deepEqual(entries(''), [
      ['src', true],
      ['@oz', true],
      ['_', true],
    ]);
    assert.deepEqual(entries('src'), [
      ['A.sol', false],
      ['lib', true],
    ]);
    assert.equal(entriesOf(files.keys(), 'sr'), undefined);
    assert.equal(entriesOf(files.keys(), 'src/A.sol'), undefined);
  });

  it('finds the name that the compiler gave', () => {
    assert.equal(files.get('_/src/A.sol'), './src/A.sol');
  });
});
