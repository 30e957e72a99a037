import { NATIVE_ASSET } from '../api/native-asset';

/** An asset in the format of the answers. */
interface Asset {
  address: string;
  symbol?: string | undefined;
  tokenId?: string | undefined;
}

/** `hUSD`, `native`, `PASS #7`; the address of a token without a symbol. */
export function assetText({ address, symbol, tokenId }: Asset): string {
  const name = symbol ?? (address === NATIVE_ASSET ? 'native' : address);
  return tokenId === undefined ? name : `${name} #${tokenId}`;
}
