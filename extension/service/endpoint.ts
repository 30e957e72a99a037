import * as l10n from '@vscode/l10n';
import type { Log } from '../editor/log';
import type { Ownership, ServiceConnection } from '../model/service';
import {
  DATA_DIRECTORY_IN_USE,
  ServiceProcess,
  ServiceStartError,
  type ServiceProcessOptions,
} from './service-process';
import {
  findRunningService,
  serviceSettled,
  serviceGone,
  type RunningService,
} from './service-record';

/** One service that was started or found, until it ends. */
export interface Endpoint {
  ownership: Ownership;
  connection: ServiceConnection;
  /** Resolves with a description of its end for the log. */
  gone: Promise<string>;
  /** Stops an owned process; only detaches from another window's service. */
  close(): Promise<void>;
}

const OCCUPIED_RETRIES = 12;

/**
 * Attaches to the service that uses the data directory, or starts one. If several windows try at once, one acquires the lock of
 * the data directory; the others wait until its service is ready, then attach.
 * @throws ServiceStartError if the service cannot start
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
      await serviceSettled(options.dataDirectory, signal);
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

function attach(record: RunningService, log: Log): Endpoint {
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
