#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { dataDirOption } from '../options';
import { VERSION } from '../version';
import { registerAdmin } from './admin';
import { registerAnalyze } from './analyze';
import { registerDemo } from './demo';
import { registerDoctor } from './doctor/doctor';
import { registerMcp } from './mcp';
import { registerSandboxCommands } from './sandbox';
import { registerStore } from './store/store';

const program = new Command('forklens')
  .description('Administers a Forklens service, and shows what it can do.')
  .version(VERSION)
  .addOption(dataDirOption())
  .option('--json', 'print JSON')
  .configureHelp({ showGlobalOptions: true })
  .exitOverride();

registerAdmin(program);
registerAnalyze(program);
registerSandboxCommands(program);
registerDemo(program);
registerMcp(program);
registerDoctor(program);
registerStore(program);

// Who reads the output may go, as `head` does: the command still comes to its end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

program.parseAsync().catch((error: unknown) => {
  // Commander has told its own errors by now.
  if (!(error instanceof CommanderError)) console.error(`error: ${(error as Error).message}`);
  process.exitCode = error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : 1;
});
