import { isGuess } from '../../api/decoding';
import type { Address } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import { callsAbove, isCreation } from '../call-frame';
import { selectorOf } from '../decoding/call';
import type { Clause } from './clause';
import { namesAfter } from './control-evidence';
import { addressIn, type KnownEvent } from './known-events';
import type { Scene } from './scene';

/** Rights that the given accounts granted or revoked themselves, or that anyone granted by signature. */
export const approvals = (owners: ReadonlySet<Address>, scene: Scene): Clause[] =>
  scene.approvals.flatMap((approval) => {
    const { owner, spender, token, quantity, isUnlimited, isRevoked, isPermit, event } = approval;
    if (!owners.has(owner) && !isPermit) return [];
    return {
      kind: isRevoked ? 'revoked' : 'approved',
      actor: owner,
      gave: [{ ...quantity, asset: token }],
      counterparty: spender,
      ...(isUnlimited ? { isUnlimited } : {}),
      nodeIds: [event.step.parent, event.step.id],
    };
  });

/** Votes of accounts that called the contract which counted them. An event alone may name anyone. */
export const votes = (scene: Scene): Clause[] =>
  scene.events.flatMap((event) => {
    if (event.name !== 'VoteCast' && event.name !== 'VoteCastWithParams') return [];
    const { proposalId = '', support = '' } = event.values;
    const voter = addressIn(event, 'voter');
    if (!hasCalled(voter, event, scene)) return [];
    return {
      kind: 'voted',
      actor: voter,
      counterparty: event.address,
      proposal: proposalId,
      support,
      nodeIds: [event.step.id, event.step.parent],
    };
  });

/** Whether an account made the call to a contract in which this reported an event. */
const hasCalled = (account: Address, { address, step }: KnownEvent, { steps }: Scene): boolean =>
  [...callsAbove(steps, step)].some(
    ({ frame }) => frame.type === 'CALL' && frame.to === address && frame.from === account,
  );

/** Contracts that remain after the transaction. A creation that called its creator's code again still counts once. */
export const deployments = ({ created, destructions }: Scene): Clause[] => {
  const destroyed = new Set(destructions.map(({ frame }) => frame.from));
  return [...created].flatMap(([address, { frame, id }]) =>
    destroyed.has(address) || frame.output === '0x'
      ? []
      : { kind: 'deployed', actor: frame.from, counterparty: address, nodeIds: [id] },
  );
};

/** Proxies with new code. The constructor of a proxy reports its first code in the same way: that is no upgrade. */
export function* upgradesWork(scene: Scene): Work<Clause[]> {
  const { events, created, steps, known } = scene;
  const reports = events.filter(
    ({ signature, address }) => signature === 'Upgraded(address)' && !created.has(address),
  );
  if (reports.length === 0) return [];
  const delegators = new Set(
    steps.flatMap(({ frame, log }) => (!log && frame.type === 'DELEGATECALL' ? frame.from : [])),
  );
  const found: Clause[] = [];
  for (const event of reports) {
    yield 1;
    const { address: proxy } = event;
    const implementation = addressIn(event, 'implementation');
    const isProxy =
      known.contracts.get(proxy)?.implementation === implementation || delegators.has(proxy);
    if (!isProxy) continue;
    const evidence = namesAfter(scene, proxy, implementation);
    if (evidence === 'contradicted') continue;
    const caller = [...callsAbove(steps, event.step)].findLast(
      ({ frame }) => frame.type === 'CALL' && frame.to === proxy,
    );
    found.push({
      kind: 'upgraded',
      actor: caller?.frame.from ?? proxy,
      counterparty: proxy,
      implementation,
      ...(evidence === 'unknown' ? { isClaimed: true } : {}),
      nodeIds: [event.step.id, event.step.parent],
    });
  }
  return found;
}

/** Calls that only move a token or the native asset, which other clauses tell. */
const PLAIN_TRANSFERS = new Set([
  '0xa9059cbb', // transfer(address,uint256)
  '0x23b872dd', // transferFrom(address,address,uint256)
  '0x42842e0e', // safeTransferFrom(address,address,uint256)
  '0xb88d4fde', // safeTransferFrom(address,address,uint256,bytes)
  '0xf242432a', // safeTransferFrom(address,address,uint256,uint256,bytes)
  '0x2eb2c2d6', // safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)
]);

/** Whether the top call does nothing but send something. */
export function isPlainTransfer({ root, known }: Scene): boolean {
  const code = root.to === null ? undefined : known.contracts.get(root.to)?.code;
  if (root.value > 0n && (root.input === '0x' || code === '0x')) return true;
  return PLAIN_TRANSFERS.has(root.input.slice(0, 10));
}

/** The top call by the name of its method. */
export function called({ root, decoder }: Scene): Clause {
  const sides = { actor: root.from, counterparty: root.to ?? undefined, nodeIds: [0] };
  if (isCreation(root)) return { kind: 'deployed', ...sides };
  const method = decoder.decodeCall(root);
  return {
    kind: 'called',
    ...sides,
    method: method?.name ?? selectorOf(root.input) ?? '',
    ...(isGuess(method?.source) ? { isGuessed: true } : {}),
  };
}
