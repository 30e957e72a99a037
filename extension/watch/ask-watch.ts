import * as l10n from '@vscode/l10n';
import type { Watched } from '../../server/api/activity';
import { ApiError, invalidField } from '../../server/api/errors';
import { addressSchema, type Address } from '../../server/api/primitives';
import { shortHex } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import type { CommandContext } from '../model/command-context';
import { SANDBOX } from '../model/sandbox';
import type { Watch } from '../model/watch';
import { askNetwork } from '../transactions/network-picks';
import { listAllForks } from '../ui/pickers';
import { enterText } from '../ui/quick-input';
import { topicOf } from './event-topic';

/** What a menu or a link knows already. */
export interface WatchTarget {
  readonly chain?: string | undefined;
  readonly address?: string | undefined;
  /** Of the address. */
  readonly name?: string | undefined;
}

type Asking = Pick<CommandContext, 'client' | 'memento'>;

/** Asks for what the target leaves open. @throws UserCancelledError, ApiError */
export async function askAddressWatch(context: Asking, target: WatchTarget): Promise<Watch> {
  const title = l10n.t('Watch Address');
  const place = await placeOf(context, target.chain, title);
  const address = await addressOf(target.address, title);
  const name = target.name ?? (await labelOf(context.client, place.chain, address));
  return { ...place, name: name ?? shortHex(address), watched: { kind: 'address', address } };
}

/** Asks for the event, and for the contract that emits it. @throws UserCancelledError, ApiError */
export async function askEventWatch(context: Asking, target: WatchTarget): Promise<Watch> {
  const title = l10n.t('Watch Event');
  const place = await placeOf(context, target.chain, title);
  const text = await enterText({
    title,
    value: '',
    prompt: EVENT(),
    placeholder: 'Transfer(address,address,uint256)',
    validate: (value) => (topicOf(value) === undefined ? EVENT() : undefined),
  });
  const event = topicOf(text);
  if (event === undefined) throw invalidField('event', text, EVENT());
  const given = target.address ?? (await askContract(title));
  const emitter = given === '' ? {} : { address: addressSchema.parse(given) };
  const watched: Watched = { kind: 'event', topic: event.topic, ...emitter };
  if (emitter.address === undefined) return { ...place, name: event.name, watched };
  const contract = target.name ?? (await labelOf(context.client, place.chain, emitter.address));
  const from = contract ?? shortHex(emitter.address);
  return { ...place, name: l10n.t('{0} of {1}', event.name, from), watched };
}

const EVENT = (): string =>
  l10n.t('Signature of an event, such as Transfer(address,address,uint256), or its topic');

/** The name of a chain or fork, and the project of a fork. */
async function placeOf(
  context: Asking,
  given: string | undefined,
  title: string,
): Promise<Pick<Watch, 'chain' | 'place' | 'project'>> {
  const chain = given ?? (await askNetwork(context, title));
  if (chain === SANDBOX) {
    throw new ApiError(
      'invalidField',
      l10n.t('the sandbox mines no blocks: watch on a fork of it, or on another chain'),
    );
  }
  if (chain.startsWith('fork_')) {
    const forks = await listAllForks(context.client);
    const found = forks.find(({ fork }) => fork.forkId === chain);
    if (found === undefined) throw new ApiError('forkNotFound', l10n.t('the fork does not exist'));
    return { chain, place: found.fork.name, project: found.project.projectId };
  }
  const chains = await context.client.call('listChains', {});
  return { chain, place: chains.find(({ slug }) => slug === chain)?.name ?? chain };
}

async function addressOf(given: string | undefined, title: string): Promise<Address> {
  if (given !== undefined) return addressSchema.parse(given);
  const prompt = l10n.t('Address of an account or contract');
  const text = await enterText({
    title,
    value: '',
    prompt,
    placeholder: '0x…',
    validate: (value) => (addressSchema.safeParse(value.trim()).success ? undefined : prompt),
  });
  return addressSchema.parse(text.trim());
}

async function askContract(title: string): Promise<string> {
  const prompt = l10n.t('Address of the contract that emits it; empty for any contract');
  const text = await enterText({
    title,
    value: '',
    prompt,
    placeholder: '0x…',
    validate: (value) =>
      value.trim() === '' || addressSchema.safeParse(value.trim()).success ? undefined : prompt,
  });
  return text.trim();
}

/** The user's own label: to look further would ask the chain, or wake the fork. */
async function labelOf(
  client: ApiClient,
  chain: string,
  address: Address,
): Promise<string | undefined> {
  const labels = await client.call('listLabels', {}).catch(() => []);
  const own = labels.filter((label) => label.address === address);
  return (own.find((label) => label.chain === chain) ?? own.find(({ chain: of }) => !of))?.name;
}
