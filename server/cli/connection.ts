import { Option } from 'commander';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { createApiClient, type ApiClient } from '../api/client';

export interface ConnectionFlags {
  url?: string;
  key?: string;
}

const DEFAULT_URL = 'http://127.0.0.1:8787';

/** How commands that ask a running service find it. */
export const connectionOptions = (): Option[] => [
  new Option(
    '--url <url>',
    'of the service (default: the one that runs on the data directory)',
  ).env('FORKLENS_URL'),
  new Option('--key <key>', 'access key (default: that of --local-user)').env(
    'FORKLENS_ACCESS_KEY',
  ),
];

/** A client of the service that the flags name, or of the one that runs on the data directory: looked for at each call. */
export function openClient(dataDir: string, { url, key }: ConnectionFlags): ApiClient {
  return createApiClient(async () => ({
    baseUrl: url ?? (await runningUrl(dataDir)) ?? DEFAULT_URL,
    accessKey: key ?? (await localUserKey(dataDir)),
  }));
}

const recordSchema = z.object({ url: z.string() });

/** Of the service that holds the directory; undefined where none does, or none is ready. */
export async function runningUrl(dataDir: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(dataDir, 'service.json'), 'utf8');
    return recordSchema.parse(JSON.parse(text)).url;
  } catch {
    return undefined;
  }
}

/** Undefined where the service does not run with `--local-user`; it then says that a key is missing. */
export async function localUserKey(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'access-key'), 'utf8').catch(() => undefined);
  return text?.trim();
}
