import type { ApiClient } from '../../api/client';
import { ApiError, chainNotFound } from '../../api/errors';
import type { Project } from '../../api/project';
import { locatedForks, type LocatedFork } from '../../client/located-forks';
import { didYouMean } from '../errors/did-you-mean';
import { UsageError } from '../errors/usage-error';

/**
 * @param reference id or name; undefined: the oldest project
 * @throws ApiError `projectNotFound`, UsageError if several projects have the name
 */
export async function findProject(
  client: ApiClient,
  reference: string | undefined,
): Promise<Project> {
  const projects = await client.call('listProjects', {});
  const [oldest] = projects;
  if (reference === undefined && oldest !== undefined) return oldest;
  return one(
    'project',
    reference ?? '',
    projects.map((value) => ({ value, id: value.projectId, name: value.name })),
  );
}

/** All forks, grouped by project, oldest first. @param project id or name: only the forks of this project */
export async function listForks(client: ApiClient, project?: string): Promise<LocatedFork[]> {
  const projects =
    project === undefined
      ? await client.call('listProjects', {})
      : [await findProject(client, project)];
  return locatedForks(client, projects);
}

/** @param reference id or name @throws ApiError `forkNotFound`, UsageError if several forks have the name */
export async function findFork(client: ApiClient, reference: string): Promise<LocatedFork> {
  const forks = await listForks(client);
  return one(
    'fork',
    reference,
    forks.map((value) => ({ value, id: value.fork.forkId, name: value.fork.name })),
  );
}

const FORK_ID = /^fork_[0-9a-f]{32}$/;

/**
 * Resolves a reference to the service's name of a chain: the slug, or the id of a fork, which may be given by its name.
 * @throws ApiError `chainNotFound`
 */
export async function findChain(client: ApiClient, reference: string): Promise<string> {
  if (FORK_ID.test(reference)) return reference;
  const chains = await client.call('listChains', {});
  if (chains.some(({ slug }) => slug === reference)) return reference;
  const forks = await listForks(client).catch(() => []); // a key with only the analyze scope cannot list forks
  const named = forks.filter(({ fork }) => fork.name === reference);
  if (named.length > 0) return (await findFork(client, reference)).fork.forkId;
  const known = [...chains.map(({ slug }) => slug), ...forks.map(({ fork }) => fork.name)];
  const { message } = chainNotFound(reference, known);
  throw new ApiError('chainNotFound', message + didYouMean(reference, known));
}

interface Named<Value> {
  value: Value;
  id: string;
  name: string;
}

function one<Value>(
  what: 'fork' | 'project',
  reference: string,
  all: readonly Named<Value>[],
): Value {
  const byId = all.find(({ id }) => id === reference);
  if (byId !== undefined) return byId.value;
  const [first, ...others] = all.filter(({ name }) => name === reference);
  if (first === undefined) throw notFound(what, reference, all);
  if (others.length === 0) return first.value;
  const ids = [first, ...others].map(({ id }) => id).join(', ');
  throw new UsageError(`several ${what}s are named "${reference}"; name one by its id: ${ids}`);
}

function notFound(
  what: 'fork' | 'project',
  reference: string,
  all: readonly Named<unknown>[],
): ApiError {
  const names = all.map(({ name }) => name);
  const text = `${what} ${JSON.stringify(reference)} does not exist${didYouMean(reference, names)}`;
  return new ApiError(what === 'fork' ? 'forkNotFound' : 'projectNotFound', text);
}
