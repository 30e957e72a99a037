import assert from 'node:assert/strict';
import { AbiCoder, concat, id } from 'ethers';
import type { Analysis } from '../../server/api/views';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const OTHER = `0x${'51'.repeat(20)}`;
/** A smart account. */
const WALLET = `0x${'52'.repeat(20)}`;
const EXECUTE = 'execute(bytes32,bytes)';
const selector = (text: string): string => id(text).slice(2, 10);
/** STOP, and the selector at a position like a dispatcher's. */
const CODE = `0x00${selector(EXECUTE)}${'00'.repeat(120)}`;

describe('calls that smart accounts execute', () => {
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  it('decodes what smart accounts execute (ERC-7579, EIP-7821)', async () => {
    const coder = AbiCoder.defaultAbiCoder();
    const inner = concat(['0xa9059cbb', coder.encode(['address', 'uint256'], [ALICE, 7n])]);
    const executed = async (start: string, data: string) => {
      const call = concat([
        `0x${selector(EXECUTE)}`,
        coder.encode(['bytes32', 'bytes'], [start.padEnd(66, '0'), data]),
      ]);
      const body = {
        from: ALICE,
        to: WALLET,
        data: call,
        stateOverrides: { [WALLET]: { code: CODE } },
      };
      const answer = await service.request<Analysis>('POST', '/v1/explorer/sandbox/simulate', {
        body,
      });
      assert.equal(answer.message, 'OK');
      const node = answer.data.dataMap['0']!;
      assert.ok('invocation' in node);
      const nested = node.invocation.decodedMethod?.callParams[1]?.nested ?? [];
      return nested.map(({ path, to, name, value, operation, mayFail, callParams }) => [
        path,
        to,
        name,
        value,
        operation,
        mayFail,
        callParams[1]?.value,
      ]);
    };
    const single = concat([OTHER, coder.encode(['uint256'], [0n]), inner]);
    const of = (path: string, to: string, ...rest: unknown[]) => [
      path,
      to,
      'transfer',
      '0',
      undefined,
      ...rest,
      '7',
    ];
    assert.deepEqual(await executed('0x0000', single), [of('', OTHER, undefined)]);
    assert.deepEqual(await executed('0x0001', single), [of('', OTHER, true)]);
    const batch = coder.encode(
      ['(address,uint256,bytes)[]'],
      [
        [
          [OTHER, 0n, inner],
          [`0x${'00'.repeat(20)}`, 0n, inner],
        ],
      ],
    );
    const both = [of('[0]', OTHER, undefined), of('[1]', WALLET, undefined)];
    assert.deepEqual(await executed('0x0100', batch), both);
    assert.deepEqual(await executed('0x01000000000078210001', batch), both);
    assert.deepEqual(await executed('0x0200', single), []);
  });
});
