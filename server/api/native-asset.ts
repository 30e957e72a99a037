/** Placeholder address of the chain's native asset. In a separate file, so that a webview can import it without the schemas. */
export const NATIVE_ASSET = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
