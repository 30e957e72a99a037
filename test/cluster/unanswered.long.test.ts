import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import { eventually } from '../support/eventually';
import { call } from '../support/json-rpc';
import { signalAll } from '../support/processes';
import { describeWith } from '../support/programs';
import type { TestService } from '../support/service';
import { usePostgres } from '../support/storages';
import { at, Team } from './team';

const BLOCK_NUMBER = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] };
/** A deadline against hangs, on a slow machine. The unit tests of `WaitingTime` have the exact times. */
const ANSWER_MS = 60_000;

describeWith(['initdb'], 'a request whose node does not answer', function () {
  this.timeout(240_000);
  const postgres = usePostgres();
  let team: Team;
  let fork: Fork;
  let owner: TestService;
  let other: TestService;
  beforeEach(async () => {
    team = await Team.start(postgres(), 2);
    fork = await team.createFork(team.nodes[0]!);
    owner = await team.ownerOf(fork);
    other = team.otherThan(owner);
    assert.equal(await call(at(other, fork), 'eth_chainId'), '0x7a69');
  });
  afterEach(async () => {
    for (const node of team.nodes) team.proxyOf(node).restore();
    await team.stop();
  });

  for (const [how, what] of [
    ['lost', 'is away'],
    ['late', 'does not answer'],
  ] as const) {
    it(`is refused where the node is frozen and the database ${what}, and served afterwards`, async () => {
      const frozen = [owner.child.pid!];
      signalAll(frozen, 'SIGSTOP');
      team.proxyOf(other).cut(how);
      try {
        const { code, data } = await refusal(at(other, fork));
        assert.equal(code, -32002);
        assert.ok(Number(data?.retryAfter) >= 1, String(data?.retryAfter));
      } finally {
        signalAll(frozen, 'SIGCONT');
        team.proxyOf(other).restore();
      }
      assert.equal(
        await eventually(() => call(at(other, fork), 'eth_chainId'), ANSWER_MS),
        '0x7a69',
      );
    });
  }
});

async function refusal(url: string): Promise<{ code: number; data?: { retryAfter?: number } }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(BLOCK_NUMBER),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const body = (await answer.json()) as { error?: { code: number; data?: object } };
  assert.ok(body.error, JSON.stringify(body));
  return body.error;
}
