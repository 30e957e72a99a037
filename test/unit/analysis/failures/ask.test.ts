import assert from 'node:assert/strict';
import { askBefore } from '../../../../server/analysis/failures/ask';
import type { ExecutionState } from '../../../../server/analysis/execution-state';
import { account, mined, network, word } from '../../../support/analysis';
import { ScriptedRpc } from '../../../support/scripted-rpc';

const TOKEN = account(0x70);
const QUESTION = { to: TOKEN, data: '0x1234' } as const;
const STATE: ExecutionState = {
  native: new Map(),
  before: { [TOKEN]: { balance: '0x5', stateDiff: { [word(1)]: word(2) } } },
  after: {},
};
const signal = new AbortController().signal;

describe('questions about the state before a transaction', () => {
  const asked: unknown[][] = [];
  const answer = async (byBlock: Record<string, string>, state: ExecutionState | undefined) => {
    asked.length = 0;
    const rpc = new ScriptedRpc({
      eth_call: (...params: unknown[]) => {
        asked.push(params);
        return byBlock[params[1] as string] ?? null;
      },
    });
    const ask = askBefore(network(rpc), mined(), () => Promise.resolve(state), signal);
    return ask([QUESTION]);
  };

  it('are asked with the touched slots as before it', async () => {
    const both = { '0x63': word(7), '0x64': word(7) };
    assert.deepEqual(await answer(both, STATE), [7n]);
    assert.deepEqual(
      asked.map(([, block, state]) => [block, state]),
      ['0x63', '0x64'].map((block) => [block, { [TOKEN]: { stateDiff: { [word(1)]: word(2) } } }]),
    );
  });

  it('have no answer if it differs between the block and the one before', async () => {
    assert.deepEqual(await answer({ '0x63': word(7), '0x64': word(8) }, STATE), [undefined]);
  });

  it('have no answer if it is no word, or the state is not known', async () => {
    assert.deepEqual(await answer({ '0x63': '0x', '0x64': '0x' }, STATE), [undefined]);
    assert.deepEqual(await answer({}, undefined), [undefined]);
    assert.deepEqual(asked, []);
  });
});
