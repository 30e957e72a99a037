import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { metricsTokenSchema, proxySchema, type Config } from '../../api/config';
import { LIMITS } from '../../api/limits';
import { loadConfig, UsageError } from './config-file';
import { readDatabaseUrl } from './database-url';
import { toFolder, toFolders } from './folders';
import { LOG_LEVELS, type LogLevel } from './log';
import { TlsFiles } from './tls-files';
import { DATABASE_VARIABLE, METRICS_VARIABLE } from './secret-arguments';

/** Options of the service: from the command line, else the environment, else the defaults. Includes the parsed config file. */
export interface Options {
  host: string;
  /** 0: any free port */
  port: number;
  /** Absolute. */
  dataDir: string;
  config: Config;
  /** Also run the built-in chain. */
  sandbox: boolean;
  /** Register the local user and keep a key in `<data-dir>/access-key`. */
  localUser: boolean;
  /** Stop when stdin ends. */
  stdinLifeline: boolean;
  /** Base URL of the forks' RPC addresses if clients do not reach the service directly. No trailing slash. */
  publicUrl: string | undefined;
  allowedHosts: readonly string[];
  /** Addresses and networks of proxies whose X-Forwarded-* headers count. */
  trustedProxies: readonly string[];
  /** URL of a PostgreSQL database, a secret. Undefined: the files of the data directory. */
  database: string | undefined;
  /** Duration of the leases of forks, with a database. */
  leaseSeconds: number;
  /** Base URL at which the other nodes on the database reach this one. No trailing slash. */
  nodeUrl: string | undefined;
  /** Folders whose `node_modules` have compilers of Solidity. Absolute. */
  solc: readonly string[];
  /** Undefined: the service speaks plain HTTP. */
  tls: TlsFiles | undefined;
  logLevel: LogLevel;
}

interface Flags extends Omit<
  Options,
  'config' | 'publicUrl' | 'database' | 'nodeUrl' | 'trustedProxies' | 'tls'
> {
  config?: string;
  publicUrl?: string;
  anvil?: string;
  database?: string;
  nodeUrl?: string;
  capacity?: number;
  trustedProxy?: readonly string[];
  tlsCert?: string;
  tlsKey?: string;
}

/** `--data-dir`, used by the service and the command line. */
const dataDirOption = (): Option =>
  new Option('--data-dir <folder>', 'where users, projects and forks are kept')
    .env('FORKLENS_DATA_DIR')
    .default(join(homedir(), '.forklens'), '~/.forklens')
    .argParser(unlessEmpty(toFolder));

/** Where the service listens, and where its data is. */
const withAddressOptions = (command: Command): Command =>
  command
    .addOption(option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(option('--port <number>', '0 for any free port', parsePort).default(8787))
    .addOption(dataDirOption());

/** Of a service on a database. */
const withDatabaseOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--database <url>',
        'postgres://…, in place of files; the variable keeps it out of process lists',
      ).env(DATABASE_VARIABLE),
    )
    .addOption(
      option(
        '--lease-seconds <seconds>',
        'with a database: how long a fork waits for a node that died',
        parseLease,
      ).default(10),
    )
    .addOption(
      option('--node-url <url>', 'with a database: where other nodes reach this one', parseBaseUrl),
    )
    .addOption(
      option(
        '--capacity <engines>',
        'with a database: engines that may run on this node (engine.maxRunning)',
        parseCapacity,
      ),
    );

/** What the service offers, and to whom. */
const withContentOptions = (command: Command): Command =>
  command
    .addOption(option('--config <file>', 'JSON: chains, ABI sources, prices, engine, limits'))
    .addOption(switchOption('--sandbox', 'serve the built-in chain as well; needs no network'))
    .addOption(
      switchOption('--local-user', 'keep a key of the local user in <data-dir>/access-key'),
    )
    .addOption(switchOption('--stdin-lifeline', 'stop when standard input ends'));

/** How clients reach the service. */
const withAccessOptions = (command: Command): Command =>
  command
    .addOption(option('--public-url <url>', "base of the forks' RPC addresses", parseBaseUrl))
    .addOption(
      option(
        '--allowed-hosts <names>',
        'further accepted host names, separated by commas',
        parseNames,
      ).default([], 'none'),
    )
    .addOption(
      option(
        '--trusted-proxy <addresses>',
        'proxies whose X-Forwarded-* headers count; repeatable',
        parseProxies,
      ),
    )
    .addOption(option('--tls-cert <file>', 'serve HTTPS with this certificate chain (PEM)'))
    .addOption(option('--tls-key <file>', 'private key of the certificate (PEM)'));

/** Programs that the service uses, and its log. */
const withToolOptions = (command: Command): Command =>
  command
    .addOption(option('--anvil <path>', 'the anvil to use instead of the bundled one'))
    .addOption(
      option(
        '--solc <folders>',
        'folders into which solc was installed from npm, separated by commas',
        toFolders,
      ).default([], '<data-dir>/solc'),
    )
    .addOption(option('--log-level <level>', LOG_LEVELS.join(', '), parseLogLevel).default('info'));

/**
 * @param argv in the format of `process.argv`
 * @throws CommanderError for bad options and for `--help` (its message is already on stderr); UsageError for a bad config file
 */
