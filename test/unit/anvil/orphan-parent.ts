// Started by process.test.ts: starts an engine, tells its pid, and waits to be killed.
import { anvilStarter } from '../../../server/anvil/process';
import { launchCommand } from '../../../server/anvil/launch-command';

const [binary = '', home = '', platform] = process.argv.slice(2);
const start = anvilStarter({
  binary,
  home,
  launch: (file, args) => launchCommand(file, args, platform as NodeJS.Platform),
});
void start({ hardfork: 'prague' }).then(({ pid }) => {
  process.stdout.write(`${pid}\n`);
});
process.stdin.resume();
