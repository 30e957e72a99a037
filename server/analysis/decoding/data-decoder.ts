import type { Decodings } from '../../api/decode';
import type { Address, Hash, Hex } from '../../api/primitives';
import { CONTRACT_LIMITS } from '../../api/schema-limits';
import type { AbiSource, Identification, IdentifyRequest, Network } from '../ports';
import { decodingsOf } from './decodings';
import { readableText } from './readable-text';

/** Fewer characters than those of a selector are no text. */
const LEAST_TEXT = 4;

export interface DataDecoderPorts {
  networks: {
    /** The newest block of a chain or fork. @throws ApiError `chainNotFound` */
    at(
      chain: string,
      place: { height: 'latest' },
      signal: AbortSignal,
    ): Promise<{ network: Network; block: { number: Hex; hash: Hash } }>;
  };
  abis: AbiSource & {
    known(
      wanted: Pick<IdentifyRequest, 'selectors' | 'topics'>,
      signal: AbortSignal,
    ): Promise<Identification>;
  };
}

/** Decodes call data and revert data that belong to no transaction. */
export class DataDecoder {
  constructor(private readonly ports: DataDecoderPorts) {}

  /**
   * @param data at least four bytes
   * @param at contract that is called, or that failed
   * @param user the user whose ABIs apply
   * @throws ApiError `chainNotFound`, `upstreamUnreachable`, `upstreamLacksData`, `timedOut` where `at` is given
   */
  async decode(
    data: Hex,
    at: { chain: string; address: Address } | undefined,
    user: string,
    signal: AbortSignal,
  ): Promise<Decodings> {
    const selector = data.slice(0, 10) as Hex;
    const wanted = {
      selectors: new Set([selector]),
      topics: new Set(data.length === 66 ? [data] : []),
    };
    const known =
      at === undefined
        ? await this.ports.abis.known(wanted, signal)
        : await this.#identify(at, wanted, user, signal);
    const decodings = decodingsOf(data, known, at?.address ?? null);
    const message = readableText(data, LEAST_TEXT);
    return {
      selector,
      ...(message !== undefined && { message }),
      decodings: decodings.slice(0, CONTRACT_LIMITS.decodings),
    };
  }

  async #identify(
    { chain, address }: { chain: string; address: Address },
    wanted: Pick<IdentifyRequest, 'selectors' | 'topics'>,
    user: string,
    signal: AbortSignal,
  ): Promise<Identification> {
    const { network, block } = await this.ports.networks.at(chain, { height: 'latest' }, signal);
    const request: IdentifyRequest = {
      ...wanted,
      addresses: new Set([address]),
      deployed: new Map(),
      initCodes: new Set(),
      block: { number: BigInt(block.number), hash: block.hash },
    };
    return this.ports.abis.identify({ ...network, user }, request, signal);
  }
}