export function parseOptions(argv: readonly string[], version: string): Options {
  const plain = new Command('forklens-server')
    .description('Forks EVM chains and analyzes transactions, over REST.')
    .version(version)
    .allowExcessArguments(false)
    .exitOverride();
  const groups = [
    withAddressOptions,
    withDatabaseOptions,
    withContentOptions,
    withAccessOptions,
    withToolOptions,
  ];
  // In the order of the help.
  const command = groups.reduce((all, withOptions) => withOptions(all), plain);
  const {
    config: configPath,
    anvil,
    publicUrl,
    database,
    nodeUrl,
    capacity,
    trustedProxy,
    tlsCert,
    tlsKey,
    ...flags
  } = command.parse(argv).opts<Flags>();
  const config = loadConfig(unset(configPath));
  const url = readDatabaseUrl(database);
  if (url === undefined) refuseNodeOptions(command);
  return {
    ...flags,
    publicUrl: unset(publicUrl),
    nodeUrl: unset(nodeUrl),
    database: url,
    tls: openTls(unset(tlsCert), unset(tlsKey)),
    trustedProxies: trustedProxy ?? config.trustedProxies,
    config: {
      ...config,
      ...metricsOf(config),
      engine: {
        ...config.engine,
        ...(anvil ? { anvilPath: anvil } : {}),
        ...(capacity ? { maxRunning: capacity } : {}),
      },
    },
  };
}

/** @throws UsageError */
function openTls(cert: string | undefined, key: string | undefined): TlsFiles | undefined {
  if (cert !== undefined && key !== undefined) return TlsFiles.open(cert, key);
  if (cert === undefined && key === undefined) return undefined;
  const [given, missing] = cert === undefined ? ['key', 'cert'] : ['cert', 'key'];
  throw new UsageError(
    `--tls-${given} needs --tls-${missing} (FORKLENS_TLS_${missing.toUpperCase()})`,
  );
}

/** The token of the metrics: the variable takes precedence over the config file. @throws UsageError without the value */
function metricsOf({ metrics }: Config): Pick<Config, 'metrics'> {
  const given = process.env[METRICS_VARIABLE] ?? '';
  if (given === '') return { metrics };
  const token = metricsTokenSchema.safeParse(given);
  if (token.success) return { metrics: { token: token.data } };
  throw new UsageError(
    `${METRICS_VARIABLE} is a hidden value; accepted: 16-256 visible ASCII characters`,
  );
}

/** Without a database there are no other nodes. @throws UsageError */
function refuseNodeOptions(command: Command): void {
  const given = command.options.find((one) => {
    if (!['nodeUrl', 'capacity', 'leaseSeconds'].includes(one.attributeName())) return false;
    const source = command.getOptionValueSource(one.attributeName());
    return source === 'cli' || (source === 'env' && process.env[one.envVar ?? ''] !== '');
  });
  if (!given) return;
  throw new UsageError(
    `${given.long ?? ''} (${given.envVar ?? ''}) needs a database: --database or ${DATABASE_VARIABLE}`,
  );
}

/** Exit code for an error of `parseOptions`: 0 after `--help` and `--version`, else 2. */
export const exitCodeOf = (error: unknown): number =>
  error instanceof CommanderError && error.exitCode === 0 ? 0 : 2;

/** An option that can also be set as `FORKLENS_<NAME>`. An empty variable counts as unset. */
function option(flags: string, description: string, parse: Parse = (text) => text): Option {
  const result = new Option(flags, description).argParser(unlessEmpty(parse));
  return result.env(variableOf(result));
}

/** A flag. Its variable accepts `true` and `false`. */
function switchOption(flag: string, description: string): Option {
  const result = new Option(`${flag} [enabled]`, description)
    .preset('true')
    .default(false)
    .argParser(unlessEmpty(parseSwitch));
  return result.env(variableOf(result));
}

const variableOf = (result: Option): string =>
  `FORKLENS_${result.name().toUpperCase().replaceAll('-', '_')}`;

type Parse = (text: string, previous?: unknown) => unknown;

/** Commander returns an empty text for an option that has no default and an empty variable. */
const unset = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

const unlessEmpty =
  (parse: Parse) =>
  (text: string, previous: unknown): unknown =>
    text === '' ? previous : parse(text, previous);

function parseSwitch(text: string): boolean {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  if (/^(false|0|no|off)$/i.test(text)) return false;
  throw new InvalidArgumentError('Accepted: true or false.');
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('Accepted: a whole number from 0 to 65535.');
}

function parseLease(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,4}$/.test(text) && seconds >= 2 && seconds <= 3_600) return seconds;
  throw new InvalidArgumentError('Accepted: a whole number from 2 to 3600.');
}

function parseCapacity(text: string): number {
  const engines = Number(text);
  if (/^\d{1,5}$/.test(text) && engines >= 1 && engines <= LIMITS.capacity) return engines;
  throw new InvalidArgumentError(`Accepted: a whole number from 1 to ${LIMITS.capacity}.`);
}

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new InvalidArgumentError('Accepted: an http:// or https:// URL without query.');
  }
  return url.href.replace(/\/$/, '');
}

const parseNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Addresses separated by commas, after those of the option's earlier uses. */
function parseProxies(text: string, previous: unknown): string[] {
  const addresses = parseNames(text);
  const wrong = addresses.find((one) => !proxySchema.safeParse(one).success);
  if (wrong !== undefined) {
    throw new InvalidArgumentError(
      `${wrong} is neither an IP address nor a network. Accepted: 10.0.0.2, 10.0.0.0/8, fd00::/8.`,
    );
  }
  return [...(Array.isArray(previous) ? (previous as string[]) : []), ...addresses];
}

function parseLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level) return level;
  throw new InvalidArgumentError(`Accepted: ${LOG_LEVELS.join(', ')}.`);
}
