import path from 'node:path';
import type { Fork } from '../../server/api/fork';
import { forkRpc } from '../../server/client/fork-rpc';
import * as l10n from '@vscode/l10n';
import { deployedAddresses } from '../build-output/deployed-addresses';
import type { CommandContext } from '../model/command-context';
import type { ForkContracts } from '../model/fork-contracts';
import { LAST_SENDER } from '../ui/argument-steps';
import { listAllForks } from '../ui/pickers';
import { withProgress } from '../ui/progress';

const lastAddress = (contract: string, chain?: string): string =>
  ['forklens.lastAddress', contract, ...(chain === undefined ? [] : [chain])].join(':');

/** What is known of a call before it is asked for. */
export interface KnownValues {
  /** Of the contract; empty where unknown. */
  address: string;
  sender: string;
}

/**
 * Where a contract of the workspace is on a chain or fork, and who may call it: deployed on the fork, as the last time, or by a script.
 * @param outputs folders of build output
 */
export async function knownValues(
  { client, memento }: Pick<CommandContext, 'client' | 'memento'>,
  contracts: Pick<ForkContracts, 'of'>,
  { contract, chain, outputs }: { contract: string; chain: string; outputs: readonly string[] },
): Promise<KnownValues> {
  const forks = await listAllForks(client).catch(() => []); // a key may lack the scope
  const fork = forks.find((one) => one.fork.forkId === chain)?.fork;
  const own = contracts.of(chain).findLast(({ name }) => name === contract)?.address;
  const last = memento.get<string>(lastAddress(contract, chain));
  const address =
    own ??
    last ??
    (await deployedBy(await chainIdsOf(client, chain, fork), contract, outputs)) ??
    memento.get(lastAddress(contract), '');
  const sender = memento.get<string>(LAST_SENDER, '');
  return { address, sender: sender === '' && fork ? await firstAccount(fork) : sender };
}

/** Notes what was entered. */
export async function keepValues(
  memento: CommandContext['memento'],
  { contract, chain }: { contract: string; chain: string },
  { address, sender }: Partial<KnownValues>,
): Promise<void> {
  if (address !== undefined) {
    await memento.update(lastAddress(contract), address);
    await memento.update(lastAddress(contract, chain), address);
  }
  if (sender !== undefined) await memento.update(LAST_SENDER, sender);
}

/** A fork has the contracts of its chain, too. */
async function chainIdsOf(
  client: CommandContext['client'],
  chain: string,
  fork: Fork | undefined,
): Promise<number[]> {
  if (fork) return [...new Set([fork.rpcChainId, fork.chainId])];
  const known = await client.call('listChains', {});
  return known.flatMap(({ slug, chainId }) => (slug === chain ? chainId : []));
}

async function deployedBy(
  chainIds: readonly number[],
  contract: string,
  outputs: readonly string[],
): Promise<string | undefined> {
  const projects = [...new Set(outputs.map((output) => path.dirname(output)))];
  const [newest] = await deployedAddresses(projects, contract, chainIds);
  return newest;
}

/** It has ether; empty where the fork does not answer. */
async function firstAccount(fork: Fork): Promise<string> {
  const accounts = await withProgress(l10n.t('Asking fork "{0}"…', fork.name), (signal) =>
    forkRpc(fork, 'eth_accounts', [], signal),
  ).catch(() => []);
  const [first] = Array.isArray(accounts) ? (accounts as unknown[]) : [];
  return typeof first === 'string' ? first : '';
}
