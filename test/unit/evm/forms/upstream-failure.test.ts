import assert from 'node:assert/strict';
import { upstreamFailure } from '../../../../server/evm/forms/upstream-failure';

const UNREACHABLE = 'error sending request for url (<endpoint>); client error (Connect)';
const ACCOUNT = `failed to get account for 0x${'77'.repeat(20)}: `;

describe('an engine that could not read its chain', () => {
  for (const [what, message] of [
    ['an account', `${ACCOUNT}${UNREACHABLE}`],
    ['retries', `${ACCOUNT}Max retries exceeded ${UNREACHABLE}`],
    ['an answer that was cut off', `${ACCOUNT}deserialization error: EOF at line 1 column 0\n`],
    ['a slot', `failed to get storage for 0x${'77'.repeat(20)} at 0: ${UNREACHABLE}`],
    ['a block hash', `failed to get block hash for 7: ${UNREACHABLE}`],
    ['a trace', `database error: ${ACCOUNT}${UNREACHABLE}`],
    [
      'a request that is passed on',
      'Fork Error: Transport(Custom(reqwest::Error { kind: Request }))',
    ],
  ] as const) {
    it(`names the chain: ${what}`, () => {
      const error = upstreamFailure({ code: -32603, message }, 'chain eth');
      assert.equal(error?.kind, 'upstreamUnreachable');
      assert.equal(error.message, "the fork's engine could not read chain eth; try again");
    });
  }

  it('repeats what the upstream said', () => {
    const said = 'no RPC endpoint of chain eth answers (ECONNREFUSED)';
    const message = `${ACCOUNT}server returned an error response: error code -32002: ${said}`;
    for (const text of [message, `${message}, data: "x"`]) {
      assert.equal(upstreamFailure({ code: -32603, message: text })?.message, said);
    }
  });

  it('is not what a contract says that reverts with these words', () => {
    const message = `execution reverted: ${ACCOUNT}${UNREACHABLE}`;
    assert.equal(upstreamFailure({ code: 3, message }), undefined);
  });

  it('is not any other error', () => {
    assert.equal(upstreamFailure({ code: -32603, message: 'EVM error StackUnderflow' }), undefined);
  });
});
