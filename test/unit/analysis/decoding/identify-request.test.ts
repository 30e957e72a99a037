import assert from 'node:assert/strict';
import { identifyRequestWork } from '../../../../server/analysis/decoding/identify-request';
import { atOnce } from '../../../../server/kernel/async/slices';
import { account, frame, HASH, log, word } from '../../../support/analysis';

describe('identifyRequestWork', () => {
  it('collects what needs an interface', () => {
    const block = { number: 5n, hash: HASH };
    const [A, B, C, D] = [1, 2, 3, 4].map((number) => account(number));
    const root = frame({
      to: A!,
      input: '0x11111111',
      error: 'execution reverted',
      output: '0x22222222ff',
      items: [
        log(B!, [word(7), word(8)]),
        log(B!, []),
        frame({ type: 'CREATE', to: C!, input: '0x6001', output: '0x60' }),
        frame({ type: 'CREATE2', to: D!, input: '0x6002', output: '0x33333333', error: 'x' }),
        frame({ type: 'CREATE2', to: null, input: '0x6003' }),
        frame({ type: 'SELFDESTRUCT', to: account(9), input: '0x44444444' }),
        frame({ to: A!, input: '0x55', output: '0x66666666' }),
        frame({ type: 'STATICCALL', to: A!, input: '0x77777777' }),
      ],
    });
    assert.deepEqual(atOnce(identifyRequestWork(root, block)), {
      addresses: new Set([A, B, C, D]),
      deployed: new Map([[C, '0x60']]),
      initCodes: new Set(['0x6001', '0x6002', '0x6003']),
      selectors: new Set(['0x22222222', '0x11111111', '0x33333333', '0x77777777']),
      topics: new Set([word(7)]),
      block,
    });
  });
});
