import assert from 'node:assert/strict';
import type { Analysis } from '../../server/api/views';
import { sandboxHash } from '../support/sandbox-hashes';
import { type Answer } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';

describe('an impossible or endless simulation', function () {
  this.timeout(120_000);
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());
  const simulate = (body: object, chain = 'sandbox'): Promise<Answer<Analysis>> =>
    service.request<Analysis>('POST', `/v1/explorer/${chain}/simulate`, { body });

  it('leaves the node available to others while it loops until all gas is used', async () => {
    const loop = { [BOB]: { code: '0x5b600056' } };
    const body = { from: ALICE, to: BOB, gas: 250_000_000, stateOverrides: loop };
    const looping = await simulate(body);
    assert.equal(looping.data.status, false);
    const located = sandboxHash('send-ether');
    const path = `/v1/explorer/sandbox/transaction/${located}/analysis`;
    assert.equal((await service.request('GET', path)).message, 'OK');
  });

  it('is rejected with the invalid field', async () => {
    const call = { from: ALICE, to: BOB };
    for (const [body, message] of [
      [{ to: BOB }, 'from is missing; accepted: an address: 0x and 40 hex digits'],
      [
        { ...call, height: '0xffff' },
        'height is 65535 (0xffff); accepted: a block up to 18 (0x12), the head of sandbox, "safe" or "latest"',
      ],
      [
        { ...call, height: '0x8', position: 99 },
        /^position is 99; accepted: 0 to \d+: block 8 of sandbox has \d+ transactions$/,
      ],
      [
        { ...call, stateOverrides: { [BOB]: { storage: {} } } },
        `stateOverrides.${BOB}.storage is not known; accepted: balance, nonce, code, state, stateDiff`,
      ],
      [{ ...call, gas: 3e8 }, /^gas is 300000000; accepted: gas: .* up to 250000000$/],
      [
        { ...call, gasPrice: `0x1${'0'.repeat(32)}` },
        /^gasPrice is "0x10+"; accepted: wei: 0x hex or a decimal number up to 2\^128 - 1$/,
      ],
      [
        { ...call, blockOverrides: { baseFeePerGas: `0x1${'0'.repeat(16)}` } },
        /^blockOverrides.baseFeePerGas is "0x10+"; accepted: wei: .* up to 18446744073709551615$/,
      ],
      [
        { ...call, accessList: [{ address: BOB, storageKeys: ['0x0'] }] },
        'accessList[0].storageKeys[0] is "0x0"; accepted: slots: 0x and 64 hex digits',
      ],
      [
        { ...call, maxFeePerGas: '\0', maxPriorityFeePerGas: '0x0' },
        /^maxFeePerGas is "\\u0000"; accepted: wei: .* up to 2\^128 - 1$/,
      ],
      [
        { ...call, maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x6' },
        'maxPriorityFeePerGas is "0x6"; accepted: wei up to maxFeePerGas, which is required with it',
      ],
      [{ from: ALICE }, 'data is missing; accepted: init code if to is missing'],
      [
        { ...call, stateOverrides: { [BOB]: { state: {}, stateDiff: {} } } },
        `stateOverrides.${BOB} is {"state":{},"stateDiff":{}}; accepted: state or stateDiff, not both`,
      ],
      [
        { ...call, stateOverrides: { [BOB]: { balance: '-1', nonce: 2 ** 60, code: '0x1' } } },
        /^stateOverrides\.0x3c44\w+\.balance is "-1"; accepted: wei: .*; stateOverrides\.\w+\.nonce is .*; stateOverrides\.\w+\.code is "0x1"; accepted: bytes/,
      ],
      [
        { ...call, stateOverrides: { [BOB]: { stateDiff: { '0x1': 'one' } } } },
        `stateOverrides.${BOB}.stateDiff.0x1 is "one"; accepted: a word: 0x and 1 to 64 hex digits`,
      ],
      [
        { ...call, blockOverrides: { timestamp: 1 } },
        /^blockOverrides\.timestamp is not known; accepted: number, time, /,
      ],
      [
        { ...call, blobVersionedHashes: ['0x02'], maxFeePerBlobGas: 1 },
        'blobVersionedHashes[0] is "0x02"; accepted: versioned hashes: 0x01 and 62 hex digits',
      ],
      [
        { ...call, maxFeePerBlobGas: 1 },
        'maxFeePerBlobGas is "0x1"; accepted: none without blobVersionedHashes',
      ],
      [
        { ...call, blobVersionedHashes: [`0x01${'00'.repeat(31)}`] },
        'maxFeePerBlobGas is missing; accepted: wei, required with blobVersionedHashes',
      ],
      [
        { ...call, gasPrice: 1, maxFeePerGas: 2 },
        /^gasPrice is "0x1"; accepted: none together with maxFeePerGas$/,
      ],
    ] as const) {
      const answer = await simulate(body);
      assert.deepEqual([answer.status, answer.code], [400, 40001], answer.message);
      if (typeof message === 'string') assert.equal(answer.message, message);
      else assert.match(answer.message, message);
    }
    const unknown = await simulate(call, 'nowhere');
    assert.equal(unknown.code, 40404);
    const cheap = await simulate({ ...call, maxFeePerGas: 1 });
    assert.equal(cheap.code, 42200);
    assert.match(
      cheap.message,
      /^the transaction cannot be executed: maxFeePerGas is 1 wei, and the base fee \d+ wei$/,
    );
  });
});
