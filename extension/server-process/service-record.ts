import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import * as z from 'zod';
import { healthSchema, type Health } from '../../server/api/routes';

/** `<data-dir>/service.json`: what the process that holds the directory writes about itself. */
const holderSchema = z.object({
  pid: z.int(),
  /** null while it starts or stops. */
  url: z.url().nullable(),
  instance: z.string(),
});
export type ServiceRecord = z.infer<typeof holderSchema> & { url: string };

const RECORD_FILE = 'service.json';
const HEALTH_TIMEOUT_MS = 5_000;
const SETTLE_TIMEOUT_MS = 5_000;

/** The service that runs on the data directory and answers; undefined where there is none, whatever a killed one left behind. */
export async function findRunningService(
  dataDirectory: string,
): Promise<ServiceRecord | undefined> {
  const holder = await readHolder(dataDirectory);
  if (holder === undefined || holder.url === null) return undefined;
  const url = holder.url.replace(/\/$/, '');
  const health = await fetchHealth(url).catch(() => undefined);
  return health?.instance === holder.instance ? { ...holder, url } : undefined;
}

/** Waits while the process that holds the directory starts or stops; a few seconds at most, as it may have been killed. */
export function holderSettled(dataDirectory: string, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(SETTLE_TIMEOUT_MS)]);
  return new Promise((resolve) => {
    const watcher = watch(dataDirectory, { signal: limit });
    const look = (): void => {
      void readHolder(dataDirectory).then((holder) => {
        if (holder?.url !== null) watcher.close();
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

async function readHolder(
  dataDirectory: string,
): Promise<z.infer<typeof holderSchema> | undefined> {
  try {
    const text = await readFile(path.join(dataDirectory, RECORD_FILE), 'utf8');
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** @throws Error where nothing answers, or something that is no Forklens service */
export async function fetchHealth(url: string): Promise<Health> {
  const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
  return healthSchema.parse(await response.json());
}

/**
 * Resolves when the service of the record is gone. An open connection tells at once when its process ends;
 * a connection that the service merely closed for being idle is opened again.
 */
export async function serviceGone(record: ServiceRecord, signal: AbortSignal): Promise<void> {
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
