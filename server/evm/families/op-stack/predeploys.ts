import type { Address } from '../../../api/primitives';

/** Contracts of an OP Stack chain at fixed addresses (OP specs, predeploys). */
export const L1_BLOCK: Address = '0x4200000000000000000000000000000000000015';
/** Receives the priority fees: the fee recipient of every block. */
export const SEQUENCER_FEE_VAULT: Address = '0x4200000000000000000000000000000000000011';
/** Receives the base fees, which Ethereum burns. */
export const BASE_FEE_VAULT: Address = '0x4200000000000000000000000000000000000019';
export const L1_FEE_VAULT: Address = '0x420000000000000000000000000000000000001a';
/** Since Isthmus. */
export const OPERATOR_FEE_VAULT: Address = '0x420000000000000000000000000000000000001b';
