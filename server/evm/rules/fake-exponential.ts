/**
 * `fake_exponential` of EIP-4844: about `factor * e ** (numerator / denominator)`, by the same integer arithmetic.
 * Computes a block's price of blob gas in wei from the lowest price (1 wei on Ethereum), the excess blob gas and the update fraction.
 */
export function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let sum = 0n;
  for (let i = 1n, term = factor * denominator; term > 0n; i++) {
    sum += term;
    term = (term * numerator) / (denominator * i);
  }
  return sum / denominator;
}
