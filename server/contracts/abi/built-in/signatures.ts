import { ContractInterface } from '../../../analysis/contract-interface';
import type { SignatureSource } from '../sources';
import {
  ACCESS,
  ACCOUNT_ABSTRACTION,
  CHAINLINK,
  MULTICALL,
  PERMIT2,
  PROXIES,
  SAFE,
} from './contracts';
import { CHEATCODES } from './cheatcodes';
import { LENDING, UNISWAP_V2, UNISWAP_V3 } from './defi';
import {
  ERC1155,
  ERC20,
  ERC4626,
  ERC721,
  INTROSPECTION,
  PERMIT,
  TOKEN_ERRORS,
  WETH9,
} from './tokens';

/** Standards and widely used contracts. If selectors are equal, the first signature takes precedence. */
const ABIS = [
  ERC20,
  WETH9,
  ERC721,
  ERC1155,
  TOKEN_ERRORS,
  PERMIT,
  ERC4626,
  INTROSPECTION,
  PROXIES,
  ACCESS,
  UNISWAP_V2,
  UNISWAP_V3,
  MULTICALL,
  CHAINLINK,
  SAFE,
  LENDING,
  PERMIT2,
  ACCOUNT_ABSTRACTION,
  CHEATCODES,
];

let read: readonly ContractInterface[] | undefined;

/** All of them as one. Parsed at the first use. */
export const builtInInterfaces = (): readonly ContractInterface[] =>
  (read ??= [ContractInterface.fromAbi(ABIS.flat())]);

/** Interfaces that are available without any request. */
export const builtInSignatures: SignatureSource = {
  candidates: () => Promise.resolve(builtInInterfaces()),
};
