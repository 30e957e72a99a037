import { Option, type Command } from 'commander';
import { text as readAll } from 'node:stream/consumers';
import pico from 'picocolors';
import { doctorEndpointsSchema, type DoctorReport, type Finding } from '../../api/doctor';
import { loadConfig } from '../../config-file';
import { VERSION } from '../../version';
import { checkEndpoints } from './check-endpoints';
import { checkIsolation } from './check-isolation';
import { checkDataDirectory, checkEngine, checkNode, checkPort } from './check-machine';
import { checkAccessKey, checkConfig, checkService } from './check-service';

interface DoctorFlags {
  config?: string;
  port: string;
  endpointsFromStdin?: boolean;
}

/** `doctor`: looks at everything that the service needs, and says what to do. Exit code 1 where something failed. */
export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check engine, disk, ports, keys and endpoints, and say what to do')
    .addOption(new Option('--config <file>', 'of the service').env('FORKLENS_CONFIG'))
    .addOption(new Option('--port <number>', 'of the service').env('FORKLENS_PORT').default('8787'))
    .option('--endpoints-from-stdin', 'check the endpoints in the JSON on standard input as well')
    .action(async (flags: DoctorFlags) => {
      const { dataDir, json } = program.opts<{ dataDir: string; json?: true }>();
      const report = { version: VERSION, findings: await examine(dataDir, flags) };
      console.log(json ? JSON.stringify(report, null, 2) : toText(report));
      if (report.findings.some(({ status }) => status === 'failed')) process.exitCode = 1;
    });
}

async function examine(dataDir: string, flags: DoctorFlags): Promise<Finding[]> {
  const path = flags.config === '' ? undefined : flags.config;
  const { finding: configFinding, config } = checkConfig(path, () => loadConfig(path));
  const given = flags.endpointsFromStdin
    ? doctorEndpointsSchema.parse(JSON.parse(await readAll(process.stdin)))
    : [];
  const { finding: serviceFinding, url } = await checkService(dataDir, VERSION);
  const ours = url === undefined ? undefined : Number(new URL(url).port);
  const anvil = config?.engine.anvilPath ?? process.env['FORKLENS_ANVIL'];
  const [engine, isolation, directory, key, port, endpoints] = await Promise.all([
    checkEngine(anvil === '' ? undefined : anvil, process.env['PATH']),
    checkIsolation(),
    checkDataDirectory(dataDir),
    checkAccessKey(dataDir, url),
    checkPort('127.0.0.1', Number(flags.port), ours),
    checkEndpoints(config?.chains ?? [], given),
  ]);
  const node = checkNode(process.versions.node);
  const machine = [node, engine, isolation, directory];
  return [...machine, configFinding, serviceFinding, key, port, ...endpoints];
}

const SIGNS = {
  ok: pico.green('✓'),
  warning: pico.yellow('!'),
  failed: pico.red('✗'),
} as const;

function toText({ version, findings }: DoctorReport): string {
  const lines = findings.flatMap(({ name, status, message, advice }) => [
    `${SIGNS[status]} ${pico.bold(name)}: ${message}`,
    ...(advice === undefined ? [] : [`  → ${advice}`]),
  ]);
  const count = (wanted: Finding['status']): number =>
    findings.filter(({ status }) => status === wanted).length;
  const sum = `${count('ok')} fine, ${count('warning')} to improve, ${count('failed')} to mend`;
  return [`Forklens ${version}`, ...lines, sum].join('\n');
}
