import { invalidField } from '../../api/errors';
import type { Writer } from '../../api/recording-writers';

/** Of what the writers are asked for, as the query has it. */
export interface WritersQuery {
  readonly address?: string | undefined;
  readonly of?: Exclude<Writer['kind'], 'local'> | undefined;
  readonly slot?: string | undefined;
  readonly offset?: number | undefined;
  readonly length?: number | undefined;
  readonly slots?: number | undefined;
  readonly isBytes?: 'true' | 'false' | undefined;
  readonly asset?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly change?: string | undefined;
  readonly node?: number | undefined;
  readonly variable?: string | undefined;
  readonly step?: number | undefined;
  readonly call?: number | undefined;
  readonly access: 'write' | 'read' | 'readWrite';
  readonly start?: number | undefined;
  readonly count?: number | undefined;
}

/** A local variable that is asked for. */
export interface WantedLocal {
  readonly name: string;
  readonly step: number;
  readonly call: number | undefined;
}

/** Fields that ask for state. */
const OF_STATE = [
  'address',
  'of',
  'slot',
  'offset',
  'length',
  'slots',
  'isBytes',
  'asset',
  'tokenId',
  'change',
  'node',
] as const;

/** The local variable of a query; undefined where it asks for state. @throws ApiError `invalidField` for fields that need or exclude others */
export function localOf(query: WritersQuery): WantedLocal | undefined {
  const { variable: name, step, call } = query;
  if (name === undefined) {
    for (const [field, value] of Object.entries({ step, call })) {
      if (value !== undefined) throw invalidField(field, value, 'together with variable');
    }
    return undefined;
  }
  if (step === undefined) throw invalidField('variable', name, 'together with step');
  for (const field of OF_STATE) {
    const value = query[field];
    if (value !== undefined)
      throw invalidField(field, value, 'without variable, which is no state');
  }
  return { name, step, call };
}

/** @throws ApiError `invalidField` for fields of a query that need others */
export function requireAddress({
  address,
  of,
  slot,
  asset,
  offset,
  length,
  ...more
}: WritersQuery): void {
  const needed = { slot, asset, tokenId: more.tokenId, change: more.change };
  for (const [field, value] of Object.entries(needed)) {
    if (value === undefined || address !== undefined) continue;
    throw invalidField(field, value, 'together with address');
  }
  const ofSlot = { offset, length, slots: more.slots, isBytes: more.isBytes };
  for (const [field, value] of Object.entries(ofSlot)) {
    if (value === undefined || slot !== undefined) continue;
    throw invalidField(field, value, 'together with slot');
  }
  if (slot !== undefined && of !== undefined && of !== 'storage' && of !== 'transient') {
    throw invalidField('slot', slot, `with of=storage or of=transient, not of=${of}`);
  }
  if (asset !== undefined && slot !== undefined) {
    throw invalidField('slot', slot, 'without asset, whose slots are searched for');
  }
  const { tokenId, change } = more;
  if (asset !== undefined) return;
  if (tokenId !== undefined) throw invalidField('tokenId', tokenId, 'together with asset');
  if (change !== undefined) throw invalidField('change', change, 'together with asset');
}
