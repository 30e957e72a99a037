import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Recording, Variables } from '../../server/api/recording';
import {
  BUILD_FOLDER as BUILD,
  debugArguments,
  forkEnvironment,
  runForge,
  type ForkedTests,
  type ListedTest,
} from '../../server/client/forge';
import { binary, Foundry, SOLC } from '../support/foundry';
import { RecordedSession } from '../support/recordings';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

/** A Foundry project whose tests forge executes, and a service that records them. */
export class ForgeSuite {
  private constructor(
    readonly home: string,
    readonly project: string,
    readonly service: TestService,
  ) {}

  static async open(): Promise<ForgeSuite> {
    const home = await makeTemporaryDirectory();
    const { project } = await Foundry.open(home, 'forge-tests');
    const suite = new ForgeSuite(home, project, await startService({ args: ['--sandbox'] }));
    await suite.#readBuild();
    return suite;
  }

  async close(): Promise<void> {
    await this.service.stop();
    await removeDirectory(this.home);
  }

  /** @returns the file that forge wrote */
  async execute(test: ListedTest, fork?: ForkedTests): Promise<string> {
    const output = join(this.home, `${test.name}.json`);
    const args = [...debugArguments(test), '--use', SOLC];
    const env = { HOME: this.home, ...forkEnvironment(fork) };
    const run = { forge: binary('forge'), folder: this.project, args, env };
    const { code, errors } = await runForge(run, output);
    assert.equal(code, 0, errors);
    await this.#readBuild();
    return output;
  }

  record(body: object): Promise<{ data: Recording; message: string }> {
    return this.service.request<Recording>('POST', '/v1/tests/recording', { body });
  }

  async debug(test: ListedTest): Promise<RecordedSession> {
    const { data, message } = await this.record({ file: await this.execute(test) });
    assert.equal(message, 'OK');
    return RecordedSession.open(this.service, data.chain, data.transaction);
  }

  async #readBuild(): Promise<void> {
    const folders = [join(this.project, BUILD, 'out')];
    await this.service.request('PUT', '/v1/artifact-folders', { body: { folders } });
  }
}

/** `name = value` of each variable of a scope. */
export async function variablesAt(
  session: RecordedSession,
  step: number,
  scope: string,
): Promise<string[]> {
  const { variables } = await session.get<Variables>(`/step/${step}/variables?scope=${scope}`);
  return variables.map(({ name, value, unavailable }) => `${name} = ${unavailable ?? value}`);
}
