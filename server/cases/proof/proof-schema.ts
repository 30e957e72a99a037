import * as z from 'zod';
import { addressSchema } from '../../api/primitives';

const hex = z.string().regex(/^0x([0-9a-f]{2})*$/);
const quantity = z.string().regex(/^0x[0-9a-f]{1,64}$/);
/** Nodes of a Merkle Patricia trie from its root on, as `eth_getProof` has them. */
const nodes = z.array(hex).max(128);
/** As a node returns it, with the fields of its chain. */
const header = z.record(z.string(), z.unknown());

/** What makes a case provable by the hash of its block alone. */
export const proofSchema = z.object({
  /** Of the block, with full transactions. */
  block: header.and(z.object({ transactions: z.array(z.record(z.string(), z.unknown())) })),
  /** Of its parent, whose state root the proofs of the state before refer to. */
  parent: header,
  /** Of all transactions of the block, in order. */
  receipts: z.array(z.record(z.string(), z.unknown())),
  /** Answers of `eth_getProof` after the parent. */
  accounts: z.array(
    z.object({
      address: addressSchema,
      accountProof: nodes,
      storageProof: z.array(z.object({ key: quantity, proof: nodes })),
    }),
  ),
  /** Code of the accounts that have some. */
  codes: z.record(addressSchema, hex),
});
export type CaseProof = z.infer<typeof proofSchema>;
