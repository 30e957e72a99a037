import type { Network, NetworkResolver } from '../../analysis/ports';
import type { SimulationBlock, SimulationNetworks } from '../../analysis/simulation/simulation';
import { invalidField } from '../../api/errors';
import type { Hash } from '../../api/primitives';
import { toQuantity } from '../../evm/forms/quantity';
import { neverAborted } from '../../kernel/async/never-aborted';
import { HeldBlock, type HeldPlace, type HeldPorts } from './held-block';
import { HeldChain } from './held-chain';

type Networks = SimulationNetworks & NetworkResolver;

/** Networks of which one ends with a held transaction. The others, such as forks of it, stay as they are. */
export class HeldNetworks implements Networks {
  #block: HeldBlock | undefined;

  constructor(
    private readonly networks: Networks,
    private readonly place: HeldPlace,
    private readonly ports: HeldPorts,
    /** Whether the state after the transaction is answered, by executing it. */
    private readonly hasEnd: boolean,
  ) {}

  async resolve(chain: string, hash: Hash, signal?: AbortSignal): Promise<Network> {
    const network = await this.networks.resolve(chain, hash, signal);
    return chain === this.place.chain ? this.#ending(network).network : network;
  }

  /** @throws ApiError also `invalidField` for a block without a state */
  async at(
    chain: string,
    wanted: Parameters<SimulationNetworks['at']>[1],
    signal?: AbortSignal,
  ): Promise<SimulationBlock> {
    const { place, networks } = this;
    if (chain !== place.chain) return networks.at(chain, wanted, signal);
    const { height, field = 'height' } = wanted;
    const isNumber = height.startsWith('0x') || height === 'earliest';
    const number = height === 'earliest' ? 0 : isNumber ? Number(height) : place.number;
    if (number > place.number || (number < place.number - 1 && !place.isOnline())) {
      throw invalidField(
        field,
        number,
        `${place.number - 1} or ${place.number}: ${chain} is a case file, with the state after block ${place.number - 1}, and after transaction ${place.position} of the next one`,
      );
    }
    const found = await networks.at(chain, { ...wanted, height: toQuantity(number) }, signal);
    const { network, held } = this.#ending(found.network);
    if (number !== place.number) return { ...found, network };
    return { ...found, network, block: await held.block(signal ?? neverAborted()) };
  }

  #ending(network: Network): { network: Network; held: HeldBlock } {
    const { place, ports, hasEnd } = this;
    const block = (this.#block ??= new HeldBlock(ports, network, place));
    const rpc = new HeldChain({ held: network.rpc, block, place, hasEnd });
    const oldestState = place.isOnline() ? undefined : place.number - 1;
    return { network: { ...network, rpc, held: { oldestState } }, held: block };
  }
}
