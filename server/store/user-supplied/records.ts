import * as z from 'zod';
import { abiItemSchema } from '../../api/abi';
import type { Address } from '../../api/primitives';

const abiSchema = z.object({ contractName: z.string(), abi: z.array(abiItemSchema) });
export type GivenAbiRecord = z.infer<typeof abiSchema>;

/** User, chain and address that an ABI applies to. */
export interface GivenAbiKey {
  readonly user: string;
  /** Slug of a chain, or id of a fork. */
  readonly chain: string;
  readonly address: Address;
}

/** ABIs by user, chain and address. Promises of changes settle when the change is durable. */
export interface GivenAbiStore {
  /** Replaces the previous ABI. */
  put(key: GivenAbiKey, record: GivenAbiRecord): Promise<void>;
  /** @throws ApiError `storageDamaged` */
  find(key: GivenAbiKey): Promise<GivenAbiRecord | undefined>;
  /** @throws ApiError `storageDamaged` @returns whether there was an ABI */
  delete(key: GivenAbiKey): Promise<boolean>;
  /** Omits damaged records. @param chains in order of precedence */
  findAll(
    user: string,
    chains: readonly string[],
    addresses: readonly Address[],
  ): Promise<ReadonlyMap<Address, GivenAbiRecord>>;
  /** Changes with every change of a user's ABIs, also by another node. */
  revision(user: string): Promise<string>;
  /** All keys, in any order. */
  keys(): AsyncIterable<GivenAbiKey>;
}

/** `chain` of a label that applies to all chains. */
export const ALL_CHAINS = '';

const labelsSchema = z.array(
  z.object({ address: z.string(), chain: z.string(), name: z.string() }),
);
/** Older versions wrote only the list. */
const labelFileSchema = z.union([
  labelsSchema,
  z.object({ labels: labelsSchema }).transform(({ labels }) => labels),
]);
export type LabelRecord = z.infer<typeof labelsSchema>[number];

/** Labels by chain and address (`labelKey`), oldest first. */
export type Labels = ReadonlyMap<string, LabelRecord>;

/** The labels of each user. All methods throw ApiError `storageDamaged` for damaged labels. */
export interface LabelStore {
  read(user: string): Promise<Labels>;
  /** Replaces the labels of a user. Settles when they are durable. @param edit may throw; nothing is changed then */
  change(user: string, edit: (labels: Map<string, LabelRecord>) => void): Promise<void>;
  /** All users with labels, in any order. */
  users(): AsyncIterable<string>;
}

export const labelKey = (chain: string, address: string): string => `${chain} ${address}`;

export const toLabels = (records: readonly LabelRecord[]): Map<string, LabelRecord> =>
  new Map(records.map((label) => [labelKey(label.chain, label.address), label]));

/** Parses a stored ABI. @throws ZodError, SyntaxError */
export const parseGivenAbi = (text: string): GivenAbiRecord => abiSchema.parse(JSON.parse(text));

/** Parses stored labels. @throws ZodError, SyntaxError */
export const parseLabels = (text: string): LabelRecord[] => labelFileSchema.parse(JSON.parse(text));

/** The inverse of `parseLabels`. */
export const labelsText = (labels: Labels): string =>
  JSON.stringify({ labels: [...labels.values()] });
