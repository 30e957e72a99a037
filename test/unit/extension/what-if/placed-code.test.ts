import assert from 'node:assert/strict';
import { keccak256, toUtf8Bytes } from 'ethers';
import type { CompiledCode } from '../../../../extension/build-output/compiled-code';
import { placedCode, type OldCode } from '../../../../extension/what-if/placed-code';

const ADDRESS = `0x${'ab'.repeat(20)}`;
const WORD = `0x${'00'.repeat(31)}07`;

const compiled = (more: Partial<CompiledCode>): CompiledCode => ({
  artifact: '',
  writtenMs: 0,
  object: '00'.repeat(40),
  immutables: [],
  layout: undefined,
  ...more,
});
const old = (more: Partial<OldCode> = {}): OldCode => ({
  address: ADDRESS,
  immutables: [],
  contracts: [],
  ...more,
});
const immutable = (name: string, value = WORD) => ({ name, type: 'uint256', value });

describe('new code in place of deployed code', () => {
  it('keeps the values of immutables, wherever the code reads them', () => {
    const ranges = [
      { start: 1, length: 32 },
      { start: 35, length: 2 },
    ];
    const code = compiled({ immutables: [{ name: 'fee', ranges }] });
    const placed = placedCode(
      code,
      old({ immutables: [immutable('owner', `0x${'ff'.repeat(32)}`), immutable('fee')] }),
    );
    assert.deepEqual(placed, {
      code: `0x00${WORD.slice(2)}00000007${'00'.repeat(3)}`,
    });
  });

  it('knows a single immutable without its name, and no others', () => {
    const one = { name: undefined, ranges: [{ start: 0, length: 32 }] };
    const single = placedCode(
      compiled({ immutables: [one] }),
      old({ immutables: [immutable('')] }),
    );
    assert.deepEqual(single, { code: `${WORD}${'00'.repeat(8)}` });
    const two = old({ immutables: [immutable('a'), immutable('b')] });
    const several = placedCode(compiled({ immutables: [one] }), two);
    assert.match('problem' in several ? several.problem : '', /^its immutables have no names/);
  });

  it('is refused with an immutable that the deployed code lacks', () => {
    const code = compiled({ immutables: [{ name: 'cap', ranges: [{ start: 0, length: 32 }] }] });
    const placed = placedCode(code, old({ immutables: [immutable('fee')] }));
    assert.match('problem' in placed ? placed.problem : '', /^its immutable cap has no value/);
  });

  it('calls the libraries that the transaction calls', () => {
    const hash = keccak256(toUtf8Bytes('src/Math.sol:Math')).slice(2, 36);
    const code = compiled({ object: `73__$${hash}$__5b` });
    const contracts = [{ name: 'Math', files: ['src/Math.sol'], address: ADDRESS }];
    assert.deepEqual(placedCode(code, old({ contracts })), { code: `0x73${'ab'.repeat(20)}5b` });
    const unknown = placedCode(code, old());
    assert.match('problem' in unknown ? unknown.problem : '', /^the new code calls a library/);
  });

  it('calls the libraries of compilers before Solidity 0.5, which are named by a part of their text', () => {
    const files = ['@vendor/contracts/libraries/SafeArithmetic.sol', 'Math.sol'];
    const contracts = [{ name: 'Math', files, address: ADDRESS }];
    for (const name of [
      '__@vendor/contracts/libraries/SafeArit__',
      `__Math.sol:Math${'_'.repeat(25)}`,
    ]) {
      const placed = placedCode(compiled({ object: `73${name}5b` }), old({ contracts }));
      assert.deepEqual(placed, { code: `0x73${'ab'.repeat(20)}5b` });
    }
  });

  it('of a library begins with its address', () => {
    const code = compiled({ object: `73${'00'.repeat(20)}301460` });
    assert.deepEqual(placedCode(code, old()), { code: `0x73${'ab'.repeat(20)}301460` });
  });
});
