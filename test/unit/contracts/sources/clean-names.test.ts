import assert from 'node:assert/strict';
import { cleanFiles } from '../../../../server/contracts/sources/verified/clean-files';

describe('names of files that become equal when they are cleaned', () => {
  it('are numbered in one pass', () => {
    const files = Array.from({ length: 2_000 }, (_, index) => ({
      name: `${'?'.repeat(index % 50)}A.sol`,
      content: '',
    }));
    let tries = 0;
    const has = Reflect.get(Set.prototype, 'has') as (
      this: Set<unknown>,
      value: unknown,
    ) => boolean;
    Set.prototype.has = function (value) {
      tries++;
      return has.call(this, value);
    };
    let clean;
    try {
      clean = cleanFiles(files);
    } finally {
      Set.prototype.has = has;
    }
    assert.deepEqual(
      clean?.map(({ name }) => name),
      files.map((_, index) => (index === 0 ? 'A.sol' : `A~${index + 1}.sol`)),
    );
    assert.ok(tries < 10 * files.length, `${tries} look-ups`);
  });

  it('skip numbers that a file has of its own', () => {
    const names = [
      'a/B.sol',
      'a/b~2.sol',
      'a/B?.sol',
      'a/b.sol',
      'LICENSE',
      'LICENSE*',
      'x.y/z',
      'x.y/z?',
    ];
    assert.deepEqual(
      cleanFiles(names.map((name) => ({ name, content: '' })))?.map(({ name }) => name),
      [
        'a/B.sol',
        'a/b~2.sol',
        'a/B~3.sol',
        'a/b~4.sol',
        'LICENSE',
        'LICENSE~2',
        'x.y/z',
        'x.y/z~2',
      ],
    );
  });
});
