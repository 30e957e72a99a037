import assert from 'node:assert/strict';
import { RecordedSession } from '../support/recordings';
import { sandboxTransactions } from '../support/sandbox-hashes';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';
import { unplacedSteps } from '../support/unplaced-steps';

/** Of each transaction. */
const STEPS = 60;

describe('steps of the sandbox’s transactions', () => {
  let service: SandboxService;

  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  it('have places, or contracts that say why not', async function () {
    this.timeout(300_000);
    const found: string[] = [];
    let steps = 0;
    for (const [name, hash] of Object.entries(sandboxTransactions)) {
      const session = await RecordedSession.open(service, 'sandbox', hash);
      steps += session.recording.steps;
      const unplaced = await unplacedSteps(session, STEPS);
      found.push(...unplaced.map((one) => `${name}: ${one}`));
    }
    assert.deepEqual(found, []);
    assert.ok(steps > 10_000, `${steps} steps`);
  });
});
