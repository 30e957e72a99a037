import assert from 'node:assert/strict';
import type { Address } from '../../../../server/api/primitives';
import { CodeSources } from '../../../../server/contracts/sources/code-sources';
import { SourcifySources } from '../../../../server/contracts/sources/verified/sourcify-sources';
import { account, network } from '../../../support/analysis';
import { sourcifyAnswer } from '../../../support/compiled-source';
import { useJsonServices } from '../../../support/json-service';
import { CODE, find, finder, NEVER, shop } from './find-verified';

describe('requests for sources to Sourcify', () => {
  const serve = useJsonServices();

  it('for a contract that is not verified are repeated after an hour', async () => {
    let time = 0;
    const service = await serve(() => ({ status: 404, body: { match: null } }));
    const sources = finder(new SourcifySources({ url: service.url }), () => time);
    for (const at of [0, 3_599_999, 3_600_000]) {
      time = at;
      assert.equal(await find(sources), undefined);
    }
    assert.equal(service.asked.length, 2);
  });

  it('lack the newest field for a server that does not know it', async () => {
    const error = { customCode: 'invalid_parameter', message: 'no such field', errorId: '1' };
    const service = await serve((url) =>
      url.search.includes('transient')
        ? { status: 400, body: error }
        : { body: { ...sourcifyAnswer(shop), transientStorageLayout: undefined } },
    );
    const sources = finder(new SourcifySources({ url: service.url }));
    assert.equal((await find(sources))?.match, 'exact');
    assert.equal((await find(sources, { address: account(2) }))?.match, 'exact');
    assert.deepEqual(
      service.asked.map((path) => path.includes('transient')),
      [true, false, false],
    );
  });

  it('find nothing on a chain that the server does not know', async () => {
    const error = { customCode: 'unsupported_chain', message: 'no', errorId: '1' };
    const service = await serve(() => ({ status: 400, body: error }));
    assert.equal(await find(finder(new SourcifySources({ url: service.url }))), undefined);
    assert.equal(service.asked.length, 1);
  });

  it('pause while the server refuses, hangs or fails', async () => {
    for (const answer of [{ status: 429, body: {} }, { status: 500, body: {} }, undefined]) {
      const service = await serve(() => answer);
      // Long enough for a request to arrive on a busy machine.
      const sources = finder(new SourcifySources({ url: service.url, timeoutMs: 2_000 }));
      for (const number of [1, 2]) {
        assert.equal(await find(sources, { address: account(number) }), undefined);
      }
      assert.equal(service.asked.length, 1);
    }
  });

  it('are not made for short code, private networks, and creations without an account', async () => {
    const service = await serve(() => ({ body: sourcifyAnswer(shop) }));
    const sources = finder(new SourcifySources({ url: service.url }));
    assert.equal(await find(sources, { code: `0xef0100${'ab'.repeat(20)}` }), undefined);
    const nobody: Address = `0x${'0'.repeat(40)}`;
    assert.equal(await find(sources, { address: nobody, isCreation: true }), undefined);
    const all = new CodeSources({ finders: [sources], isPrivate: () => true });
    const executed = { address: account(1), code: CODE, isCreation: false };
    assert.equal(await all.sourceOf(network(), executed, NEVER), undefined);
    assert.deepEqual(service.asked, []);
  });

  it('end when the caller gives up', async () => {
    const service = await serve(() => undefined);
    const cancelled = new AbortController();
    const executed = { address: account(1), code: CODE, isCreation: false };
    const sources = finder(new SourcifySources({ url: service.url }));
    const finding = sources.find(network(), executed, cancelled.signal);
    cancelled.abort(new Error('given up'));
    await assert.rejects(finding, /given up/);
  });
});
