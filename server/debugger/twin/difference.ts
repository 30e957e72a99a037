/** The first effect of an unoptimized build that is not that of the executed one. */
export class Difference extends Error {
  override readonly name = 'Difference';

  /**
   * @param frame whose effect it is; undefined: not known
   * @param step of the recorded effect; -1 where it has none
   */
  constructor(
    readonly frame: number | undefined,
    readonly step: number,
    message: string,
  ) {
    super(message);
  }
}
