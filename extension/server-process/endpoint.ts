import * as l10n from '@vscode/l10n';
import type { Log } from '../log';
import type { Ownership, ServiceConnection } from './service';
import {
  DATA_DIRECTORY_IN_USE,
  ServiceProcess,
  ServiceStartError,
  type ServiceProcessOptions,
} from './service-process';
import {
  findRunningService,
  holderSettled,
  serviceGone,
  type ServiceRecord,
} from './service-record';

/** One service that was started or found, until it is gone. */
export interface Endpoint {
  ownership: Ownership;
  connection: ServiceConnection;
  /** Resolves with how it ended, as words for the log. */
  gone: Promise<string>;
  /** Lets go of it: an owned process is stopped, another window's is left alone. */
  close(): Promise<void>;
}

const OCCUPIED_RETRIES = 12;

/**
 * Attaches to the service that runs on the data directory, or starts one. Of several windows that try at once one gets
 * the directory's lock; the others find it occupied until the winner is ready, and attach then.
 * @throws ServiceStartError where it cannot start
 */
export async function openEndpoint(
  options: ServiceProcessOptions,
  signal: AbortSignal,
): Promise<Endpoint> {
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted();
    const record = await findRunningService(options.dataDirectory);
    if (record !== undefined) return attach(record, options.log);
    try {
      return await startOwned(options, signal);
    } catch (error) {
      const occupied =
        error instanceof ServiceStartError && error.exit?.code === DATA_DIRECTORY_IN_USE;
      if (!occupied || attempt >= OCCUPIED_RETRIES) throw error;
      options.log.debug('the data directory is in use by a service that is not ready yet');
      await holderSettled(options.dataDirectory, signal);
    }
  }
}

async function startOwned(options: ServiceProcessOptions, signal: AbortSignal): Promise<Endpoint> {
  const service = new ServiceProcess(options);
  const abort = (): void => void service.stop();
  signal.addEventListener('abort', abort, { once: true });
  try {
    const url = await service.ready;
    signal.throwIfAborted();
    options.log.info(`service started: process ${service.pid ?? 'unknown'}, ${url}`);
    return {
      ownership: 'owner',
      connection: { url, issueAccessKey: () => service.issueAccessKey() },
      gone: service.exited.then(({ code, signal: by }) =>
        l10n.t('ended with {0}', by ?? l10n.t('code {0}', code ?? '?')),
      ),
      close: async () => {
        await service.stop();
      },
    };
  } catch (error) {
    await service.stop();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function attach(record: ServiceRecord, log: Log): Endpoint {
  const watch = new AbortController();
  log.info(`attached to the service of process ${record.pid}, ${record.url}`);
  return {
    ownership: 'attached',
    connection: { url: record.url, issueAccessKey: undefined },
    gone: serviceGone(record, watch.signal).then(() => `process ${record.pid} is gone`),
    close: () => {
      watch.abort();
      return Promise.resolve();
    },
  };
}
