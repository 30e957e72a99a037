import type { ApiClient } from '../model/api-client';
import type { LaunchField } from './launch-field';

/** A value that a field of a launch configuration may have. */
export interface LaunchSuggestion {
  /** What is inserted. */
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

/** A transaction that an open inspector shows. */
export interface ShownTransaction {
  readonly chain: string;
  readonly transaction: string;
  readonly title: string;
}

type Fork = Awaited<ReturnType<typeof forksOf>>[number];

/** Values for `chain`, `fork` and `hash`: what the service knows, and what is shown. Other fields have none. */
export async function launchSuggestions(
  { name, fields }: Pick<LaunchField, 'name' | 'fields'>,
  client: ApiClient,
  shown: readonly ShownTransaction[],
): Promise<LaunchSuggestion[]> {
  if (name === 'chain') {
    const chains = await client.call('listChains', {});
    return chains.map((one) => ({ value: one.slug, label: one.slug, detail: one.name }));
  }
  if (name === 'fork') {
    return (await forksOf(client)).map(({ forkId, name: label, project }) => ({
      value: forkId,
      label,
      detail: project,
    }));
  }
  if (name !== 'hash') return [];
  const place = fields['fork'] ?? fields['chain'] ?? '';
  const analyzed = shown
    .filter(({ chain }) => place === '' || chain === place)
    .map(({ transaction, title }) => ({ value: transaction, label: transaction, detail: title }));
  const fork = (await forksOf(client)).find(({ forkId }) => forkId === place);
  const own = fork === undefined ? [] : await transactionsOf(client, fork);
  const byHash = new Map([...own, ...analyzed].map((one) => [one.value, one]));
  return [...byHash.values()];
}

async function forksOf(client: ApiClient) {
  const projects = await client.call('listProjects', {});
  const lists = await Promise.all(
    projects.map(async ({ projectId, name: project }) => {
      const forks = await client.call('listForks', { params: { project_id: projectId } });
      return forks.map(({ forkId, name }) => ({ forkId, name, projectId, project }));
    }),
  );
  return lists.flat();
}

async function transactionsOf(
  client: ApiClient,
  { projectId, forkId }: Fork,
): Promise<LaunchSuggestion[]> {
  const params = { project_id: projectId, fork_id: forkId };
  const { transactions } = await client.call('listForkTransactions', { params, query: {} });
  return transactions.map(({ hash, method }) => ({ value: hash, label: hash, detail: method }));
}
