import { recordedOverRest } from '../support/golden/rest-debugger';
import { runScript } from '../support/golden/run-script';
import type { ScriptStep } from '../support/golden/script';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

/** Why local variables of optimized code have no values. */
export const OPTIMIZED =
  'unavailable, because it was compiled with the optimizer, which moves and merges variables on the stack';

/** A test that debugs a transaction of the sandbox by a script. */
type Golden = (title: string, id: string, script: readonly ScriptStep[]) => void;

/**
 * Scripts of the sandbox's story, over REST. Its vault and the thief are compiled without the optimizer, all other contracts with it: 200
 * runs.
 */
export function goldenSuite(title: string, scripts: (golden: Golden) => void): void {
  describe(`golden scripts of the sandbox: ${title}`, function () {
    this.timeout(180_000);
    let service: SandboxService;
    before(async () => {
      service = await sandboxService();
    });
    after(() => service.release());

    scripts((title, id, script) => {
      it(title, async () => {
        await runScript(await recordedOverRest(service, id), script);
      });
    });
  });
}
