import type { PriceSource } from '../../analysis/ports';

/** Used if prices are disabled, or if no data may be sent to services. */
export const noPrices: PriceSource = { pricesAt: () => Promise.resolve(new Map()) };
