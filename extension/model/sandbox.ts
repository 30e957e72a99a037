/** Slug of the built-in chain. */
export const SANDBOX = 'sandbox';
