import assert from 'node:assert/strict';
import { AbiCoder } from 'ethers';
import { CONSOLE, consoleText, decodeConsole } from '../../../../server/analysis/decoding/console';
import type { Hex } from '../../../../server/api/primitives';
import { account, frame, identification } from '../../../support/analysis';
import { invocations } from '../../../support/invocations';

/** Selectors as Hardhat's and Foundry's libraries have them, the early ones too. */
const SELECTORS = {
  'log(string)': '0x41304fac',
  'log(uint256)': '0xf82c50f1',
  'log(uint)': '0xf5b1bba9',
  'log(string,uint256)': '0xb60e72cc',
  'log(string,uint)': '0x9710a9d0',
  'log(string,address)': '0x319af333',
  'log(string,string,uint256,bool)': '0xc3a8a654',
  'log()': '0x51973ec9',
  'logBytes32(bytes32)': '0x2d21d6f7',
} as const;
const data = (name: keyof typeof SELECTORS, ...values: readonly unknown[]): Hex => {
  const types = name.replace(/\buint\b/g, 'uint256').replace(/.*\(|\)/g, '');
  const encoded = AbiCoder.defaultAbiCoder().encode(types === '' ? [] : types.split(','), values);
  return (SELECTORS[name] + encoded.slice(2)) as Hex;
};

describe('calls of console.log', () => {
  it('are read with all selectors of the libraries', () => {
    assert.equal(consoleText(data('log(uint256)', 7n)), '7');
    assert.equal(consoleText(data('log(uint)', 7n)), '7');
    assert.equal(consoleText(data('log(string,uint)', 'total', 7n)), 'total 7');
    assert.equal(consoleText(data('log()')), '');
    const word = `0x${'ab'.repeat(32)}`;
    assert.equal(consoleText(data('logBytes32(bytes32)', word)), word);
    const holder = account(0xa11ce);
    assert.equal(consoleText(data('log(string,address)', 'of', holder)), `of ${holder}`);
  });

  it('fill in the places of a first string', () => {
    const text = (first: string, second = 255n): string | undefined =>
      consoleText(data('log(string,uint256)', first, second));
    assert.equal(text('%d wei'), '255 wei');
    assert.equal(text('%x, %s'), '0xff, %s');
    assert.equal(text('100%% of'), '100% of 255');
    assert.equal(text('%q'), '%q 255');
    assert.equal(
      consoleText(data('log(string,string,uint256,bool)', '%s: %i', 'a', 1n, true)),
      'a: 1 true',
    );
  });

  it('are nothing with another selector, or with malformed arguments', () => {
    for (const input of ['0x', '0x41304f', '0x41304fac', '0xa9059cbb', '0x41304fac00'] as const) {
      assert.equal(consoleText(input), undefined, input);
      assert.equal(decodeConsole(input), null, input);
    }
  });

  it('are decoded in the call tree, where the address has no code', () => {
    const called = frame({ to: CONSOLE, type: 'STATICCALL', input: data('log(string)', 'hello') });
    const [shown] = invocations(called, identification({ [CONSOLE]: { code: '0x' } }));
    assert.equal(shown?.decodedMethod?.signature, 'log(string)');
    assert.deepEqual(shown.decodedMethod.callParams, [
      { name: '', type: 'string', value: 'hello' },
    ]);
    const [other] = invocations(called, identification({ [CONSOLE]: { code: '0x60' } }));
    assert.equal(other?.decodedMethod, null);
  });
});
