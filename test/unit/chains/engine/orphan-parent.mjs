// Started by process.test.ts: starts an engine, prints its pid, and waits to be killed.
import { launchCommand } from '../../../../server/chains/engine/launch-command.ts';
import { anvilStarter } from '../../../../server/chains/engine/engine-process.ts';

const [binary, home, platform] = process.argv.slice(2);
const start = anvilStarter({
  binary,
  home,
  launch: (file, args) => launchCommand(file, args, platform),
});
const { pid } = await start({ hardfork: 'prague' });
process.stdout.write(`${pid}\n`);
process.stdin.resume();
