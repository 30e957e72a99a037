import { CommandLine } from '../support/command-line';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

/** A service with the sandbox, and the command line on its data directory. */
export class CliSuite {
  service!: TestService;
  /** The user's configuration folder. */
  home!: string;
  cli!: CommandLine;
}

/** Registers the hooks of a test suite of the command line. */
export function useCommandLine(): CliSuite {
  const suite = new CliSuite();
  before(async () => {
    suite.home = await makeTemporaryDirectory();
    suite.service = await startService({ args: ['--sandbox'] });
    suite.cli = new CommandLine(suite.home, { FORKLENS_DATA_DIR: suite.service.dataDir });
  });
  after(async () => {
    await suite.service.stop();
    await removeDirectory(suite.home);
  });
  return suite;
}
