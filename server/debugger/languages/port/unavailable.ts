/** A value that cannot be known. The message says why, as part of a sentence. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}
