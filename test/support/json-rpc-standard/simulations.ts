import { ALICE, BOB, COUNTER } from '../../integration/fork-upstream';
import * as form from './forms';
import type { JsonRpcFixture } from './fixture';
import { fails, has, type StandardCase, type StandardMethod } from './standard-case';

const POOR = `0x${'c0'.repeat(19)}01`;
const CALL = { from: ALICE.address, to: COUNTER };
const SEND = { from: ALICE.address, to: BOB.address, value: '0x1' };
const later = (number: number): object => ({
  blockOverrides: { number: `0x${number.toString(16)}` },
});

const blocks = (...blockStateCalls: object[]): object => ({ blockStateCalls });
const refused = (title: string, code: number, payload: object): StandardCase =>
  fails(title, code, payload, 'latest');

/** Cases of `eth_simulateV1`. Refusals expect the error codes of execution-apis. */
export const SIMULATIONS: StandardMethod = {
  method: 'eth_simulateV1',
  cases: [
    has('blocks with `size` and hashes', form.simulatedBlocks, blocks({ calls: [CALL, SEND] })),
    has('with transactions', form.simulatedFullBlocks, {
      ...blocks({ calls: [CALL, { ...CALL, data: '0xff' }] }),
      returnFullTransactions: true,
    }),
    has('gaps as empty blocks', form.simulatedBlocks.length(4), ({ head }: JsonRpcFixture) =>
      blocks(later(head + 3), {}),
    ),
    refused('nothing: invalid parameters', -32602, blocks()),
    refused('nonce too low', -38010, {
      ...blocks({ calls: [{ ...CALL, nonce: '0x0', maxFeePerGas: '0x2540be400' }] }),
      validation: true,
    }),
    refused('nonce too high', -38011, {
      ...blocks({ calls: [{ ...CALL, nonce: '0x777', maxFeePerGas: '0x2540be400' }] }),
      validation: true,
    }),
    refused('fee below the base fee', -38012, { ...blocks({ calls: [CALL] }), validation: true }),
    refused('intrinsic gas', -38013, blocks({ calls: [{ ...CALL, gas: '0x1' }] })),
    refused('no funds', -38014, blocks({ calls: [{ ...SEND, from: POOR }] })),
    refused('gas above the block', -38015, {
      blockStateCalls: [
        {
          blockOverrides: { gasLimit: '0x186a0' },
          calls: [CALL, { ...CALL, gas: '0x186a0' }],
        },
      ],
    }),
    refused('numbers out of order', -38020, blocks(later(0x30), later(0x2f))),
    refused(
      'times out of order',
      -38021,
      blocks(
        { blockOverrides: { time: '0x77359400' } },
        { blockOverrides: { time: '0x77359400' } },
      ),
    ),
    refused('a precompile moved onto itself', -38022, {
      blockStateCalls: [
        {
          stateOverrides: {
            [`0x${'00'.repeat(19)}01`]: { movePrecompileToAddress: `0x${'00'.repeat(19)}01` },
          },
        },
      ],
    }),
    refused('too many blocks', -38026, blocks(later(0x1000))),
    fails('unknown block', -32000, blocks({}), '0xffff'),
  ],
};
