import { text as readAll } from 'node:stream/consumers';
import type { Colors } from 'picocolors/types';
import { doctorEndpointsSchema, type DoctorReport, type Finding } from '../../api/doctor';
import type { Endpoint } from '../../api/endpoint';
import { fieldPath } from '../../api/validation';
import { loadConfig } from '../../composition/startup/config-file';
import { VERSION } from '../../composition/startup/version';
import type { Handler } from '../command-handlers/context';
import { UsageError } from '../errors/usage-error';
import { checkEndpoints } from './check-endpoints';
import { checkCompilers } from './check-compilers';
import { checkIsolation } from './check-isolation';
import { checkDataDirectory, checkEngine, checkNode, checkPort } from './check-machine';
import { checkAccessKey, checkConfig, checkService } from './check-service';
import { checkStatus } from './check-status';

/** Checks the prerequisites of the service and suggests remedies. Exit code 1 if a check failed. */
export const doctorCommand: Handler<'doctor'> = async (input, { globals, out }) => {
  const given = input.endpointsFromStdin ? await readEndpoints() : [];
  const options = { ...input, config: globals.config, given };
  const report = { version: VERSION, findings: await examine(globals.dataDir, options) };
  out.result(report, () => toText(report, out.colors));
  if (report.findings.some(({ status }) => status === 'failed')) process.exitCode = 1;
};

interface DoctorOptions {
  config: string | undefined;
  port: number;
  given: readonly Endpoint[];
}

async function examine(
  dataDir: string,
  { config: path, port: number, given }: DoctorOptions,
): Promise<Finding[]> {
  const { finding: configFinding, config } = checkConfig(path, () => loadConfig(path));
  const { finding: serviceFinding, url } = await checkService(dataDir, VERSION);
  const ours = url === undefined ? undefined : Number(new URL(url).port);
  const anvil = config?.engine.anvilPath ?? process.env['FORKLENS_ANVIL'];
  const [engine, solc, isolation, directory, status, key, port, endpoints] = await Promise.all([
    checkEngine(anvil === '' ? undefined : anvil, process.env['PATH']),
    checkCompilers(process.env['FORKLENS_SOLC'] ?? '', dataDir),
    checkIsolation(),
    checkDataDirectory(dataDir),
    checkStatus(dataDir, url),
    checkAccessKey(dataDir, url),
    checkPort('127.0.0.1', number, ours),
    checkEndpoints(config?.chains ?? [], given),
  ]);
  const node = checkNode(process.versions.node);
  const machine = [node, engine, solc, isolation, directory];
  return [...machine, configFinding, serviceFinding, ...status, key, port, ...endpoints];
}

const ENDPOINTS = 'standard input of --endpoints-from-stdin';

/** @throws ApiError, UsageError; the messages omit the input, which may contain keys */
async function readEndpoints(): Promise<Endpoint[]> {
  const text = await readAll(process.stdin);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UsageError(
      `${ENDPOINTS} is not JSON; accepted: a list of {"slug", "chainId", "url"}`,
    );
  }
  const parsed = doctorEndpointsSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = fieldPath(issue?.path ?? [], 'the list');
  throw new UsageError(
    `${ENDPOINTS}: ${where} is not accepted; accepted: a list of {"slug", "chainId", "url"}`,
  );
}

function toText({ version, findings }: DoctorReport, colors: Colors): string {
  const signs = {
    ok: colors.green('✓'),
    warning: colors.yellow('!'),
    failed: colors.red('✗'),
  } as const;
  const lines = findings.flatMap(({ name, status, message, advice }) => [
    `${signs[status]} ${colors.bold(name)}: ${message}`,
    ...(advice === undefined ? [] : [`  → ${advice}`]),
  ]);
  const count = (wanted: Finding['status']): number =>
    findings.filter(({ status }) => status === wanted).length;
  const sum = `${count('ok')} ok, ${count('warning')} with a warning, ${count('failed')} failed`;
  return [`Forklens ${version}`, ...lines, sum].join('\n');
}
