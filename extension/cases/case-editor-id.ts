/** Must equal the id in the manifest. */
export const CASE_EDITOR = 'forklens.case';
