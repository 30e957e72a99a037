import assert from 'node:assert/strict';
import { ContractBook } from '../../../../extension/contracts/contract-book';
import type { ForkContract } from '../../../../extension/model/fork-contract';
import type { ApiClient } from '../../../../extension/model/api-client';
import type { ForkNode } from '../../../../extension/model/tree-node';
import { silentLog } from '../support';

type Memento = ConstructorParameters<typeof ContractBook>[1];

/** Stores copies, as the editor does. */
function memento(): Memento {
  const values = new Map<string, string>();
  const get = (key: string, fallback?: unknown): unknown => {
    const text = values.get(key);
    return text === undefined ? fallback : JSON.parse(text);
  };
  const update = (key: string, value: unknown): Promise<void> => {
    values.set(key, JSON.stringify(value));
    return Promise.resolve();
  };
  return { get, update, keys: () => [...values.keys()] } as Memento;
}

const noClient = {} as ApiClient;
const contract = (digit: string, name = 'Till'): ForkContract => ({
  address: `0x${digit.repeat(40)}`,
  name,
  origin: 'deployed',
  abi: [],
});

describe('the contracts of forks', () => {
  it('are kept by fork over restarts, each address once, the newest last', async () => {
    const stored = memento();
    const book = new ContractBook(noClient, stored, silentLog);
    const changed: string[] = [];
    book.onDidChange((forkId) => changed.push(forkId));
    await book.put('fork_1', contract('a'));
    await book.put('fork_1', contract('b'));
    await book.put('fork_2', contract('c'));
    await book.put('fork_1', contract('a', 'Till2'));
    assert.deepEqual(changed, ['fork_1', 'fork_1', 'fork_2', 'fork_1']);
    const again = new ContractBook(noClient, stored, silentLog);
    assert.deepEqual(
      again.of('fork_1').map(({ name, address }) => [name, address.slice(0, 3)]),
      [
        ['Till', '0xb'],
        ['Till2', '0xa'],
      ],
    );
    await again.remove('fork_1', contract('b').address);
    assert.equal(again.of('fork_1').length, 1);
    assert.deepEqual(again.of('fork_3'), []);
  });

  it('are those of 50 forks, 100 of each', async () => {
    const book = new ContractBook(noClient, memento(), silentLog);
    for (let at = 0; at < 51; at++) await book.put(`fork_${at}`, contract('a'));
    assert.equal(book.of('fork_0').length, 0);
    assert.equal(book.of('fork_1').length, 1);
    for (let at = 0; at < 101; at++) {
      const address = `0x${String(at).padStart(40, '0')}`;
      await book.put('fork_50', { ...contract('a'), address });
    }
    assert.equal(book.of('fork_50').length, 100);
  });

  it('are not looked for on a fork that sleeps, because that would wake it', () => {
    const book = new ContractBook(noClient, memento(), silentLog);
    const node = { kind: 'fork', fork: { forkId: 'fork_1', state: 'sleeping' } } as ForkNode;
    book.recognise(node, [{ hash: `0x${'1'.repeat(64)}` }]);
  });
});
