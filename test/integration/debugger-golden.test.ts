import { recordedOverRest } from '../support/golden/rest-debugger';
import { runScript } from '../support/golden/run-script';
import type { ScriptStep } from '../support/golden/script';
import { startService, type TestService } from '../support/service';

/** Scripts of the sandbox's story, over REST. Its contracts are compiled with the optimizer: 200 runs. */
describe('golden scripts of the sandbox', function () {
  this.timeout(60_000);
  let service: TestService;
  before(async () => {
    service = await startService({ args: ['--sandbox'] });
  });
  after(() => service.stop());

  const golden = (title: string, id: string, script: readonly ScriptStep[]): void => {
    it(title, async () => {
      await runScript(await recordedOverRest(service, id), script);
    });
  };

});
