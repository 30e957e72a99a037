import { parseBlockReference } from '../../api/chain-block';
import type { Fork } from '../../api/fork';
import type { Context } from '../command-handlers/context';
import { callOptions } from '../command-handlers/located-transaction';
import { findProject } from '../command-handlers/references';
import { UsageError, wrongValue } from '../errors/usage-error';
import { rpcUrlOf } from '../../client/fork-rpc';

/** A fork that a job asks for, in the notation of the command line. */
export interface WantedFork {
  variable: string;
  chain: string;
  height: string | undefined;
  position: number | undefined;
}

export interface JobFork {
  variable: string;
  projectId: string;
  fork: Fork;
}

const WANTED = /^([A-Za-z_][A-Za-z0-9_]*)=([^@]+?)(?:@([^:]+?)(?::(\d{1,7}))?)?$/;

/** @throws UsageError */
export function wantedForks(texts: readonly string[]): WantedFork[] {
  const wanted = texts.map((text) => {
    const [, variable, chain, height, position] = WANTED.exec(text) ?? [];
    const reference = height === undefined ? undefined : parseBlockReference(height);
    const isBlock = height === undefined || ['tag', 'number'].includes(reference?.kind ?? '');
    if (variable === undefined || chain === undefined || !isBlock) {
      throw wrongValue(
        '--fork',
        text,
        'NAME=chain, NAME=chain@block or NAME=chain@block:position, such as ETH_RPC_URL=eth@19000000',
      );
    }
    return {
      variable,
      chain,
      height,
      position: position === undefined ? undefined : Number(position),
    };
  });
  const names = wanted.map(({ variable }) => variable);
  const second = names.find((name, index) => names.indexOf(name) !== index);
  if (second !== undefined) throw new UsageError(`--fork names ${second} twice`);
  return wanted;
}

/** Creates the forks of a job one after another, and adds each to `created` at once. @throws ApiError */
export async function createForks(
  wanted: readonly WantedFork[],
  created: JobFork[],
  context: Context,
): Promise<void> {
  if (wanted.length === 0) return;
  const { client } = context.connection;
  const { projectId } = await findProject(client, undefined);
  const chains = await client.call('listChains', {});
  for (const { variable, chain, height, position } of wanted) {
    const known = chains.find(({ slug }) => slug === chain);
    if (!known) {
      const accepted = chains.map(({ slug }) => slug).join(', ');
      throw wrongValue('--fork', chain, `a chain: ${accepted}`);
    }
    const body = {
      chainId: known.chainId,
      chain,
      name: `job ${variable}`,
      ...(height === undefined ? {} : { height }),
      ...(position === undefined ? {} : { position }),
    };
    const request = { params: { project_id: projectId }, body };
    const fork = await client.call('createFork', request, callOptions(context, 'minutes'));
    created.push({ variable, projectId, fork });
  }
}

export const variablesOf = (forks: readonly JobFork[]): Record<string, string> =>
  Object.fromEntries(forks.map(({ variable, fork }) => [variable, rpcUrlOf(fork)]));

/** Deletes the forks, also after a cancellation. Never rejects. */
export async function deleteForks(forks: readonly JobFork[], context: Context): Promise<void> {
  for (const { projectId, fork } of forks) {
    const params = { project_id: projectId, fork_id: fork.forkId };
    const { signal } = new AbortController();
    await context.connection.client
      .call('deleteFork', { params }, { signal })
      .catch((error: unknown) => {
        context.out.note(`The fork ${fork.forkId} was not deleted: ${(error as Error).message}`);
      });
  }
}
