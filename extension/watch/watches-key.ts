/** Key of the watches in the memory of the workspace. */
export const WATCHES_KEY = 'forklens.watches';
