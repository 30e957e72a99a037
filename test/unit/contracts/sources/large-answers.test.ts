import assert from 'node:assert/strict';
import { CodeSources } from '../../../../server/contracts/sources/code-sources';
import { SourceMap } from '../../../../server/contracts/sources/source-map';
import { BlockscoutSources } from '../../../../server/contracts/sources/verified/blockscout-sources';
import { SourcifySources } from '../../../../server/contracts/sources/verified/sourcify-sources';
import { whyUnmapped } from '../../../../server/contracts/sources/why-unmapped';
import { account, network } from '../../../support/analysis';
import { sourcifyAnswer } from '../../../support/compiled-source';
import { useJsonServices } from '../../../support/json-service';
import { CODE, find, finder, names, NEVER, shop } from './find-verified';

interface Answer {
  sources: Record<string, { content: string }>;
  runtimeBytecode: { sourceMap: string };
}
const answer = (): Answer => structuredClone(sourcifyAnswer(shop)) as unknown as Answer;

describe('answers of source services that are too large', function () {
  this.timeout(60_000);
  const serve = useJsonServices();

  it('lose a source map with more entries than the code has instructions, and say so', async () => {
    const large = answer();
    large.runtimeBytecode.sourceMap += ';'.repeat(4_000_000);
    const service = await serve(() => ({ body: large }));
    const sources = new CodeSources({
      finders: [finder(new SourcifySources({ url: service.url }))],
      isPrivate: () => false,
    });
    const executed = { address: account(1), code: CODE, isCreation: false };
    assert.equal(await sources.programOf(network(), executed, NEVER), undefined);
    const unmapped = await sources.unmappedOf(network(), executed, NEVER);
    assert.equal(unmapped?.hasUnfitMap, true);
    assert.match(
      whyUnmapped({ address: account(1), code: Buffer.from(CODE.slice(2), 'hex'), unmapped }),
      /from sourcify, has a source map that does not fit its code and files, so that its lines are not known/,
    );
  });

  it('are not read beyond a number of values, and are not asked for again', async () => {
    const warnings: object[] = [];
    const log = { warn: (facts: object): void => void warnings.push(facts) };
    const many = { ...answer(), more: Array.from({ length: 300_000 }, () => []) };
    const service = await serve(() => ({ body: many }));
    const sources = finder(new SourcifySources({ url: service.url, log }));
    assert.equal(await find(sources), undefined);
    assert.equal(await find(sources), undefined);
    assert.equal(service.asked.length, 1);
    assert.deepEqual(warnings, [
      { service: 'sourcify sources', excess: 'more than 200000 values' },
    ]);
  });

  it('are not used beyond a number of lines and of characters', async () => {
    for (const content of ['\n'.repeat(500_001), 'x'.repeat(8 * 1024 * 1024 + 1)]) {
      const long = answer();
      long.sources['src/Long.sol'] = { content };
      const service = await serve(() => ({ body: long }));
      assert.equal(await find(finder(new SourcifySources({ url: service.url }))), undefined);
      const body = { name: 'Long', language: 'solidity', source_code: content };
      const explorer = await serve(() => ({ body }));
      const blockscout = new BlockscoutSources({ eth: explorer.url });
      assert.equal(await blockscout.find({ key: 'eth' }, account(1), NEVER), null);
    }
    const fits = answer();
    fits.sources['src/Long.sol'] = { content: '\n'.repeat(400_000) };
    const service = await serve(() => ({ body: fits }));
    const found = await find(finder(new SourcifySources({ url: service.url })));
    assert.deepEqual(names(found), ['src/Base.sol', 'src/Shop.sol', 'src/Long.sol']);
  });
});

describe('a source map', () => {
  it('is refused with an entry for each byte instead of each instruction, and with endless entries', () => {
    // PUSH1 0, STOP: two instructions.
    assert.ok(SourceMap.of('1:2:0:-:0;3', '600000'));
    assert.equal(SourceMap.of('1:2:0:-:0;3;4', '600000'), undefined);
    assert.equal(SourceMap.of(`${'0'.repeat(100)}:2:0:-:0`, '600000'), undefined);
  });
});
