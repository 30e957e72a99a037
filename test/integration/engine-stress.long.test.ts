import assert from 'node:assert/strict';
import { blobBlock, randomBlock, stress, type BusyBlock } from '../support/engine-stress';

/** The long version is `npm run test:stress`. */
describe('an engine with many simultaneous reads of upstream data', function () {
  this.timeout(300_000);
  let block: BusyBlock;
  afterEach(() => block.close());

  for (const open of [blobBlock, randomBlock]) {
    for (const [latencyMs, workers] of [
      [0, 1],
      [20, undefined],
    ] as const) {
      it(`answers all (${open.name}, upstream ${latencyMs} ms away, ${workers ?? 'as many threads as cores'})`, async () => {
        block = await open();
        const { hung, failed } = await stress(block, { creations: 3, latencyMs, workers });
        assert.deepEqual({ hung, failed }, { hung: [], failed: [] });
      });
    }
  }
});
