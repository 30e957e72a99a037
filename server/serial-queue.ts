/** Runs tasks one at a time, in the order in which they were added. A failed task does not stop the next one. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  add<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#last.then(task);
    this.#last = run.catch(() => undefined);
    return run;
  }
}
