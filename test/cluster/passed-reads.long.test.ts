import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import { call } from '../support/json-rpc';
import { describeWith } from '../support/programs';
import type { TestService } from '../support/service';
import { usePostgres } from '../support/storages';
import { ALICE, at, Team } from './team';

const TRANSFER = { from: ALICE, to: ALICE, value: '0x1' };
const REVERTS = '0x00000000000000000000000000000000000000f1';
const LONG = '0x00000000000000000000000000000000000000f2';
/** PUSH1 0, PUSH1 0, REVERT. */
const REVERT_CODE = '0x60006000fd';
const LIMIT = 100;

describeWith(['initdb'], 'reads of a fork that another node runs', function () {
  this.timeout(120_000);
  const postgres = usePostgres();
  let team: Team;
  let fork: Fork;
  let owner: TestService;
  let other: TestService;
  const start = async (config: object = {}): Promise<void> => {
    const service = { args: ['--sandbox', '--trusted-proxy', '127.0.0.1'], config };
    team = await Team.start(postgres(), 2, [], { leaseSeconds: 3, service });
    fork = await team.createFork(team.nodes[0]!);
    owner = await team.ownerOf(fork);
    other = team.otherThan(owner);
  };
  afterEach(() => team.stop());

  const post = (node: TestService, body: string): Promise<Response> =>
    fetch(at(node, fork), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'one' },
      body,
    });
  const shown = async (response: Response): Promise<object> => {
    const { status, headers } = response;
    const names = ['content-type', 'access-control-allow-origin', 'x-request-id', 'retry-after'];
    const values = names.map((name) => headers.get(name));
    return { status, values, body: await response.text() };
  };

  it('are answered as by the node that runs it', async () => {
    await start();
    const hash = await call(at(other, fork), 'eth_sendTransaction', TRANSFER);
    await call(at(other, fork), 'anvil_setCode', REVERTS, REVERT_CODE);
    await call(at(other, fork), 'anvil_setCode', LONG, `0x${'60'.repeat(40_000)}`);
    const bodyOf = (method: string, params: unknown, id: unknown = 1): string =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const reads = [
      bodyOf('eth_getBalance', [ALICE, 'latest']),
      bodyOf('eth_call', [{ to: ALICE, data: '0x01' }, 'latest']),
      bodyOf('eth_call', [{ to: REVERTS }, 'latest']),
      bodyOf('eth_estimateGas', [TRANSFER]),
      bodyOf('eth_estimateGas', [{ to: REVERTS }]),
      bodyOf('eth_getTransactionReceipt', [hash]),
      bodyOf('eth_getTransactionByHash', [hash]),
      bodyOf('eth_getTransactionReceipt', [`0x${'1'.repeat(64)}`]),
      bodyOf('eth_getBlockByNumber', ['latest', true]),
      bodyOf('eth_feeHistory', ['0x2', 'latest', [50]]),
      bodyOf('eth_getBalance', ['0x1', 'latest']),
      bodyOf('eth_getBalance', [ALICE, '0xffffffff']),
      bodyOf('eth_blockNumber', [], 'text "with" \n everything €'),
      bodyOf('eth_gasPrice', [], null),
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"eth_chainId"}',
      '{"method":"eth_call","jsonrpc":"2.0","id":2,"params":[{"data":"0x"},"latest",{}]}',
      ' \n{"id":1,"method":"net_version","params":null}',
      bodyOf('eth_getCode', [LONG, 'latest']),
      '{"jsonrpc":"2.0","method":"eth_call","params":[{},"latest"]}',
      '[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}]',
      '{"jsonrpc":"2.0","id":1,"method":"eth_nothing"}',
      '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":{}}',
      '{"jsonrpc":"2.0","id":{},"method":"eth_call"}',
      `{"method":"eth_call","params":${'['.repeat(2_000)}${']'.repeat(2_000)}}`,
      '{"method":"eth_call"',
    ];
    for (const body of reads) {
      const answer = await shown(await post(other, body));
      assert.deepEqual(answer, await shown(await post(owner, body)), body);
    }
  });

  it('see every change that was acknowledged before', async () => {
    await start();
    for (let value = 1; value <= 50; value++) {
      const balance = `0x${value.toString(16)}`;
      await call(at(value % 2 === 0 ? owner : other, fork), 'anvil_setBalance', ALICE, balance);
      assert.equal(await call(at(other, fork), 'eth_getBalance', ALICE, 'latest'), balance);
    }
  });

  it('wake the fork again, and are answered after its node was killed', async () => {
    await start();
    await call(at(other, fork), 'anvil_setBalance', ALICE, '0x7');
    await team.sleep(fork);
    assert.equal(await call(at(other, fork), 'eth_getBalance', ALICE, 'latest'), '0x7');
    const reads = Array.from({ length: 20 }, (_, index) =>
      call(at(other, fork), 'eth_call', { to: ALICE, data: `0x0${index % 10}` }, 'latest'),
    );
    await owner.kill();
    assert.deepEqual(new Set(await Promise.all(reads)), new Set(['0x']));
    assert.equal(await call(at(other, fork), 'eth_getBalance', ALICE, 'latest'), '0x7');
    assert.equal(await team.ownerOf(fork), other);
  });

  it('count for the address of their client', async () => {
    await start({ limits: { rpcCallsPerMinute: LIMIT } });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
    const from = async (client: string, node: TestService): Promise<number> => {
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': client };
      const answer = await fetch(at(node, fork), { method: 'POST', headers, body });
      await answer.text();
      assert.equal(answer.headers.get('retry-after') !== null, answer.status === 429);
      return answer.status;
    };
    for (let count = 0; count < LIMIT; count++) assert.equal(await from('10.0.0.1', other), 200);
    for (const node of team.nodes) {
      assert.equal(await from('10.0.0.1', node), 429);
      assert.equal(await from('10.0.0.2', node), 200);
    }
  });
});
