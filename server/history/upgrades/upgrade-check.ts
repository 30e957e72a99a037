import { ContractInterface } from '../../analysis/contract-interface';
import type { AbiSource, Contract, Network } from '../../analysis/ports';
import type { SimulationNetworks } from '../../analysis/simulation/simulation';
import type { StorageLayout } from '../../analysis/storage-layout';
import type { AddressSource } from '../../api/contract-source';
import { invalidField } from '../../api/errors';
import type { NewCode } from '../../api/new-code';
import type { Address } from '../../api/primitives';
import type { UpgradeCheck, UpgradeItem } from '../../api/upgrade-check';
import type { RpcBlock } from '../../evm/forms/types';
import { authorityOf } from './authority';
import { codeItems, namespaceItems } from './code-items';
import { initializerItems } from './initializers';
import { interfaceChanges } from './interface-changes';
import { layoutDifferences, type LayoutDifference } from './layout-differences';
import { liveValues, type LiveStorage } from './live-values';

export interface UpgradeCheckPorts {
  readonly networks: SimulationNetworks;
  readonly abis: AbiSource;
  readonly sources: {
    at(
      wanted: { chain: string; address: Address; height: RpcBlock['number'] },
      user: string,
      signal: AbortSignal,
    ): Promise<AddressSource>;
  };
}

const ORDER: readonly UpgradeItem['level'][] = ['error', 'warning', 'unknown', 'info'];

/** Checks what an upgrade of a proxy to new code would break. */
export class UpgradeChecks {
  constructor(private readonly ports: UpgradeCheckPorts) {}

  /** @throws ApiError `invalidField` where the address is no known proxy; errors of the node */
  async check(
    chain: string,
    proxy: Address,
    newCode: NewCode,
    user: string,
    signal: AbortSignal,
  ): Promise<UpgradeCheck> {
    const place = await this.ports.networks.at(chain, { height: 'latest' }, signal);
    const { block } = place;
    const network = { ...place.network, user };
    const live: LiveStorage = { rpc: network.rpc, address: proxy, tag: block.number };
    const source = await this.ports.sources.at(
      { chain, address: proxy, height: block.number },
      user,
      signal,
    );
    const { implementation } = source;
    if (!implementation) {
      throw invalidField('address', proxy, 'a proxy whose implementation is known');
    }
    const target = implementation.address as Address;
    const contracts = await this.#contracts(network, [proxy, target], block, signal);
    const old = contracts.get(target);
    const own = contracts.get(proxy);
    const layout = old?.layout ?? implementation.source?.storageLayout;
    const now = ContractInterface.fromAbi(newCode.abi);
    const items = [
      ...(await layoutItems(live, layout, newCode, signal)),
      ...(implementation.source ? namespaceItems(newCode, implementation) : []),
      ...(await initializerItems(live, now, layout, signal)),
      ...interfaceChanges(old?.interface ?? old?.given, now, own?.interface),
      ...codeItems(newCode, implementation),
      ...(await authorityOf(live, signal)),
    ];
    items.sort((one, other) => ORDER.indexOf(one.level) - ORDER.indexOf(other.level));
    return {
      proxy,
      implementation: target,
      name: old?.name ?? implementation.source?.name ?? '',
      newName: newCode.name,
      blockNumber: Number(block.number),
      isSafe: !items.some(({ level }) => level === 'error' || level === 'unknown'),
      items,
    };
  }

  async #contracts(
    network: Network,
    addresses: readonly Address[],
    { number, hash }: RpcBlock,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, Contract>> {
    const request = {
      addresses: new Set(addresses),
      deployed: new Map(),
      initCodes: new Set<`0x${string}`>(),
      selectors: new Set<`0x${string}`>(),
      topics: new Set<`0x${string}`>(),
      block: { number: BigInt(number), hash },
    };
    return (await this.ports.abis.identify(network, request, signal)).contracts;
  }
}

/** Differences of the layouts, with what the variables hold now. */
export async function layoutItems(
  live: LiveStorage,
  old: StorageLayout | undefined,
  { layout }: Pick<NewCode, 'layout'>,
  signal: AbortSignal,
): Promise<UpgradeItem[]> {
  const subject = 'layout';
  if (!old) {
    const text = 'the storage layout of the implementation is not known: it was not compared';
    return [{ level: 'unknown', subject, text }];
  }
  if (!layout) {
    const text =
      'the artifact has no storage layout: it was not compared; with Foundry, set extra_output = ["storageLayout"]';
    return [{ level: 'unknown', subject, text }];
  }
  const differences = layoutDifferences(old, layout);
  const placed = differences.flatMap(({ at }) => at ?? []);
  const values = await liveValues(live, old, placed, signal);
  return differences.map(({ kind, text, variable, at }): UpgradeItem => {
    const level = levelOf(kind);
    if (!at) return { level, subject, text, ...(variable !== '' && { variable }) };
    const value = values[placed.indexOf(at)];
    const slot = `0x${at.slot.toString(16)}`;
    return { level, subject, text, variable, slot, ...(value !== undefined && { value }) };
  });
}

function levelOf(kind: LayoutDifference['kind']): UpgradeItem['level'] {
  if (kind === 'unread') return 'unknown';
  return kind === 'renamed' || kind === 'lost' ? 'warning' : 'error';
}
