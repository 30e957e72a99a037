import { text as readAll } from 'node:stream/consumers';
import { createApiClient } from '../../api/client';
import { Profiles } from '../connection/profiles';
import type { ACCOUNT_COMMANDS } from '../command-specs/service-commands';
import { UsageError } from '../errors/usage-error';
import type { Handlers } from './context';
import { readSecret } from './read-secret';
import { findProject } from './references';

/** Profiles, and the owner of the access key. */
export const accountCommands: Handlers<keyof typeof ACCOUNT_COMMANDS> = {
  login: async ({ serviceUrl, name }, { out, signal, globals }) => {
    if (name === 'none') throw new UsageError('--name is "none"; accepted: any other name');
    const accessKey = globals.accessKey ?? (await keyFromStdin(signal));
    if (accessKey === '') throw new UsageError('standard input contains no access key');
    const client = createApiClient(() => Promise.resolve({ baseUrl: serviceUrl, accessKey }));
    const account = await client.call('getAccount', {}, { signal });
    const profiles = new Profiles();
    await profiles.store(name, { url: serviceUrl, accessKey });
    const text = `Logged in to ${serviceUrl} as ${account.nickname} <${account.email}> (profile "${name}").`;
    const { nickname, email, scopes } = account;
    out.result({ profile: name, url: serviceUrl, nickname, email, scopes }, text);
  },

  logout: async ({ name }, { out }) => {
    const forgotten = await new Profiles().forget(name);
    out.result({ profile: forgotten }, `Removed the profile "${forgotten}".`);
  },

  'profile list': async (format, { out }) => {
    const { current, profiles } = await new Profiles().read();
    const all = Object.entries(profiles).map(([name, { url }]) => ({
      name,
      url,
      current: name === current,
    }));
    const rows = all.map((one) => [one.name, one.url, one.current ? 'in use' : '']);
    out.list(
      all,
      { columns: ['NAME', 'URL', ''], rows },
      format,
      'None. See forklens login --help',
    );
  },

  'profile use': async ({ name }, { out }) => {
    const used = name === 'none' ? null : name;
    await new Profiles().use(used);
    const text =
      used === null ? 'The service of the data directory is used.' : `"${used}" is in use.`;
    out.result({ current: used }, text);
  },

  quota: async ({ project }, { connection: { client }, out }) => {
    const quota =
      project === undefined
        ? await client.call('getQuota', {})
        : await client.call('getProjectQuota', {
            params: { project_id: (await findProject(client, project)).projectId },
          });
    const text = ({ used, limit }: { used: number; limit: number | null }): string =>
      limit === null ? `${used}, no quota` : `${used} of ${limit}`;
    out.facts(quota, [
      ['Forks', text(quota.forks)],
      ['Running engines', text(quota.runningEngines)],
      ['MiB on disk', text(quota.diskMegabytes)],
      ['Requests in this minute', text(quota.requestsPerMinute)],
      ['Analyses under way', text(quota.analyses)],
    ]);
  },

  account: async (_input, { connection, out }) => {
    const account = await connection.client.call('getAccount', {});
    const { baseUrl, origin } = await connection.target();
    out.facts({ ...account, url: baseUrl, origin }, [
      ['User', `${account.nickname} <${account.email}>`],
      ['Scopes', account.scopes.join(', ')],
      ['Service', `${baseUrl} (${origin})`],
    ]);
  },
};

async function keyFromStdin(signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY) return (await readSecret('Access key: ', signal)).trim();
  return (await readAll(process.stdin)).trim();
}
