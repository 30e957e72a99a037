import { watch } from 'node:fs';
import { connect } from 'node:net';
import { healthSchema, type Health } from '../../server/api/routes';
import type { ServiceRecord } from '../../server/api/service-record';
import { timeoutSignal } from '../../server/api/timeout-signal';
import { readServiceRecord } from '../../server/client/service-record';

/** null while it starts or stops. */
export type RunningService = ServiceRecord & { url: string };

const HEALTH_TIMEOUT_MS = 5_000;
const SETTLE_TIMEOUT_MS = 5_000;

/** The service that runs on the data directory and answers; undefined if there is none. A stale record of a killed service is ignored. */
export async function findRunningService(
  dataDirectory: string,
): Promise<RunningService | undefined> {
  const current = await readServiceRecord(dataDirectory);
  if (current === undefined || current.url === null) return undefined;
  const url = current.url.replace(/\/$/, '');
  const health = await fetchHealth(url).catch(() => undefined);
  return health?.instance === current.instance ? { ...current, url } : undefined;
}

/**
 * Waits while the process that holds the directory starts or stops. Waits at most a few seconds, because the process may have been killed.
 */
export function serviceSettled(dataDirectory: string, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([signal, timeoutSignal(SETTLE_TIMEOUT_MS)]);
  return new Promise((resolve) => {
    const watcher = watch(dataDirectory, { signal: limit });
    const look = (): void => {
      void readServiceRecord(dataDirectory).then((current) => {
        if (current?.url !== null) watcher.close();
      });
    };
    watcher.on('change', look);
    watcher.on('error', () => {
      watcher.close();
    });
    watcher.on('close', resolve);
    look();
  });
}

/** @throws Error if nothing answers, or if the answer is not from a Forklens service */
export async function fetchHealth(url: string): Promise<Health> {
  const response = await fetch(`${url}/health`, { signal: timeoutSignal(HEALTH_TIMEOUT_MS) });
  return healthSchema.parse(await response.json());
}

/**
 * Resolves when the service of the record is gone. An open connection reveals the end of its process at once; a connection that
 * the service only closed as idle is reopened.
 */
export async function serviceGone(record: RunningService, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await connectionClosed(record.url, signal);
    const health = await fetchHealth(record.url).catch(() => undefined);
    if (health?.instance !== record.instance) return;
  }
}

function connectionClosed(url: string, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
  const close = (): void => {
    socket.destroy();
  };
  signal.addEventListener('abort', close, { once: true });
  socket.on('error', () => undefined).resume();
  return new Promise((resolve) => {
    socket.once('close', () => {
      signal.removeEventListener('abort', close);
      resolve();
    });
  });
}
