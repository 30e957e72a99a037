/**
 * Outputs of jobs that run side by side, whole and one after the other: what the first open job writes is shown as it comes, what the
 * others write is shown when their turn comes.
 */
export class Outputs {
  #open = [];

  /** @param show takes text */
  constructor(show) {
    this.show = show;
  }

  /** The output of one more job, whose turn comes after those that are open. */
  add() {
    const output = { text: '', isOpen: true };
    this.#open.push(output);
    const write = (text) => {
      if (output === this.#open[0]) this.show(text);
      else output.text += text;
    };
    const end = () => {
      output.isOpen = false;
      this.#next();
    };
    return { write, end };
  }

  #next() {
    while (this.#open[0]?.isOpen === false) {
      this.#open.shift();
      const [next] = this.#open;
      if (!next) return;
      this.show(next.text);
      next.text = '';
    }
  }
}
