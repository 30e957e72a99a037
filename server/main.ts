import type { Logger } from 'pino';
import { UsageError } from './composition/startup/config-file';
import { createLog, flushLog } from './composition/startup/log';
import { exitCodeOf, parseOptions, type Options } from './composition/startup/options';
import {
  DATABASE_VARIABLE,
  hideDatabaseUrl,
  METRICS_VARIABLE,
} from './composition/startup/secret-arguments';
import { ApiError } from './api/errors';
import { SERVICE_EXIT } from './api/service-record';
import { RpcError } from './evm/forms/json-rpc';
import { startServices, type Services } from './composition/services';
import { DirectoryInUseError, UnusableDirectoryError } from './store/directory/data-directory';
import { VERSION } from './composition/startup/version';

/** Time after which a service that crashed or was asked to stop exits in any case. Milliseconds. */
const STOP_DEADLINE_MS = 15_000;
/** Label of the key that a parent process gets. */
const EDITOR_LABEL = 'VS Code';

function readOptions(): Options {
  try {
    const options = parseOptions(process.argv, VERSION);
    hideDatabaseUrl('forklens-server');
    // Child processes do not inherit them.
    for (const name of [DATABASE_VARIABLE, METRICS_VARIABLE]) {
      Reflect.deleteProperty(process.env, name);
    }
    return options;
  } catch (error) {
    if (error instanceof UsageError) process.stderr.write(`error: ${error.message}\n`);
    process.exit(exitCodeOf(error));
  }
}

/** Ends the process after a signal, the end of stdin or a crash. The first reason determines the exit code. */
function endWith(services: Promise<Services>, options: Options, log: Logger): void {
  let ending = false;
  const end = (exitCode: number): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(exitCode || SERVICE_EXIT.failure), STOP_DEADLINE_MS).unref();
    void services
      .then((running) => running.stop())
      .catch(() => undefined) // a failed start has already stopped its parts
      .then(flushLog)
      .finally(() => process.exit(exitCode));
  };
  const crash = (error: unknown): void => {
    log.fatal({ err: error }, 'the service failed unexpectedly and stops');
    end(SERVICE_EXIT.failure);
  };
  process.on('uncaughtException', crash).on('unhandledRejection', (error) => {
    // The answer to one request, for which nobody waited, breaks nothing else.
    if (error instanceof RpcError || error instanceof ApiError) {
      log.error({ err: error }, 'nobody waited for a failed request');
    } else crash(error);
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info({ signal }, 'stopping');
      end(0);
    });
  }
  if (options.stdinLifeline) {
    const stop = (): void => {
      log.info('standard input ended: stopping');
      end(0);
    };
    process.stdin.on('end', stop).on('error', stop).resume();
  }
}

/**
 * Issues an access key to a parent process over the process channel, so that the key is in no file:
 * `{ type: 'issue-access-key' }` → `{ type: 'access-key', key }`.
 */
function answerParent(services: Services, log: Logger): void {
  process.on('message', (message: unknown) => {
    const type = typeof message === 'object' && message && 'type' in message && message.type;
    if (type !== 'issue-access-key') return;
    services.accounts.localUser.issueKey(EDITOR_LABEL).then(
      (key) => process.send?.({ type: 'access-key', key }),
      (error: unknown) => {
        log.error({ err: error }, 'no access key could be issued');
      },
    );
  });
}

async function main(): Promise<void> {
  const options = readOptions();
  const log = createLog(options.logLevel);
  const starting = startServices(options, log);
  endWith(starting, options, log);
  try {
    const services = await starting;
    if (process.send) answerParent(services, log);
    log.info({ url: services.url, version: VERSION, dataDir: options.dataDir }, 'ready');
    const ready = { event: 'ready', url: services.url, pid: process.pid };
    process.stdout.write(`${JSON.stringify(ready)}\n`);
  } catch (error) {
    log.fatal(`the service cannot start: ${(error as Error).message}`);
    await flushLog();
    process.exit(exitCodeOfStart(error));
  }
}

function exitCodeOfStart(error: unknown): number {
  if (error instanceof DirectoryInUseError) return SERVICE_EXIT.inUse;
  return error instanceof UnusableDirectoryError ? SERVICE_EXIT.usage : SERVICE_EXIT.failure;
}

void main();
