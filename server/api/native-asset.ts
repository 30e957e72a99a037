/** Address that stands for the chain's native asset. In a file of its own: a webview takes it without the schemas. */
export const NATIVE_ASSET = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
