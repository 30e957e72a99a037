import { escapedJson } from '../../api/visible-text';

/** An error as one line of JSON. Its message may quote a stranger. */
export const errorJson = (error: { readonly code: unknown; readonly message: string }): string =>
  escapedJson(JSON.stringify(error));
