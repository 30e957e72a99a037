import type { Logger } from 'pino';
import { UsageError } from './config-file';
import { createLog, flushLog } from './log';
import { exitCodeOf, parseOptions, type Options } from './options';
import { startServices, type Services } from './services';
import { DirectoryInUseError, UnusableDirectoryError } from './store/data-directory';
import { VERSION } from './version';

/** Exit codes besides 0: failed; bad options, config file or data directory; data directory in use. */
const EXIT = { failure: 1, usage: 2, inUse: 3 } as const;
/** A service that crashed, or that is asked to stop and does not, ends after this long in any case. */
const STOP_DEADLINE_MS = 15_000;
/** Label of the key that is handed to a parent process. */
const EDITOR_LABEL = 'VS Code';

function readOptions(): Options {
  try {
    return parseOptions(process.argv, VERSION);
  } catch (error) {
    if (error instanceof UsageError) process.stderr.write(`error: ${error.message}\n`);
    process.exit(exitCodeOf(error));
  }
}

/** Ends the process when the service is told to, or crashes. The first reason counts. */
function endWith(services: Promise<Services>, options: Options, log: Logger): void {
  let ending = false;
  const end = (exitCode: number): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(exitCode || EXIT.failure), STOP_DEADLINE_MS).unref();
    void services
      .then((running) => running.stop())
      .catch(() => undefined) // a start that failed has stopped its parts itself
      .then(flushLog)
      .finally(() => process.exit(exitCode));
  };
  const crash = (error: unknown): void => {
    log.fatal({ err: error }, 'the service failed unexpectedly and stops');
    end(EXIT.failure);
  };
  process.on('uncaughtException', crash).on('unhandledRejection', crash);
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

/** Over the process channel, a parent gets an access key that is never in a file: `{ type: 'issue-access-key' }` → `{ type: 'access-key', key }`. */
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
  if (error instanceof DirectoryInUseError) return EXIT.inUse;
  return error instanceof UnusableDirectoryError ? EXIT.usage : EXIT.failure;
}

void main();
