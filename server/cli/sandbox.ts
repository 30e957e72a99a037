import type { Command } from 'commander';
import pico from 'picocolors';
import { loadSandboxContracts } from '../sandbox/contracts';
import { renderStory } from '../sandbox/list';
import { planSandbox } from '../sandbox/plan';

/** `sandbox list`: every transaction of the built-in chain. Needs no service: its hashes are fixed. */
export function registerSandboxCommands(program: Command): void {
  const sandbox = program.command('sandbox').description('the built-in chain');
  sandbox
    .command('list')
    .description('list its transactions, with hash, block:position and what each shows')
    .action((_options: unknown, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: true }>();
      const { story } = planSandbox(loadSandboxContracts());
      console.log(json ? JSON.stringify(story, null, 2) : renderStory(story, pico.dim));
    });
}
