import assert from 'node:assert/strict';
import {
  executionWarnings,
  withWarnings,
} from '../../../../server/execution/engines/execution-warnings';
import { emittedLogs } from '../../../../server/evm/families/polygon/added-logs';
import { P256_VERIFY } from '../../../../server/evm/rules/precompiles';
import { account, frame, word } from '../../../support/analysis';
import { certainRules } from '../../../support/block-rules';

const ARB_SYS = '0x0000000000000000000000000000000000000064';

describe('precompiled contracts that an engine lacks', () => {
  const rules = { ...certainRules('prague'), warnings: ['assumed'] };

  it('are named if they are called', () => {
    const arbitrum = { ...rules, chainId: 42_161 };
    assert.deepEqual(executionWarnings(arbitrum, [account(1), ARB_SYS, ARB_SYS]), {
      warnings: [
        'assumed',
        "the engine does not execute the precompiled contract ArbSys (0x64), which the transaction calls: its status, gas and changes may differ from the chain's",
      ],
      isIncomplete: true,
    });
    const op = { ...rules, chainId: 10, extraPrecompiles: [P256_VERIFY] };
    assert.match(executionWarnings(op, [P256_VERIFY]).warnings[1] ?? '', /P256VERIFY \(0x100\)/);
  });

  it('are not named if they are not called, or are no precompiled contracts of the chain', () => {
    const none = { warnings: ['assumed'], isIncomplete: false };
    assert.deepEqual(executionWarnings({ ...rules, chainId: 42_161 }, [account(1)]), none);
    assert.deepEqual(executionWarnings(rules, [ARB_SYS, P256_VERIFY]), none);
  });

  it('are not named for an execution by the rules of the chain', () => {
    const op = { ...rules, chainId: 10, extraPrecompiles: [P256_VERIFY] };
    const root = frame({ to: P256_VERIFY });
    const trace = { root, method: 'replay', reportedGas: 0 } as const;
    assert.equal(withWarnings(trace, op).warnings?.length, 2);
    const exact = withWarnings({ ...trace, executor: 'process' }, op);
    assert.deepEqual(exact.warnings, ['assumed']);
  });
});

describe('logs that Polygon adds to receipts', () => {
  it('are told apart from those that code emits', () => {
    const native = '0x0000000000000000000000000000000000001010';
    const fee = '0x4dfe1bbbcf077ddc3e01291eea2d5c70c2b422b415d95645b9adcfd678cb1d63';
    const logs = [
      { address: account(1), topics: [fee] },
      { address: native, topics: [word(1)] },
      { address: native, topics: [fee, word(1)] },
      { address: native, topics: [] },
    ] as const;
    assert.deepEqual(emittedLogs(logs), [logs[0], logs[1], logs[3]]);
    assert.equal(emittedLogs(logs.slice(0, 2)).length, 2);
  });
});
