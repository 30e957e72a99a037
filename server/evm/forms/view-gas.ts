import { toQuantity } from './quantity';

/** Gas limit of a call of a view function of an unknown contract, as a quantity: it bounds the cost of endless loops. */
export const VIEW_GAS = toQuantity(500_000n);
