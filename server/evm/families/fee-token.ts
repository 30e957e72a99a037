import type { Address } from '../../api/primitives';
import type { RpcTransaction } from '../forms/types';

/** Fields that name the token in which a transaction pays its fee: Celo (type 0x7b) and Tempo (0x76). */
const FIELDS = ['feeCurrency', 'feeToken'];

/** The token in which a transaction pays its fee, in lower case; undefined for the native currency. */
export function feeTokenOf(transaction: RpcTransaction): Address | undefined {
  const fields = new Map<string, unknown>(Object.entries(transaction));
  const token = FIELDS.map((name) => fields.get(name)).find((one) => typeof one === 'string');
  return token !== undefined && /^0x[0-9a-f]{40}$/i.test(token)
    ? (token.toLowerCase() as Address)
    : undefined;
}
