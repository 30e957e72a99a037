import type { PriceSource } from '../analysis/ports';

/** For those who want no prices, or nothing asked of others. */
export const noPrices: PriceSource = { pricesAt: () => Promise.resolve(new Map()) };
