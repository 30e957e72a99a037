import assert from 'node:assert/strict';
import { Fragment } from 'ethers';
import * as contracts from '../../../../server/contracts/abi/built-in/contracts';
import * as defi from '../../../../server/contracts/abi/built-in/defi';
import { builtInSignatures } from '../../../../server/contracts/abi/built-in/signatures';
import * as tokens from '../../../../server/contracts/abi/built-in/tokens';

describe('built-in interfaces', () => {
  for (const [name, items] of Object.entries({ ...tokens, ...contracts, ...defi })) {
    it(`${name} can be read, and has no duplicates`, () => {
      const texts = items.map((item) => Fragment.from(item).format('minimal'));
      assert.deepEqual([...new Set(texts)], texts);
    });
  }

  /** As published by the standards and contracts. */
  for (const [selector, name] of [
    ['0xa9059cbb', 'transfer'],
    ['0xd505accf', 'permit'],
    ['0xf242432a', 'safeTransferFrom'],
    ['0x2eb2c2d6', 'safeBatchTransferFrom'],
    ['0xd0e30db0', 'deposit'],
    ['0x6e553f65', 'deposit'],
    ['0x4f1ef286', 'upgradeToAndCall'],
    ['0x022c0d9f', 'swap'],
    ['0x38ed1739', 'swapExactTokensForTokens'],
    ['0x128acb08', 'swap'],
    ['0x414bf389', 'exactInputSingle'],
    ['0x04e45aaf', 'exactInputSingle'],
    ['0x88316456', 'mint'],
    ['0x3593564c', 'execute'],
    ['0x82ad56cb', 'aggregate3'],
    ['0x6a761202', 'execTransaction'],
    ['0xfeaf968c', 'latestRoundData'],
    ['0xbcfd032d', 'latestRoundData'],
    ['0x1fad948c', 'handleOps'],
    ['0x765e827f', 'handleOps'],
    ['0xab9c4b5d', 'flashLoan'],
    ['0x920f5c84', 'executeOperation'],
    ['0x23e30c8b', 'onFlashLoan'],
    ['0x30f28b7a', 'permitTransferFrom'],
  ] as const) {
    it(`contain ${name} for ${selector}`, async () => {
      const found = (
        await builtInSignatures.candidates(
          { selectors: new Set(), topics: new Set() },
          new AbortController().signal,
        )
      )
        .flatMap((one) => one.functions(selector))
        .map((fragment) => fragment.name);
      assert.ok(found.includes(name), `${selector}: ${found.join()}`);
    });
  }
});
