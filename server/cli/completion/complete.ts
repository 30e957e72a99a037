import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createApiClient, type ApiClient } from '../../api/client';
import { timeoutSignal } from '../../api/timeout-signal';
import { visibleText } from '../../api/visible-text';
import { listForks } from '../command-handlers/references';
import { Profiles } from '../connection/profiles';
import { findRunningService, localUserKey } from '../connection/running-service';
import type { LiveSource } from '../command-specs/kinds';
import { completionOf, type Candidate } from './candidates';

/** The shell waits for the answer, so slower sources are omitted. */
const TIMEOUT_MS = 1_000;

/** Prints candidates for a shell, one per line. Queries a running service and starts none. */
export async function complete(words: readonly string[]): Promise<string> {
  const { candidates, live, dataDir } = completionOf(words);
  if (live === 'files') return ':files\n';
  const asked = live === undefined ? [] : await fetchCandidates(live, dataDir).catch(() => []);
  const current = words.at(-1) ?? '';
  return [...candidates, ...asked]
    .filter(([word]) => word.startsWith(current))
    .map(([word, what]) => `${word}\t${visibleText(what)}\n`)
    .join('');
}

async function fetchCandidates(
  source: LiveSource,
  dataDir: string | undefined,
): Promise<readonly Candidate[]> {
  const profiles = await new Profiles().read();
  if (source === 'profiles') {
    return Object.entries(profiles.profiles).map(([name, { url }]) => [name, url]);
  }
  const client = await openClient(dataDir, profiles.current ?? undefined);
  if (client === undefined) return [];
  switch (source) {
    case 'chains':
      return chains(client);
    case 'forks':
      return forks(client);
    case 'chains and forks':
      return [...(await chains(client)), ...(await forks(client).catch(() => []))];
    case 'projects': {
      const projects = await client.call('listProjects', {}, timeout());
      return projects.map(({ projectId, name }) => [projectId, name]);
    }
    case 'files':
      return [];
  }
}

const timeout = () => ({ signal: timeoutSignal(TIMEOUT_MS) });

/** The service that a command would use, if it is running. */
async function openClient(
  dataDir: string | undefined,
  current: string | undefined,
): Promise<ApiClient | undefined> {
  const { FORKLENS_URL: url = '', FORKLENS_ACCESS_KEY: key = '' } = process.env;
  const { FORKLENS_DATA_DIR: directory = '', FORKLENS_PROFILE: named = '' } = process.env;
  if (url !== '') {
    return createApiClient(() => Promise.resolve({ baseUrl: url, accessKey: key }));
  }
  const profile = named === '' ? current : named;
  if (dataDir === undefined && directory === '' && profile !== undefined) {
    const { url: baseUrl, accessKey } = await new Profiles().get(profile);
    return createApiClient(() => Promise.resolve({ baseUrl, accessKey }));
  }
  const folder = resolve(dataDir ?? (directory === '' ? join(homedir(), '.forklens') : directory));
  const running = await findRunningService(folder);
  if (running === undefined) return undefined;
  const accessKey = key === '' ? await localUserKey(folder) : key;
  return createApiClient(() => Promise.resolve({ baseUrl: running.url, accessKey }));
}

async function chains(client: ApiClient): Promise<Candidate[]> {
  const all = await client.call('listChains', {}, timeout());
  return all.map(({ slug, name }) => [slug, name]);
}

async function forks(client: ApiClient): Promise<Candidate[]> {
  const all = await listForks(client);
  return all.map(({ fork }) => [fork.forkId, `${fork.name} (${fork.chain})`]);
}
